import type { JsonObject } from '@trawl/contract';
import { isoDate } from './dates.ts';
import { finiteNumber, without } from './json.ts';
import { text } from './text.ts';

/**
 * The rest of a row, for `enrichments`: the keys that a declaration does not use, and dates that
 * could not be read, such as "2 days ago", in the provider's own words.
 */
export function leftOver(
  row: JsonObject,
  consumed: ReadonlySet<string>,
  ...dateKeys: readonly string[]
): JsonObject {
  const left = without(row, consumed);
  const unread = dateKeys.filter((key) => isUnreadDate(row[key]));
  return unread.length === 0
    ? left
    : { ...left, ...Object.fromEntries(unread.map((key) => [key, row[key]])) };
}

const isUnreadDate = (value: unknown): boolean =>
  (text(value) !== null || finiteNumber(value) !== null) && isoDate(value) === null;

/** Levels of an answer that are looked at; deeper ones stay as they are. */
const LEVELS_MAX = 20;

/** A value without the texts in it that are whole images (`data:` addresses). */
export function withoutImages(value: unknown, level = 0): unknown {
  if (typeof value === 'string') return value.startsWith('data:') ? undefined : value;
  if (typeof value !== 'object' || value === null || level > LEVELS_MAX) return value;
  if (Array.isArray(value)) {
    return value.map((item) => withoutImages(item, level + 1)).filter((item) => item !== undefined);
  }
  const members = Object.entries(value).map(([name, member]) => [
    name,
    withoutImages(member, level + 1),
  ]);
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}
