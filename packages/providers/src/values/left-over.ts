import type { JsonObject } from '@trawl/contract';
import { isoDate } from './dates.ts';
import { finiteNumber, without } from './json.ts';
import { text } from './text.ts';

/**
 * The rest of a row, for `enrichments`: the keys that a declaration does not use, and a date that
 * could not be read.
 */
export const leftOver = (
  row: JsonObject,
  consumed: ReadonlySet<string>,
  dateKey: string,
): JsonObject => withUnreadDate(without(row, consumed), row, dateKey);

/** With a date that could not be read, such as "2 days ago", in the provider's own words. */
export function withUnreadDate(left: JsonObject, row: JsonObject, dateKey: string): JsonObject {
  const date = row[dateKey];
  if (date === undefined || date === null) return left;
  const isValue = text(date) !== null || finiteNumber(date) !== null;
  return !isValue || isoDate(date) !== null ? left : { ...left, [dateKey]: date };
}

/** Levels of an answer that are looked at; deeper ones stay as they are. */
const LEVELS_MAX = 20;

/**
 * A value without the texts in it that are whole images (`data:` addresses). A list or an object
 * that has none stays the same one.
 */
export function withoutImages(value: unknown, level = 0): unknown {
  if (typeof value === 'string') return value.startsWith('data:') ? undefined : value;
  if (typeof value !== 'object' || value === null || level > LEVELS_MAX) return value;
  return Array.isArray(value)
    ? itemsWithoutImages(value, level + 1)
    : membersWithoutImages(value as JsonObject, level + 1);
}

function itemsWithoutImages(list: readonly unknown[], level: number): readonly unknown[] {
  let left: unknown[] | undefined;
  for (let index = 0; index < list.length; index += 1) {
    const item = withoutImages(list[index], level);
    if (item !== list[index]) left ??= list.slice(0, index);
    if (item !== undefined) left?.push(item);
  }
  return left ?? list;
}

function membersWithoutImages(object: JsonObject, level: number): JsonObject {
  let left: Record<string, unknown> | undefined;
  for (const name in object) {
    const member = withoutImages(object[name], level);
    if (member === object[name]) continue;
    left ??= { ...object };
    if (member === undefined) delete left[name];
    else left[name] = member;
  }
  return left ?? object;
}
