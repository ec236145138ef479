import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { compiledIn } from './regular-expressions/compiled.ts';
import { type Expression, expressionsIn, expressionsOf } from './regular-expressions/find.ts';
import { type Proof, proveAll } from './regular-expressions/prove-all.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LIST = process.env.REGULAR_EXPRESSIONS_LIST;

/** Expressions that are not proven, by path and expression, with the reason why that does no harm. */
const EXCEPTIONS = readTable('test/regular-expressions/exceptions.tsv');
/** Files that make expressions from texts and are not loaded, with the reason. */
const NOT_LOADED = readTable('test/regular-expressions/not-loaded.tsv');

const nameOf = ({ path, source, flags }: Expression): string => `${path}\t/${source}/${flags}`;

describe('the regular expressions of the sources', () => {
  let expressions: Expression[];
  let makers: string[];
  let compiled: Expression[];
  let proofs: Map<string, Proof>;

  beforeAll(async () => {
    const paths = sourceFiles();
    const found = paths.map((path) => expressionsIn(ROOT, path));
    makers = paths.filter((_, index) => (found[index]?.compiled ?? 0) > 0);
    compiled = await compiledIn(
      ROOT,
      makers.filter((path) => !NOT_LOADED.has(path)),
    );
    expressions = [...found.flatMap((file) => file.expressions), ...compiled];
    const results = await proveAll(expressions);
    proofs = new Map(
      expressions.map((expression, at) => [nameOf(expression), results[at] ?? { problem: '' }]),
    );
    if (LIST) writeFileSync(LIST, table(proofs));
  }, 600_000);

  test('are found, written ones and compiled ones', () => {
    expect(expressions.length).toBeGreaterThan(400);
    const unseen = makers.filter(
      (path) => !compiled.some((expression) => expression.path === path),
    );
    expect(unseen).toEqual([...NOT_LOADED.keys()]);
  });

  test('take time in proportion to the text, or are listed with the reason', () => {
    const unproven = [...proofs].filter(
      ([name, { problem }]) => problem !== undefined && !EXCEPTIONS.has(name),
    );
    expect(unproven).toEqual([]);
  });

  test('no exception is listed that is not needed', () => {
    const needless = [...EXCEPTIONS.keys()].filter(
      (name) => proofs.get(name)?.problem === undefined,
    );
    expect(needless).toEqual([]);
  });
});

describe('the proofs', () => {
  const NOT_LINEAR: readonly (readonly [source: string, flags: string])[] = [
    ['\\s+$', ''],
    ['^[\\s"]+|[\\s.!?]+$', 'g'],
    ['<[^>]*>', ''],
    ['^(?:a+)+$', ''],
    ['x\\s*,?\\s*y', ''],
    ['(?:one|two\\s*|three)\\s*$', ''],
    // finds the first match at once, and all of them by the square
    ['a(?:.*b)?', 'g'],
    ['(a+)\\1', ''],
    ['[ab]{0,400}[bc]{0,400}x', ''],
  ];
  const LINEAR: readonly (readonly [source: string, flags: string])[] = [
    ['^\\s+', ''],
    ['<[^<>]*>', 'g'],
    ['a(?:.*b)?', ''],
    ['\\b(?:price\\w*|rates?)\\b', 'i'],
    ['[^\\p{L}\\p{N}]+', 'gu'],
    ['^\\[(?:a|b){0,300}\\]', ''],
    ['\\w{0,100} \\w{0,100} \\w{0,100}!', ''],
  ];
  const proofsOf = (cases: typeof LINEAR) =>
    proveAll(cases.map(([source, flags]) => ({ source, flags, findsAll: flags.includes('g') })));

  test('fail for expressions that are not linear', async () => {
    const proofs = await proofsOf(NOT_LINEAR);
    expect(NOT_LINEAR.filter((_, at) => proofs[at]?.problem === undefined)).toEqual([]);
  });

  test('succeed for expressions that are', async () => {
    const proofs = await proofsOf(LINEAR);
    expect(LINEAR.filter((_, at) => proofs[at]?.proof === undefined)).toEqual([]);
  });

  test('what split finds is all matches, by the expression or by its name', () => {
    const text = `const A = /a/; const B = /b/; x.split(A); x.split(/c/); x.replace(B, ''); new RegExp('d');`;
    const { expressions, compiled } = expressionsOf('packages/server/src/x.ts', text);
    expect(expressions.map(({ source, findsAll }) => [source, findsAll])).toEqual([
      ['a', true],
      ['b', false],
      ['c', true],
    ]);
    expect(compiled).toBe(1);
  });
});

function sourceFiles(): string[] {
  const packages = readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}/src`);
  return [...packages, 'tools']
    .filter((folder) => existsSync(join(ROOT, folder)))
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true }).map((name) => `${folder}/${name}`),
    )
    .filter((path) => /\.[cm]?[jt]sx?$/.test(path))
    .sort();
}

/** Lines of tab-separated columns; the last one is the reason. */
function readTable(path: string): Map<string, string> {
  const lines = readFileSync(join(ROOT, path), 'utf8').split('\n');
  const rows = lines.filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    rows.map((row) => [row.slice(0, row.lastIndexOf('\t')), row.slice(row.lastIndexOf('\t') + 1)]),
  );
}

function table(proofs: ReadonlyMap<string, Proof>): string {
  const rows = [...proofs].map(
    ([name, { proof }]) => `${name}\t${proof ?? `exception: ${EXCEPTIONS.get(name)}`}`,
  );
  return ['file\texpression\tproof', ...rows, ''].join('\n');
}
