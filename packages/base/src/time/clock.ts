import { v7 } from 'uuid';

/** Time and ids are passed in, so that tests need not wait or guess. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** A new uuid. Later ones sort after earlier ones, so indexes grow at their end. */
  readonly newId: () => string;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  newId: () => v7(),
};

/** ISO 8601, UTC, milliseconds, `Z`. @throws RangeError for a number that is not a valid time */
export const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** In later years the year has more digits, and times no longer sort as text. */
export const LAST_SORTED_TIME = Date.parse('9999-12-31T23:59:59.999Z');

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
