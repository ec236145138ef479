/**
 * Readers of the JSON that upstreams send. A missing key, null, an empty list and a value of
 * another type all mean "no value"; none of them throws.
 */
import { isJsonObject, type JsonObject } from '@trawl/contract/json-object';

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
  const left: Record<string, unknown> = {};
  for (const key in source) if (!keys.has(key)) setOwn(left, key, source[key]);
  return left;
}

/** An object without its members that are null or missing. */
export const withoutNull = (source: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(source).filter(([, value]) => value != null));

/** As data, whatever the name: a plain assignment to `__proto__` would change the object itself. */
function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') object[key] = value;
  else
    Object.defineProperty(object, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
}

/** A count, such as of pages. */
export function wholeNumber(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
