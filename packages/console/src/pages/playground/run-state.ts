import type { FetchRow, InteractionResponse, PlannedCall, SearchRun } from '@trawl/contract';
import type { StreamEvent } from '../../api/call.ts';
import { certain, type PlannedRequest } from '../../requests/planned.ts';

/** How a run ended, or that it goes on. */
export type Phase = 'running' | 'done' | 'cancelled' | 'failed';

/** What the page knows of one request that it sent. */
export interface RunState {
  readonly phase: Phase;
  readonly request: PlannedRequest;
  /**
   * What was planned when it was sent, as far as it was known: what is shown until a run arrives.
   */
  readonly planned: readonly PlannedCall[];
  /** In the order in which they arrived; when the answer is there, in its order. */
  readonly runs: readonly SearchRun[];
  readonly pages: readonly FetchRow[];
  readonly answer: InteractionResponse | null;
  /** Why there is no whole answer. */
  readonly error: unknown;
}

export const startedRun = (request: PlannedRequest, planned: readonly PlannedCall[]): RunState => ({
  phase: 'running',
  request,
  planned,
  runs: [],
  pages: [],
  answer: null,
  error: null,
});

/** The state after an event. */
export function withEvent(state: RunState, event: StreamEvent): RunState {
  switch (event.event) {
    case 'run':
      return { ...state, runs: [...state.runs, event.data as SearchRun] };
    case 'page':
      return { ...state, pages: [...state.pages, event.data] };
    case 'done':
      return withAnswer(state, event.data);
    default:
      return state;
  }
}

/** A request that was answered before, such as that of a link. */
export const answeredRun = (request: PlannedRequest, answer: InteractionResponse): RunState =>
  withAnswer(startedRun(request, []), answer);

function withAnswer(state: RunState, answer: InteractionResponse): RunState {
  const done = { ...state, phase: 'done', answer } as const;
  if (state.request.mode === 'search') {
    return { ...done, runs: answer.preprocessor_runs as readonly SearchRun[] };
  }
  const output = answer.preprocessor_runs[0]?.output_payload;
  return output && 'fetched_results' in output ? { ...done, pages: output.fetched_results } : done;
}

/** The state after the end of a stream that held no whole answer. */
export const withEnd = (
  state: RunState,
  phase: 'cancelled' | 'failed',
  error: unknown,
): RunState => (state.phase === 'running' ? { ...state, phase, error } : state);

/** The planned calls whose runs or pages have not arrived. */
export function awaited({ planned, runs, pages, phase }: RunState): readonly PlannedCall[] {
  if (phase !== 'running') return [];
  const arrived = new Set([
    ...runs.map((run) => `${run.batch_index} ${run.preprocessor_name}`),
    ...pages.map(({ url }) => url),
  ]);
  return certain(planned).filter(
    ({ provider, batch_index: index, url }) => !arrived.has(url ?? `${index ?? 0} ${provider}`),
  );
}
