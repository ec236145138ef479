import type { InteractionDetails } from '@trawl/contract';
import type { LedgerCall } from '@trawl/contract/console';
import { sumOfUsd } from '../../parts/number-text.ts';
import { isFallback, startsOf } from '../../requests/fallback-runs.ts';

/**
 * One run in the order of the page: by query, then provider; those of a fallback behind the others.
 */
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
  /** It was asked because the others of its query had failed. */
  readonly isFallback: boolean;
  /**
   * Where its bar begins and how long it is, as parts of the whole time, from 0 to 1; null: the
   * record has no time.
   */
  readonly start: number;
  readonly share: number | null;
}

/**
 * The runs of an interaction as bars. The record says how long a run took and not when it began, so
 * bars start together; those of a fallback start behind the runs that they replace.
 */
export function waterfall(
  { preprocessor_runs: runs, postprocessor_runs: postprocessors }: InteractionDetails,
  calls: readonly LedgerCall[],
): readonly RunRow[] {
  const starts = startsOf(runs);
  const startOf = (id: string) => starts.get(id) ?? 0;
  const ends = [...runs, ...postprocessors].map(
    ({ id, latency_ms }) => startOf(id) + (latency_ms ?? 0),
  );
  const whole = ends.reduce((most, end) => Math.max(most, end), 1);
  const shareOf = (latency: number | null) => (latency === null ? null : latency / whole);
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
    isFallback: isFallback(run),
    start: startOf(run.id) / whole,
    share: shareOf(run.latency_ms),
  }));
  const sorted = rows.toSorted(
    (a, b) =>
      a.batchIndex - b.batchIndex ||
      Number(a.isFallback) - Number(b.isFallback) ||
      // those of a fallback stay in the order in which they were asked
      (a.isFallback ? 0 : a.name.localeCompare(b.name, 'en')),
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
        isFallback: false,
        start: 0,
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

/** Known costs of some calls, and how many calls have none. */
export function spentOn(calls: readonly LedgerCall[]) {
  const priced = calls.flatMap(({ cost_usd }) => cost_usd ?? []);
  const sum = (some: readonly LedgerCall[]) => some.reduce((total, call) => total + call.calls, 0);
  return {
    cost_usd: priced.length > 0 ? sumOfUsd(priced) : null,
    calls: sum(calls),
    unpriced_calls: sum(calls.filter(({ cost_usd }) => cost_usd === null)),
  };
}
