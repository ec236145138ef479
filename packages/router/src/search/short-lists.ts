import { isJsonObject } from '@trawl/contract';

/** More rows than any provider is asked for; reading 100,000 keeps this thread for a second. */
const ITEMS_MAX = 1_000;

/** The length of the first list that is too long to be read whole; undefined = there is none. */
export function longListIn(value: unknown): number | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value) && value.length > ITEMS_MAX) return value.length;
  for (const inner of Object.values(value)) {
    const length = longListIn(inner);
    if (length !== undefined) return length;
  }
  return undefined;
}

/** The beginning of each list, so that an answer takes no longer to read than a usual one. */
export function withShortLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, ITEMS_MAX).map(withShortLists);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withShortLists(inner)]),
  );
}
