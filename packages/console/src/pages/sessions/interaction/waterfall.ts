import type { InteractionDetails } from '@trawl/contract';
import type { LedgerCall } from '@trawl/contract/console';

/** One run in the order of the page: by query, then provider. */
export interface RunRow {
  readonly id: string;
  readonly name: string;
  readonly query: string;
  readonly status: 'succeeded' | 'failed';
  readonly isPostprocessor: boolean;
  readonly batchIndex: number;
  readonly latencyMs: number | null;
  /** Rows or pages that it found. */
  readonly found: number | null;
  readonly warningCount: number;
  readonly errorCode: string | null;
  /** What the ledger has of it; empty for a run that called no one. */
  readonly calls: readonly LedgerCall[];
  /** The part of the longest run's time, from 0 to 1; null: the record has no time. */
  readonly share: number | null;
}

/**
 * The runs of an interaction as bars. The record says how long a run took and not when it began, so bars start together.
 */
export function waterfall(
  { preprocessor_runs: runs, postprocessor_runs: postprocessors }: InteractionDetails,
  calls: readonly LedgerCall[],
): readonly RunRow[] {
  const times = [...runs, ...postprocessors].map(({ latency_ms }) => latency_ms ?? 0);
  const longest = times.reduce((most, time) => Math.max(most, time), 1);
  const shareOf = (latency: number | null) => (latency === null ? null : latency / longest);
  const rows: readonly RunRow[] = runs.map((run) => ({
    id: run.id,
    name: run.preprocessor_name,
    query: run.query,
    status: run.status,
    isPostprocessor: false,
    batchIndex: run.batch_index,
    latencyMs: run.latency_ms,
    found: foundBy(run.output_payload),
    warningCount: (run.output_payload?.warnings ?? run.error?.warnings ?? []).length,
    errorCode: run.error?.code ?? null,
    calls: calls.filter(({ run_id }) => run_id === run.id),
    share: shareOf(run.latency_ms),
  }));
  const sorted = rows.toSorted(
    (a, b) => a.batchIndex - b.batchIndex || a.name.localeCompare(b.name, 'en'),
  );
  return [
    ...sorted,
    ...postprocessors.map(
      (run): RunRow => ({
        id: run.id,
        name: run.postprocessor_name,
        query: run.query,
        status: run.status,
        isPostprocessor: true,
        batchIndex: run.batch_index,
        latencyMs: run.latency_ms,
        found: null,
        warningCount: 0,
        errorCode: typeof run.error?.code === 'string' ? run.error.code : null,
        calls: [],
        share: shareOf(run.latency_ms),
      }),
    ),
  ];
}

type Output = InteractionDetails['preprocessor_runs'][number]['output_payload'];

function foundBy(output: Output): number | null {
  if (output === null) return null;
  return 'fetched_results' in output ? output.fetched_results.length : output.results.length;
}

/** Known costs of some calls in micros, and how many calls have none. */
export function spentOn(calls: readonly LedgerCall[]) {
  const priced = calls.flatMap(({ cost_micros }) => cost_micros ?? []);
  const sum = (some: readonly LedgerCall[]) => some.reduce((total, call) => total + call.calls, 0);
  return {
    cost_micros: priced.length > 0 ? priced.reduce((total, micros) => total + micros, 0) : null,
    calls: sum(calls),
    unpriced_calls: sum(calls.filter(({ cost_micros }) => cost_micros === null)),
  };
}
