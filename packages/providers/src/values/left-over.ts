import type { JsonObject } from '@trawl/contract';
import { isoDate } from './dates.ts';
import { finiteNumber, without } from './json.ts';
import { text } from './text.ts';

/**
 * The rest of a row, for `enrichments`: the keys that a declaration does not use, and a date that
 * could not be read, such as "2 days ago", in the provider's own words.
 */
export function leftOver(
  row: JsonObject,
  consumed: ReadonlySet<string>,
  dateKey: string,
): JsonObject {
  const left = without(row, consumed);
  const date = row[dateKey];
  if (date === undefined || date === null) return left;
  const isValue = text(date) !== null || finiteNumber(date) !== null;
  return !isValue || isoDate(date) !== null ? left : { ...left, [dateKey]: date };
}

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
