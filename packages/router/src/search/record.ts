import { jsonText } from '@trawl/base';
import type { InteractionHead } from '../interaction/head.ts';
import { ledgerRecord } from '../interaction/ledger.ts';
import type { InteractionRecord, RunRecord, TitleRecord } from '../interaction/records.ts';
import type { NormalizedRun } from './normalize.ts';

/** The record of an interaction. Each run's text is made once and shared by the store and the answer. */
export function interactionRecord(
  head: InteractionHead,
  runs: readonly NormalizedRun[],
  postprocessorRuns: readonly { readonly id: string; readonly postprocessor_name: string }[],
  newId: () => string,
): InteractionRecord {
  return {
    ...head,
    runs: [
      ...runs.map(
        ({ run, text }, position): RunRecord => ({
          id: run.id,
          kind: 'preprocessor',
          position,
          name: run.preprocessor_name,
          text,
        }),
      ),
      ...postprocessorRuns.map(
        (run, position): RunRecord => ({
          id: run.id,
          kind: 'postprocessor',
          position,
          name: run.postprocessor_name,
          text: jsonText(run),
        }),
      ),
    ],
    ledger: runs.map(({ run, cost }) =>
      ledgerRecord(
        head,
        {
          ...cost,
          runId: run.id,
          provider: run.preprocessor_name,
          outcome: run.status,
          batchIndex: run.batch_index,
          latencyMs: run.latency_ms,
          errorCode: run.error?.code ?? null,
        },
        newId(),
      ),
    ),
    titles: titlesOf(runs),
  };
}

/** In the order seen; the store keeps the last of each URL. */
const titlesOf = (runs: readonly NormalizedRun[]): readonly TitleRecord[] =>
  runs.flatMap(({ rows }) =>
    rows.flatMap(({ url, title }) => (title === null ? [] : [{ url, title }])),
  );
