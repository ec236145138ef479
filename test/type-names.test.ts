import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const PACKAGES = fileURLToPath(new URL('../packages', import.meta.url));
const EXPORTED_TYPE = /^export (?:declare |abstract )*(?:interface|type|class|enum) (\w+)/gm;

/** Made from the contract: its types mean what they mean there. */
const GENERATED = 'client/src/contract/types.ts';

/** Still to be renamed. */
const GENERIC = `Answer Attempt Cost Environment Failure Fault Find Interval Json Operation Paint
  Refusal Spending Tier`.split(/\s+/);

/** Where each name of an exported type is declared: `package/src/…`. */
function declaredTypes(): ReadonlyMap<string, readonly string[]> {
  const declared = new Map<string, string[]>();
  const files = readdirSync(PACKAGES, { recursive: true, encoding: 'utf8' })
    .filter((path) => /^[^/]+\/src\/.+\.tsx?$/.test(path) && path !== GENERATED)
    .sort();
  for (const path of files) {
    for (const [, name = ''] of readFileSync(join(PACKAGES, path), 'utf8').matchAll(EXPORTED_TYPE))
      declared.set(name, [...(declared.get(name) ?? []), path]);
  }
  return declared;
}

const packageOf = (path: string) => path.split('/')[0];
const lineOf = ([name, paths]: [string, readonly string[]]) => `${name}: ${paths.join(', ')}`;
const types = [...declaredTypes()].sort();

test('a package exports no two types of one name', () => {
  const double = types.filter(([, paths]) => new Set(paths.map(packageOf)).size < paths.length);
  expect(double.map(lineOf)).toEqual([]);
});

test('a name of one word means one thing in all packages', () => {
  const generic = types.filter(
    ([name, paths]) => /^[A-Z][a-z]+$/.test(name) && new Set(paths.map(packageOf)).size > 1,
  );
  expect(generic.filter(([name]) => !GENERIC.includes(name)).map(lineOf)).toEqual([]);
});
