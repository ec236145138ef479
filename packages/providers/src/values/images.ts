import type { JsonObject } from '@trawl/contract';

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
