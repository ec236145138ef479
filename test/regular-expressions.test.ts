import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Expression, expressionsOf } from './regular-expressions/find.ts';
import { type Proof, proveAll } from './regular-expressions/prove-all.ts';
import {
  EXCEPTIONS,
  NOT_LOADED,
  PROOFS,
  proveSources,
} from './regular-expressions/prove-sources.ts';

describe('the regular expressions of the sources', () => {
  let expressions: readonly Expression[];
  let makers: readonly string[];
  let compiled: readonly Expression[];
  let proofs: ReadonlyMap<string, Proof>;
  let record: readonly string[];

  beforeAll(async () => {
    ({ expressions, makers, compiled, proofs, record } = await proveSources());
  }, 600_000);

  test('are found, whether written as literals or made from texts', () => {
    expect(expressions.length).toBeGreaterThan(400);
    const unseen = makers.filter(
      (path) => !compiled.some((expression) => expression.path === path),
    );
    expect(unseen).toEqual([...NOT_LOADED.keys()]);
  });

  test('take linear time, or are listed with the reason', () => {
    const unproven = [...proofs].filter(
      ([name, { problem }]) => problem !== undefined && !EXCEPTIONS.has(name),
    );
    expect(unproven).toEqual([]);
  });

  test('have their proofs on record: npm run regular-expressions', () => {
    const lines = readFileSync(PROOFS, 'utf8').split('\n');
    expect(lines.filter((line) => line !== '' && !line.startsWith('#'))).toEqual(record);
  });

  test('every listed exception is needed', () => {
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
    // finds the first match at once, but all matches in quadratic time
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
  let problems: readonly boolean[];
  beforeAll(async () => {
    // together: each process of the analyzer loads 3 MB
    const cases = [...NOT_LINEAR, ...LINEAR];
    const proofs = await proveAll(
      cases.map(([source, flags]) => ({ source, flags, findsAll: flags.includes('g') })),
    );
    problems = proofs.map(({ problem }) => problem !== undefined);
  }, 60_000);

  test('fail for expressions that are not linear', () => {
    expect(NOT_LINEAR.filter((_, at) => !problems[at])).toEqual([]);
  });

  test('succeed for expressions that are', () => {
    expect(LINEAR.filter((_, at) => problems[NOT_LINEAR.length + at] !== false)).toEqual([]);
  });

  test('an expression or its name passed to split is judged for all matches', () => {
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
