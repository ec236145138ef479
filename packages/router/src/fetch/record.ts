import {
  arrayParts,
  type Json,
  type JsonParts,
  jsonText,
  objectAround,
  type Recorded,
} from '@trawl/base';
import type { FetchOutput, FetchRow, FetchRun, InteractionOutcome } from '@trawl/contract';
import type { ConfiguredFetchProvider } from '../deployment/deployment.ts';
import type { InteractionHead } from '../interaction/head.ts';
import { ledgerRecord } from '../interaction/ledger.ts';
import type { InteractionRecord, TitleRecord } from '../interaction/records.ts';
import type { ChainCost } from './chain-result.ts';
import { type FetchCommand, fetchRequestPayload } from './command.ts';
import { FREE } from './cost.ts';
import type { FetchedPage } from './normalize.ts';
import { type Causes, unavailableError } from './unavailable.ts';

/** The one run of a fetch. */
export const RUN_NAME = 'web_fetch';

/**
 * The one run of a fetch, of its finished rows. `causes`: why no page was reached; null = some was.
 */
export function fetchRun(
  command: FetchCommand,
  chain: readonly ConfiguredFetchProvider[],
  rows: FetchRow[],
  {
    id,
    latencyMs,
    causes,
  }: { readonly id: string; readonly latencyMs: number; readonly causes: Causes | null },
): FetchRun {
  const isLost = causes !== null;
  const succeeded = rows.filter(({ status }) => status === 'succeeded').length;
  const slugs = chain.map(({ declaration }) => declaration.slug);
  return {
    id,
    preprocessor_name: RUN_NAME,
    status: isLost ? 'failed' : 'succeeded',
    batch_index: 0,
    query: '',
    request_payload: fetchRequestPayload(command, slugs),
    output_payload: isLost
      ? null
      : {
          fetched_results: rows,
          succeeded_count: succeeded,
          failed_count: rows.length - succeeded,
          warnings: [],
        },
    raw_payload: null,
    error: isLost ? unavailableError(slugs, rows, causes) : null,
    latency_ms: latencyMs,
  };
}

/**
 * The run's JSON, with the texts of its rows that events use too: an answer has each of them once.
 */
export function fetchRunParts(
  run: FetchRun,
  rows: readonly Recorded<FetchRow>[],
): JsonParts<FetchRun> {
  const { output_payload: output, raw_payload, error, latency_ms, ...before } = run;
  const outputText: Json<FetchRun['output_payload']> =
    output === null ? jsonText(null) : outputParts(output, rows);
  return objectAround<FetchRun, 'output_payload'>(before, ['output_payload', outputText], {
    raw_payload,
    error,
    latency_ms,
  });
}

function outputParts(
  { fetched_results: _, ...counts }: FetchOutput,
  rows: readonly Recorded<FetchRow>[],
): JsonParts<FetchOutput> {
  const texts = arrayParts(rows.map(({ text }) => text));
  return objectAround<FetchOutput, 'fetched_results'>({}, ['fetched_results', texts], counts);
}

/** The record of a fetch: its run, the payments to providers, and the titles seen. */
export function fetchRecord(
  head: InteractionHead,
  run: Pick<FetchRun, 'id'> & { readonly parts: JsonParts<FetchRun> },
  pages: readonly FetchedPage[],
  newId: () => string,
): InteractionRecord {
  return {
    runs: [{ id: run.id, kind: 'preprocessor', position: 0, name: RUN_NAME, text: run.parts }],
    ledger: pages
      .flatMap(spendings)
      .map((cost) =>
        ledgerRecord(
          head,
          { runId: run.id, batchIndex: null, resultCount: null, ...cost },
          newId(),
        ),
      ),
    titles: titlesOf(pages),
    ...head,
    outcome: outcomeOf(pages),
  };
}

function outcomeOf(pages: readonly FetchedPage[]): InteractionOutcome {
  const read = pages.filter(({ result }) => result.kind === 'page').length;
  if (read === 0) return 'failed';
  return read === pages.length ? 'succeeded' : 'partial';
}

function titlesOf(pages: readonly FetchedPage[]): readonly TitleRecord[] {
  const titles: TitleRecord[] = [];
  for (const { target, result } of pages) {
    const title = result.kind === 'page' ? result.page.title : null;
    if (title !== null) titles.push({ url: target.comparable, title });
  }
  return titles;
}

/** A row for each provider that was asked; if none was, one row that says so. */
function spendings({ result }: FetchedPage): readonly ChainCost[] {
  const paid = result.costs.filter(({ calls }) => calls > 0);
  if (paid.length > 0) return paid;
  const isPage = result.kind === 'page';
  const provider = (isPage ? result.provider : result.failure.provider) ?? RUN_NAME;
  const errorCode = isPage ? null : result.failure.code;
  return [
    { provider, outcome: isPage ? 'succeeded' : 'failed', latencyMs: null, errorCode, ...FREE },
  ];
}
