import type { FetchRow, SearchRun } from '@trawl/contract';
import { startsOf } from '../../../requests/fallback-runs.ts';

export interface RunSegment {
  readonly label: string;
  readonly startMs: number;
  /** Null where it is not known how long it took. */
  readonly lengthMs: number | null;
  readonly isFailed: boolean;
}

export interface TimelineRow {
  readonly key: string;
  readonly label: string;
  readonly segments: readonly RunSegment[];
}

/**
 * The runs of a search start together, those of a fallback behind them; each takes its own time,
 * waits and retries included.
 */
export function searchTimeline(runs: readonly SearchRun[]): readonly TimelineRow[] {
  const starts = startsOf(runs);
  return runs.map(({ id, preprocessor_name, batch_index, latency_ms, status, error }) => ({
    key: id,
    label: `${preprocessor_name}, query ${batch_index + 1}`,
    segments: [
      {
        label: error ? `failed: ${error.code}` : 'answered',
        startMs: starts.get(id) ?? 0,
        lengthMs: latency_ms,
        isFailed: status === 'failed',
      },
    ],
  }));
}

/**
 * The providers that a page went through, one after the other, where the tier has them; otherwise
 * the whole time.
 */
export const fetchTimeline = (pages: readonly FetchRow[]): readonly TimelineRow[] =>
  pages.map((page) => ({ key: page.url, label: page.url, segments: stepsOf(page) }));

function stepsOf({
  provider_chain,
  latency_ms,
  provider,
  status,
}: FetchRow): readonly RunSegment[] {
  const asked = provider_chain?.filter(({ outcome }) => outcome !== 'skipped') ?? [];
  if (asked.length === 0) {
    const isFailed = status === 'failed';
    return [{ label: provider ?? 'no provider', startMs: 0, lengthMs: latency_ms, isFailed }];
  }
  let startMs = 0;
  return asked.map(({ provider: name, outcome, code, latency_ms: lengthMs }) => {
    const segment = {
      label: `${name}: ${code ?? outcome}`,
      startMs,
      lengthMs,
      isFailed: outcome !== 'answered',
    };
    startMs += lengthMs ?? 0;
    return segment;
  });
}

/** Where the last segment ends; at least 1. */
export const lastEnd = (rows: readonly TimelineRow[]): number =>
  Math.max(
    1,
    ...rows.flatMap(({ segments }) =>
      segments.map(({ startMs, lengthMs }) => startMs + (lengthMs ?? 0)),
    ),
  );
