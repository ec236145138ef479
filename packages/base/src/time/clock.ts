import { randomFillSync } from 'node:crypto';
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
  newId,
};

/**
 * Random bytes are asked for once for many ids: asking for each costs ten times as much as the rest
 * of an id.
 */
const POOL_IDS = 256;
const ID_BYTES = 16;
const pool = new Uint8Array(POOL_IDS * ID_BYTES);
let used = pool.length;
/** Counts the ids of one millisecond, so that they sort in their order. */
let lastMsecs = 0;
let lastSeq = 0;

function newId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const random = pool.subarray(used, used + ID_BYTES);
  used += ID_BYTES;
  const now = Date.now();
  if (now > lastMsecs) {
    lastMsecs = now;
    // 31 random bits, so that there is room for counting
    lastSeq =
      ((random[6] ?? 0) << 23) |
      ((random[7] ?? 0) << 16) |
      ((random[8] ?? 0) << 8) |
      (random[9] ?? 0);
  } else lastSeq = (lastSeq + 1) >>> 0;
  return v7({ random, msecs: lastMsecs, seq: lastSeq });
}

/**
 * The last second of which a time was written, and its text: most times are in the same second as
 * the one before.
 */
let lastSecond = Number.NaN;
let lastSecondText = '';

/** ISO 8601, UTC, milliseconds, `Z`. @throws RangeError for a number that is not a valid time */
export function isoTime(milliseconds: number): string {
  const second = Math.floor(milliseconds / 1000);
  if (second !== lastSecond) {
    lastSecondText = new Date(second * 1000).toISOString().slice(0, -'000Z'.length);
    lastSecond = second;
  }
  return `${lastSecondText}${String(Math.floor(milliseconds - second * 1000)).padStart(3, '0')}Z`;
}

/** In later years the year has more digits, and times no longer sort as text. */
export const LAST_SORTED_TIME = Date.parse('9999-12-31T23:59:59.999Z');

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
