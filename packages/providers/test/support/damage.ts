import fc from 'fast-check';

const ODD: readonly unknown[] = [
  null,
  '',
  '  ',
  0,
  -1,
  1e308,
  true,
  [],
  {},
  [null],
  'text',
  { a: { b: null } },
];

/** Every place in a JSON value, as paths. */
function places(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => places(inner, [...path, key]))];
}

function change(
  value: unknown,
  path: readonly string[],
  how: (container: Record<string, unknown>, key: string) => void,
): void {
  const [key, ...rest] = path;
  if (key === undefined || typeof value !== 'object' || value === null) return;
  const container = value as Record<string, unknown>;
  if (rest.length === 0) how(container, key);
  else change(container[key], rest, how);
}

/**
 * Copies of a body with some members dropped, replaced by odd values, or with unknown ones added.
 */
export function damaged(body: unknown): fc.Arbitrary<unknown> {
  const paths = places(body).filter((path) => path.length > 0);
  const damage = fc.record({
    path: fc.constantFrom(...paths),
    kind: fc.constantFrom('drop', 'retype', 'add'),
    value: fc.oneof(fc.constantFrom(...ODD), fc.jsonValue()),
  });
  return fc.array(damage, { minLength: 1, maxLength: 4 }).map((damages) => {
    const copy: unknown = structuredClone(body);
    for (const { path, kind, value } of damages) {
      change(copy, path, (container, key) => {
        if (kind === 'drop' && Array.isArray(container)) container.splice(Number(key), 1);
        else if (kind === 'drop') delete container[key];
        // no element is set behind the end of a shortened list: JSON has no lists with holes
        else if (kind === 'retype' && !Object.hasOwn(container, key)) return;
        // after a damage, the member of a list may have become a list, whose length is not a member
        else if (Array.isArray(container) && !/^\d+$/.test(key)) return;
        // a copy: a value that is in two places could become a member of itself with the next
        // damage
        else container[kind === 'add' ? `${key}_new` : key] = structuredClone(value);
      });
    }
    return copy;
  });
}
