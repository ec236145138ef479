/** Typed readers for JSON that was checked, or of which only a part is needed. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path of names with dots between them. */
export function valueAt(value: unknown, path: string): unknown {
  let found = value;
  for (const name of path.split('.')) found = isObject(found) ? found[name] : undefined;
  return found;
}

/** The object at a path; undefined for anything else, as with the functions below. */
export function objectAt(value: unknown, path: string): JsonObject | undefined {
  const member = valueAt(value, path);
  return isObject(member) ? member : undefined;
}

export function textAt(value: unknown, path: string): string | undefined {
  const member = valueAt(value, path);
  return typeof member === 'string' ? member : undefined;
}

export function numberAt(value: unknown, path: string): number | undefined {
  const member = valueAt(value, path);
  return typeof member === 'number' ? member : undefined;
}

/** The parsed value, or undefined when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
