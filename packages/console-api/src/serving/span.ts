import { DAY_MS, isoTime } from '@trawl/base';
import { RequestError } from '@trawl/router';

export interface DaysRange {
  /** ISO 8601, UTC, milliseconds; `to` itself is left out. */
  readonly from: string;
  readonly to: string;
}

/**
 * The span of a query, up to now and as long as usual where it names none.
 * @throws RequestError 400 if it is turned round or too long
 */
export function spanOf(
  query: { readonly from?: string | undefined; readonly to?: string | undefined },
  now: number,
  { usualMs, daysMax }: { readonly usualMs: number; readonly daysMax: number },
): DaysRange {
  const to = query.to === undefined ? now : Date.parse(query.to);
  const from = query.from === undefined ? to - usualMs : Date.parse(query.from);
  if (from >= to) throw new RequestError(400, 'from must be before to');
  if (to - from > daysMax * DAY_MS) {
    throw new RequestError(400, `at most ${daysMax} days at once; ask for a shorter time`);
  }
  return { from: isoTime(from), to: isoTime(to) };
}
