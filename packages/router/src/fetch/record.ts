import { jsonText } from '@trawl/base';
import type { FetchOutput, JsonObject, RunStatus } from '@trawl/contract';
import type { InteractionHead } from '../interaction/head.ts';
import { ledgerRecord } from '../interaction/ledger.ts';
import type { InteractionRecord } from '../interaction/records.ts';
import { separated, type TextParts } from '../interaction/respond.ts';
import type { ChainCost } from './chain-result.ts';
import { FREE } from './cost.ts';
import type { FetchedPage } from './normalize.ts';
import type { UnavailableError } from './unavailable.ts';

/** The one run of a fetch. */
export const RUN_NAME = 'web_fetch';

/** The run as answered. */
export interface FetchRun {
  readonly id: string;
  readonly preprocessor_name: typeof RUN_NAME;
  readonly status: RunStatus;
  readonly batch_index: 0;
  readonly query: '';
  readonly request_payload: JsonObject;
  readonly output_payload: FetchOutput | null;
  readonly raw_payload: null;
  readonly error: UnavailableError | null;
  readonly latency_ms: number;
}

/** The run's JSON, with the texts of its rows as they were made for events: an answer holds each of them once. */
export function fetchRunText(run: FetchRun, rowTexts: readonly string[]): TextParts {
  const { output_payload: output, raw_payload, error, latency_ms, ...before } = run;
  if (output === null) return [jsonText(run)];
  const { fetched_results: _rows, ...counts } = output;
  return [
    `${jsonText(before).slice(0, -1)},"output_payload":{"fetched_results":[`,
    ...separated(rowTexts),
    `],${jsonText(counts).slice(1)},${jsonText({ raw_payload, error, latency_ms }).slice(1)}`,
  ];
}

/** The record of a fetch: its run, what each provider was paid, and the titles that were seen. */
export function fetchRecord(
  head: InteractionHead,
  run: Pick<FetchRun, 'id'> & { readonly text: string },
  pages: readonly FetchedPage[],
  newId: () => string,
): InteractionRecord {
  return {
    ...head,
    runs: [{ id: run.id, kind: 'preprocessor', position: 0, name: RUN_NAME, text: run.text }],
    ledger: pages
      .flatMap(spendings)
      .map((cost) => ledgerRecord(head, { ...cost, runId: run.id, batchIndex: null }, newId())),
    titles: pages.flatMap(({ target, result }) =>
      result.kind === 'page' && result.page.title !== null
        ? [{ url: target.comparable, title: result.page.title }]
        : [],
    ),
  };
}

/** A row for each provider that was asked; where none was, one that says so. */
function spendings({ result }: FetchedPage): readonly ChainCost[] {
  const paid = result.costs.filter(({ calls }) => calls > 0);
  if (paid.length > 0) return paid;
  const isPage = result.kind === 'page';
  const provider = (isPage ? result.provider : result.failure.provider) ?? RUN_NAME;
  const errorCode = isPage ? null : result.failure.code;
  return [
    { ...FREE, provider, outcome: isPage ? 'succeeded' : 'failed', latencyMs: null, errorCode },
  ];
}
