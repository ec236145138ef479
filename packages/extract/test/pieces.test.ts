import { expect, test } from 'vitest';
import { scoredPieces } from '../src/focus/pieces.ts';

const query = (words: string, most = 300) => ({ query: words, most });
const filler = 'Gulls and boats wait for the wind near the old harbour wall. '.repeat(4).trim();

test('pieces are parts of the text in its order, none longer than wanted', () => {
  const text = `# Head\n\n${filler}\n\n${filler}\n\n- one\n- two\n\n${'word '.repeat(400)}`;
  const [pieces = []] = scoredPieces([{ title: '', text }], query('harbour'));
  expect(pieces.length).toBeGreaterThan(4);
  for (const { text: piece, offset } of pieces) {
    expect(piece.length).toBeLessThanOrEqual(300);
    expect([...text].slice(offset, offset + [...piece].length).join('')).toBe(piece);
  }
  const offsets = pieces.map(({ offset }) => offset);
  expect(offsets).toEqual(offsets.toSorted((a, b) => a - b));
});

test('offsets count code points', () => {
  const text = `😀😀 first\n\n${filler}\n\nthe pump`;
  const [pieces = []] = scoredPieces([{ title: '', text }], query('pump', 260));
  const last = pieces.at(-1);
  expect([...text].slice(last?.offset).join('')).toBe(last?.text);
});

test('a heading is with what follows it', () => {
  const text = `${filler}\n\n## The pump\n\n${filler}`;
  const [pieces = []] = scoredPieces([{ title: '', text }], query('pump'));
  expect(pieces.map(({ text: piece }) => piece.slice(0, 11))).toEqual([
    filler.slice(0, 11),
    '## The pump',
  ]);
});

test('scores compare over texts, and headings and titles count', () => {
  const texts = [
    { title: '', text: filler },
    { title: 'The pump', text: filler },
    { title: '', text: `The first pump ran here. ${filler}` },
  ];
  const [none, titled, said] = scoredPieces(texts, query('pump')).map(([first]) => first?.score);
  expect(none).toBe(0);
  expect(titled).toBeGreaterThan(0);
  expect(said).toBeGreaterThan(titled ?? 0);
});

test('words of addresses do not count', () => {
  const links = '- [more](https://example.com/pump/pump)\n- [on](https://example.com/pump)';
  const text = `${filler}\n\n${links}`;
  const [pieces = []] = scoredPieces([{ title: '', text }], query('pump', 250));
  expect(pieces.map(({ score }) => score)).toEqual(pieces.map(() => 0));
});
