import type { InteractionRecord, LedgerRecord, RunRecord } from '../storage/store.ts';
import type { NormalizedRun } from './normalize.ts';

/** Whose interaction it is and how it is called. */
export interface InteractionHead extends Omit<InteractionRecord, 'runs' | 'ledger'> {}

const MICROS = 1_000_000;

/** The record of an interaction. Each run's text is made once, here, and shared by the store and the answer. */
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
        ({ run }, position): RunRecord => ({
          id: run.id,
          kind: 'preprocessor',
          position,
          name: run.preprocessor_name,
          text: JSON.stringify(run),
        }),
      ),
      ...postprocessorRuns.map(
        (run, position): RunRecord => ({
          id: run.id,
          kind: 'postprocessor',
          position,
          name: run.postprocessor_name,
          text: JSON.stringify(run),
        }),
      ),
    ],
    ledger: runs.map((run) => ledgerRecord(head, run, newId())),
  };
}

function ledgerRecord(
  head: InteractionHead,
  { run, cost }: NormalizedRun,
  id: string,
): LedgerRecord {
  return {
    id,
    projectId: head.projectId,
    keyId: head.keyId,
    userId: head.userId,
    sessionId: head.sessionId,
    interactionId: head.id,
    runId: run.id,
    provider: run.preprocessor_name,
    createdAt: head.createdAt,
    calls: cost.calls,
    outcome: run.status,
    costMicros: cost.costUsd === null ? null : Math.round(cost.costUsd * MICROS),
    costSource: cost.source,
  };
}
