import { wellFormedJson } from '@trawl/base';
import type { MergedList, PostprocessorRun } from '@trawl/contract';
import type { InteractionHead } from '../interaction/head.ts';
import { ledgerRecord } from '../interaction/ledger.ts';
import type {
  CountedAnswer,
  InteractionRecord,
  RunRecord,
  TitleRecord,
} from '../interaction/records.ts';
import type { NormalizedRun } from './normalize.ts';

/** What was made of the runs. */
interface Made {
  readonly postprocessorRuns: readonly PostprocessorRun[];
  readonly merged: readonly MergedList[];
  /** Absent = none counts. */
  readonly counted?: readonly CountedAnswer[];
}

/**
 * The record of an interaction. Each run's text is made once and shared by the store and the
 * answer.
 */
export function interactionRecord(
  head: InteractionHead,
  runs: readonly NormalizedRun[],
  { postprocessorRuns, merged, counted }: Made,
  newId: () => string,
): InteractionRecord {
  return {
    runs: [
      ...runs.map(
        ({ run: { value, text }, answer }, position): RunRecord => ({
          id: value.id,
          kind: 'preprocessor',
          position,
          name: value.preprocessor_name,
          text,
          answer,
        }),
      ),
      ...postprocessorRuns.map(
        (run, position): RunRecord => ({
          id: run.id,
          kind: 'postprocessor',
          position,
          name: run.postprocessor_name,
          text: wellFormedJson(run),
        }),
      ),
      ...merged.map(
        (list, position): RunRecord => ({
          id: newId(),
          kind: 'merged',
          position,
          name: 'merged',
          text: wellFormedJson(list),
        }),
      ),
    ],
    ledger: runs.map(({ run: { value }, cost, resultCount, served }) =>
      ledgerRecord(
        head,
        {
          runId: value.id,
          provider: value.preprocessor_name,
          calls: cost.calls,
          costUsd: cost.costUsd,
          source: cost.source,
          keyTail: cost.keyTail,
          outcome: value.status,
          batchIndex: value.batch_index,
          latencyMs: value.latency_ms,
          errorCode: value.error?.code ?? null,
          resultCount,
          cachedFrom: served?.from,
          savedMicros: served?.savedMicros,
        },
        newId(),
      ),
    ),
    titles: titlesOf(runs),
    counted,
    ...head,
  };
}

/**
 * In the order seen; the store keeps the last of each URL. Without the rest of the rows, which
 * would wait for the commit too.
 */
function titlesOf(runs: readonly NormalizedRun[]): readonly TitleRecord[] {
  const titles: TitleRecord[] = [];
  for (const { rows } of runs) {
    for (const { url, title } of rows) if (title !== null) titles.push({ url, title });
  }
  return titles;
}
