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
  pieces: pieces.map(([text, score], index) => ({ text, score, offset: index * 2_000, of: 0 })),
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
          ['First part. Of two.', 1],
          ['Second part.\nAnd its end.', 1],
        ]),
        source('copy', [
          ['First part. Of two.', 1],
          ['Second part.\nAnd its end.', 1],
        ]),
        source('row', [['And  its end. first part.', 1]], { text_from: 'row' }),
        source('more', [
          ['First part. Of two.', 1],
          ['Third part.', 1],
        ]),
      ],
      2_000,
    );
    expect(context.left_out).toEqual([
      { url: 'copy', reason: 'same' },
      { url: 'row', reason: 'same' },
    ]);
    expect(shown(context)).toEqual([
      ['one', ['Fi', 'Se']],
      ['more', ['Th']],
    ]);
  });

  test('has the texts of a row one after the other, and shows where one ends', () => {
    const row = source('row', [], { text_from: 'row' });
    const pieces = [
      { text: 'One begins.', score: 1, offset: 0, of: 0 },
      { text: 'One goes on.', score: 1, offset: 13, of: 0 },
      { text: 'Two begins.', score: 9, offset: 0, of: 1 },
      { text: 'Two goes on.', score: 9, offset: 13, of: 1 },
    ];
    const { text } = made([{ ...row, pieces }], 1_000);
    expect(text).toContain('One begins.\n\nOne goes on.\n\n[...]\n\nTwo begins.\n\nTwo goes on.');
  });

  test.each([
    ['<', '/source>'],
    ['<', 'source number="9">'],
    ['< ', '/ source>'],
    ['</', 'source>'],
    ['<\n/ ', 'SOURCE>'],
  ])('cannot be ended by %j before %j of the same page, and keeps its size', (end, begin) => {
    const parts = Array.from({ length: 20 }, (_, index) => {
      const before = index % 2 === 1 ? begin : '';
      const after = index % 2 === 0 ? end : '';
      return `${before}Part ${index} ${long('word', 234)}${after}`;
    });
    let offset = 0;
    const pieces = parts.map((text) => {
      const piece = { text, score: 1, offset, of: 0 };
      offset += text.length + 2;
      return piece;
    });
    for (const tokens of [2_000, 8_000, 32_000]) {
      const context = made([{ ...source('one', []), pieces }], tokens);
      expect(context.text.match(/<\s*(?:\/\s*)?source\b/gi)).toHaveLength(2);
      expect(context.tokens).toBeLessThanOrEqual(tokens);
      expect(context.sources[0]?.passages.length).toBeGreaterThan(1);
    }
  });

  test('is the same each time it is made', () => {
    const sources = [source('one', [[long('x', 40), 1]]), source('two', [[long('y', 40), 1]])];
    expect(made(sources, 2_000)).toEqual(made(sources, 2_000));
  });
});
