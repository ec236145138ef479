import type { InteractionHead } from '../interaction/head.ts';
import { ledgerRecord } from '../interaction/ledger.ts';
import { jsonText } from '../json-text.ts';
import type { InteractionRecord, RunRecord, TitleRecord } from '../storage/store.ts';
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

/** One for each URL, the last. */
function titlesOf(runs: readonly NormalizedRun[]): readonly TitleRecord[] {
  const titles = new Map<string, TitleRecord>();
  for (const { rows } of runs) {
    for (const { url, title } of rows) if (title !== null) titles.set(url, { url, title });
  }
  return [...titles.values()];
}
