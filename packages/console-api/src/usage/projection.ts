import { DAY_MS } from '@trawl/base';

/** The rate of this many days goes on until the end of the month. */
export const RATE_DAYS = 7;

/** A month in UTC, in milliseconds since 1970. */
export interface Month {
  readonly from: number;
  /** The start of the next one. */
  readonly to: number;
}

export function monthOf(now: number): Month {
  const date = new Date(now);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { from: Date.UTC(year, month), to: Date.UTC(year, month + 1) };
}

/**
 * What a month will have cost at its end: what was spent, and the rate of the last days for the
 * time that is left.
 * @param recentMicros what was spent in the last `RATE_DAYS` days
 */
export function projectedMicros(spentMicros: number, recentMicros: number, now: number): number {
  const leftMs = monthOf(now).to - now;
  return Math.round(spentMicros + (recentMicros / (RATE_DAYS * DAY_MS)) * leftMs);
}
