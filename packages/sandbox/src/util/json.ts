/** Typed readers for JSON that was checked, or of which only a part is needed. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function objectAt(value: unknown, key: string): JsonObject | undefined {
  const member = isObject(value) ? value[key] : undefined;
  return isObject(member) ? member : undefined;
}

export function textAt(value: unknown, key: string): string | undefined {
  const member = isObject(value) ? value[key] : undefined;
  return typeof member === 'string' ? member : undefined;
}

export function numberAt(value: unknown, key: string): number | undefined {
  const member = isObject(value) ? value[key] : undefined;
  return typeof member === 'number' ? member : undefined;
}

export function isTrueAt(value: unknown, key: string): boolean {
  return isObject(value) && value[key] === true;
}

/** The parsed value, or undefined when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
