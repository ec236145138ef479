import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const PACKAGES = fileURLToPath(new URL('../packages', import.meta.url));
const EXPORTED_TYPE =
  /^export (?:declare |abstract )*(?:interface|type|class|enum) (\w+)(?: = ([^;\n]+);$)?/gm;

/** Made from the contract: its types mean what they mean there. */
const GENERATED = 'client/src/contract/types.ts';

interface Declared {
  /** `package/src/…` */
  readonly path: string;
  /** Its definition, where that is one line. */
  readonly meaning: string | undefined;
}

/** Where each name of an exported type is declared. */
function declaredTypes(): ReadonlyMap<string, readonly Declared[]> {
  const declared = new Map<string, Declared[]>();
  const files = readdirSync(PACKAGES, { recursive: true, encoding: 'utf8' })
    .filter((path) => /^[^/]+\/src\/.+\.tsx?$/.test(path) && path !== GENERATED)
    .sort();
  for (const path of files) {
    const text = readFileSync(join(PACKAGES, path), 'utf8');
    for (const [, name = '', meaning] of text.matchAll(EXPORTED_TYPE))
      declared.set(name, [...(declared.get(name) ?? []), { path, meaning }]);
  }
  return declared;
}

const packageOf = ({ path }: Declared) => path.split('/')[0];
const lineOf = ([name, places]: [string, readonly Declared[]]) =>
  `${name}: ${places.map(({ path }) => path).join(', ')}`;
const types = [...declaredTypes()].sort();

test('a package exports no two types of one name', () => {
  const double = types.filter(([, places]) => new Set(places.map(packageOf)).size < places.length);
  expect(double.map(lineOf)).toEqual([]);
});

test('a name of one word means one thing in all packages', () => {
  const generic = types.filter(
    ([name, places]) => /^[A-Z][a-z]+$/.test(name) && new Set(places.map(packageOf)).size > 1,
  );
  const isOne = (places: readonly Declared[]) =>
    places[0]?.meaning !== undefined && new Set(places.map(({ meaning }) => meaning)).size === 1;
  expect(generic.filter(([, places]) => !isOne(places)).map(lineOf)).toEqual([]);
});
