/** Whether a field holds something: neither null nor an empty list, object or text. */
export function isFilled(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value !== null && value !== '';
  return Object.keys(value).length > 0;
}

/** A value in which every string that equals one is replaced by another. */
export function swapped(value: unknown, from: string, to: string): unknown {
  if (typeof value === 'string') return value === from ? to : value;
  if (Array.isArray(value)) return value.map((item) => swapped(item, from, to));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, swapped(item, from, to)]),
  );
}

/** The same value; from now on it throws when it is changed. Members of sets can still change. */
export function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
}
