import { jsonText } from '@trawl/base';
import { takenFor } from '@trawl/base/testing';
import type { JsonObject, ResultRow } from '@trawl/contract';
import { at } from '@trawl/test-support/records';
import type { RecordedRequest, StoredInteraction } from '../../src/interaction/records.ts';

/** A recorded run: only the members that readers of records look at need be named. */
export interface StoredRun {
  readonly id?: string;
  readonly preprocessor_name?: string;
  readonly batch_index?: number;
  readonly status?: string;
  readonly latency_ms?: number | null;
  readonly error?: object | null;
  readonly output_payload?: object | null;
}

interface Given {
  readonly id?: string;
  readonly sessionId?: string;
  readonly createdAt?: string;
  readonly completedAt?: string;
  readonly userInput?: JsonObject | null;
  readonly metadata?: JsonObject;
  readonly request?: RecordedRequest | null;
  readonly runs?: readonly StoredRun[];
}

/** An interaction as the store has it. */
export function storedInteraction(given: Given = {}): StoredInteraction {
  const { userInput = { query: 'tides' }, metadata = {}, request = null, runs = [] } = given;
  return {
    id: given.id ?? 'interaction-1',
    instanceId: 'instance-1',
    sessionId: given.sessionId ?? 'session-1',
    status: 'succeeded',
    outcome: 'succeeded',
    createdAt: given.createdAt ?? at(0),
    completedAt: given.completedAt ?? at(1),
    normalizedSchemaVersion: 2,
    trajectoryId: 'trajectory-1',
    parentTrajectoryId: null,
    trajectoryGoal: null,
    userInput: userInput && jsonText(userInput),
    metadata: jsonText(metadata),
    routing: null,
    request: request && jsonText(request),
    preprocessorRuns: runs.map((run, position) => takenFor(JSON.stringify(runOf(run, position)))),
    postprocessorRuns: [],
    mergedLists: [],
  };
}

const runOf = (run: StoredRun, position: number) => ({
  id: `run-${position}`,
  preprocessor_name: 'exa',
  status: 'succeeded',
  batch_index: 0,
  query: 'tides',
  request_payload: {},
  output_payload: null,
  error: null,
  latency_ms: 100,
  ...run,
});

/** The output of a search that has these rows. */
export const found = (results: readonly Partial<ResultRow>[], answer: string | null = null) => ({
  results,
  answer: answer === null ? null : { text: answer, citations: [] },
  warnings: [],
});

/** The output of a fetch that has these pages. */
export const fetched = (pages: readonly object[]) => ({
  fetched_results: pages,
  succeeded_count: pages.length,
  failed_count: 0,
  warnings: [],
});
