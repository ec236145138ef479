import { newId } from './new-id.ts';

/** Time and ids are passed in, so that tests need not wait or guess. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** A new uuid. Later ones sort after earlier ones, so indexes grow at their end. */
  readonly newId: () => string;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  newId,
};

/** ISO 8601, UTC, milliseconds, `Z`. */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** In later years the year has more digits, and times no longer sort as text. */
export const LAST_SORTED_TIME = Date.parse('9999-12-31T23:59:59.999Z');

export const DAY_MS = 86_400_000;
