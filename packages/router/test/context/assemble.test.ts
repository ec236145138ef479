import { describe, expect, test } from 'vitest';
import { assembleContext } from '../../src/context/assemble.ts';
import type { Material } from '../../src/context/material.ts';

type Piece = readonly [text: string, score: number];

const source = (url: string, pieces: readonly Piece[], more: Partial<Material> = {}) => ({
  material: {
    url,
    title: url,
    publish_date: null,
    providers: [],
    text_from: 'page' as const,
    fetched_by: 'direct',
    content_sha256: null,
    findings: [],
    texts: [pieces.map(([text]) => text).join('\n\n')],
    ...more,
  },
  pieces: pieces.map(([text, score], index) => ({ text, score, offset: index * 2_000 })),
});

function made(sources: readonly ReturnType<typeof source>[], tokens: number) {
  const pieces = new Map<Material, (typeof sources)[number]['pieces']>(
    sources.map((each) => [each.material, each.pieces]),
  );
  const materials = { sources: sources.map(({ material }) => material), leftOut: [] };
  return assembleContext(materials, (material) => pieces.get(material) ?? [], tokens);
}

const long = (word: string, count: number) => Array.from({ length: count }, () => word).join(' ');
const shown = (context: ReturnType<typeof made>) =>
  context.sources.map(({ url, passages }) => [url, passages.map(({ text }) => text.slice(0, 2))]);

describe('a context', () => {
  test('has the best passage of each source before the second of any', () => {
    const context = made(
      [
        source('one', [
          [long('a1', 80), 9],
          [long('a2', 80), 8],
        ]),
        source('two', [
          [long('b1', 80), 1],
          [long('b2', 80), 0.5],
        ]),
        source('three', [
          [long('c1', 80), 0],
          [long('c2', 80), 0],
        ]),
      ],
      1_400,
    );
    expect(shown(context)).toEqual([
      ['one', ['a1', 'a2']],
      ['two', ['b1']],
      ['three', ['c1']],
    ]);
  });

  test('takes the next passage that fits where one does not', () => {
    const context = made(
      [
        source('one', [
          [long('a1', 900), 9],
          [long('a2', 50), 1],
        ]),
      ],
      800,
    );
    expect(shown(context)).toEqual([['one', ['a2']]]);
    expect(context.tokens).toBeLessThanOrEqual(800);
  });

  test('says what the budget leaves out', () => {
    const context = made(
      [source('one', [[long('a1', 60), 9]]), source('two', [[long('b1', 900), 9]])],
      600,
    );
    expect(context.left_out).toEqual([{ url: 'two', reason: 'budget' }]);
  });

  test('leaves out a source that another one has whole', () => {
    const context = made(
      [
        source('one', [
          ['first part', 1],
          ['second part', 1],
        ]),
        source('copy', [
          ['first part', 1],
          ['second part', 1],
        ]),
        source('row', [['second', 1]], { text_from: 'row' }),
        source('more', [
          ['first part', 1],
          ['third part', 1],
        ]),
      ],
      2_000,
    );
    expect(context.left_out).toEqual([
      { url: 'copy', reason: 'same' },
      { url: 'row', reason: 'same' },
    ]);
    expect(shown(context)).toEqual([
      ['one', ['fi', 'se']],
      ['more', ['th']],
    ]);
  });

  test('is the same each time it is made', () => {
    const sources = [source('one', [[long('x', 40), 1]]), source('two', [[long('y', 40), 1]])];
    expect(made(sources, 2_000)).toEqual(made(sources, 2_000));
  });
});
