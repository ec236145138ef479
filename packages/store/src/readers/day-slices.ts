import { DAY_MS } from '@trawl/base';
import type { TimeSpan } from '@trawl/topics';

/** The span cut at each UTC midnight, to be read a day at a time. */
export function* daySlices({ from, to }: TimeSpan): Generator<TimeSpan> {
  let start = from;
  while (start < to) {
    const midnight = (Math.floor(Date.parse(start) / DAY_MS) + 1) * DAY_MS;
    const end = new Date(Math.min(midnight, Date.parse(to))).toISOString();
    yield { from: start, to: end };
    start = end;
  }
}

/** A part of a span that is either some whole UTC days or within one day. */
export interface UsagePart extends TimeSpan {
  readonly wholeDays: boolean;
}

/** The span cut at its first and last UTC midnight, and what is between in pieces of at most so many days. */
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
