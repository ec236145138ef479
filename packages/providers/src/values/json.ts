/**
 * Readers of the JSON that upstreams send. A missing key, null, an empty list and a value of another type all mean
 * "no value"; none of them throws.
 */
import { isJsonObject, type JsonObject } from '@trawl/contract';

export function finiteNumber(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

export function object(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function objects(value: unknown): readonly JsonObject[] {
  return list(value).filter(isJsonObject);
}

/** An object without some of its keys. */
export function without(source: JsonObject, keys: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(source).filter(([key]) => !keys.has(key)));
}

/** A count, such as of pages. */
export function wholeNumber(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
