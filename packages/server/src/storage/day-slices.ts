const DAY_MS = 86_400_000;

/** A span of time as the store compares it; `to` itself is left out. */
export interface TimeSpan {
  readonly from: string;
  readonly to: string;
}

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
