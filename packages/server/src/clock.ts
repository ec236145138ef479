/** Time and ids are handed down, so that tests need not wait or guess. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** A fresh uuid. */
  readonly newId: () => string;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  newId: () => crypto.randomUUID(),
};

/** ISO 8601, UTC, milliseconds, `Z`. */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
