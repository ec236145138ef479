import type { PreprocessorRun } from '@trawl/contract';

type Run = Pick<PreprocessorRun, 'id' | 'batch_index' | 'latency_ms'> & {
  readonly output_payload: { readonly warnings: Warnings } | null;
  readonly error: { readonly warnings?: Warnings | undefined } | null;
};
type Warnings = readonly { readonly code: string }[];

/** Whether a run was asked because all others of its query had failed. */
export const isFallback = ({
  output_payload: output,
  error,
}: Pick<Run, 'output_payload' | 'error'>): boolean =>
  (output?.warnings ?? error?.warnings ?? []).some(({ code }) => code === 'fallback_used');

/**
 * When each run began, by its id, in milliseconds after the first ones. All runs of a query begin
 * together, and those of its fallback one after the other behind them.
 * @param runs in the order of the answer
 */
export function startsOf(runs: readonly Run[]): ReadonlyMap<string, number> {
  const starts = new Map<string, number>();
  const ends = new Map<number, number>();
  for (const run of runs) {
    const end = ends.get(run.batch_index) ?? 0;
    const start = isFallback(run) ? end : 0;
    starts.set(run.id, start);
    ends.set(run.batch_index, Math.max(end, start + (run.latency_ms ?? 0)));
  }
  return starts;
}
