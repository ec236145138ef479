import { DAY_MS } from '@trawl/base';
import type { TimeSpan } from './run-records.ts';

/** Splits the span at each UTC midnight, so that it can be read one day at a time. */
export function* daySlices({ from, to }: TimeSpan): Generator<TimeSpan> {
  let start = from;
  while (start < to) {
    const midnight = (Math.floor(Date.parse(start) / DAY_MS) + 1) * DAY_MS;
    const end = new Date(Math.min(midnight, Date.parse(to))).toISOString();
    yield { from: start, to: end };
    start = end;
  }
}

/** A part of a span: either whole UTC days, or a part of one day. */
export interface UsagePart extends TimeSpan {
  readonly wholeDays: boolean;
}

/**
 * Splits the span at its first and last UTC midnight, and the whole days between them into pieces
 * of at most `daysAtOnce` days.
 */
export function* usageParts({ from, to }: TimeSpan, daysAtOnce: number): Generator<UsagePart> {
  const end = Date.parse(to);
  const lastMidnight = Math.floor(end / DAY_MS) * DAY_MS;
  let start = Date.parse(from);
  while (start < end) {
    const wholeDays = start % DAY_MS === 0 && start < lastMidnight;
    const midnight = (Math.floor(start / DAY_MS) + 1) * DAY_MS;
    const next = wholeDays
      ? Math.min(start + daysAtOnce * DAY_MS, lastMidnight)
      : Math.min(midnight, end);
    yield { from: isoOf(start), to: isoOf(next), wholeDays };
    start = next;
  }
}

const isoOf = (time: number): string => new Date(time).toISOString();
