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
