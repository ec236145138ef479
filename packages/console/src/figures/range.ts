import { DAY_MS } from '../parts/time-text.ts';

/** A span moves on with this step, so that a reload within it asks for the same. */
const STEP_MS = 60_000;

/** Spans of time that end now. */
export const RANGES = { '24h': DAY_MS, '7d': 7 * DAY_MS, '30d': 30 * DAY_MS } as const;
export type Range = keyof typeof RANGES;

export const RANGE_OPTIONS: readonly { readonly value: Range; readonly label: string }[] = [
  { value: '24h', label: 'Last 24 hours' },
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
];

/** The start and end of a range, for a query. */
export function spanOf(
  range: Range,
  now = Date.now(),
): { readonly from: string; readonly to: string } {
  const to = Math.ceil(now / STEP_MS) * STEP_MS;
  return { from: new Date(to - RANGES[range]).toISOString(), to: new Date(to).toISOString() };
}

/** `2026-11-22`, in UTC. */
export const dayText = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().slice(0, 10);

/** The days of a span in UTC, as they are named in usage: the last `count` days up to today. */
export function lastDays(count: number, now = Date.now()): readonly string[] {
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  return Array.from({ length: count }, (_, index) => dayText(today - (count - 1 - index) * DAY_MS));
}
