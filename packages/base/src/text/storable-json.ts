const LONE_SURROGATE = /\p{Surrogate}/gu;

/**
 * A JSON value with U+0000 and lone surrogates replaced by U+FFFD, in texts and keys: no database
 * keeps them all. A value without any is returned unchanged, the same object.
 */
export function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? storableList(value) : storableObject(value);
}

export function storableText(text: string): string {
  return text.replaceAll('\u0000', '\uFFFD').replace(LONE_SURROGATE, '\uFFFD');
}

function storableList(list: readonly unknown[]): readonly unknown[] {
  let changed = false;
  const items = list.map((item) => {
    const clean = storable(item);
    changed ||= clean !== item;
    return clean;
  });
  return changed ? items : list;
}

function storableObject(value: object): object {
  let changed = false;
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => {
    const clean: [string, unknown] = [storableText(key), storable(item)];
    changed ||= clean[0] !== key || clean[1] !== item;
    return clean;
  });
  // `fromEntries` defines properties, so a key `__proto__` stays a key.
  return changed ? Object.fromEntries(entries) : value;
}

/** A JSON value in which the whole number at this place is the nearest `number`. */
export function withNumberAt(value: unknown, path: readonly PropertyKey[]): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return typeof value === 'bigint' ? Number(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => [
    key,
    key === String(step) ? withNumberAt(item, rest) : item,
  ]);
  return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
}
