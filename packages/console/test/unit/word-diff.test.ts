import { expect, test } from 'vitest';
import { type DiffPart, wordDiff } from '../../src/parts/word-diff.ts';

const side = (parts: readonly DiffPart[], other: 'gone' | 'added'): string =>
  parts.map(({ kind, text }) => (kind === other ? '' : text)).join('');
const shown = (parts: readonly DiffPart[]): string =>
  parts
    .map(({ kind, text }) => (kind === 'same' ? text : `${kind === 'gone' ? '-' : '+'}[${text}]`))
    .join('');

test.each([
  ['one two three', 'one 2 three', 'one -[two]+[2] three'],
  ['one two three', 'one two three', 'one two three'],
  ['one two', 'one two three', 'one two+[ three]'],
  ['', 'new', '+[new]'],
  ['old', '', '-[old]'],
  ['', '', ''],
  ['a quick brown fox', 'a slow red fox', 'a -[quick brown]+[slow red] fox'],
  ['unlikely', 'likely', '-[unlikely]+[likely]'],
  ['5 mg a day', '15 mg a day', '-[5]+[15] mg a day'],
])('%j → %j is read word by word', (before, after, expected) => {
  expect(shown(wordDiff(before, after))).toBe(expected);
});

test('words of scripts without blanks are compared too', () => {
  const parts = wordDiff('東京は日本の首都です', '京都は日本の古都です');
  expect(parts.filter(({ kind }) => kind === 'same').length).toBeGreaterThan(0);
});

/** Numbers below 1 that are the same in every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test('both texts can be read back from what differs', () => {
  const next = numbers(7);
  const text = () =>
    Array.from({ length: Math.floor(next() * 40) }, () => 'ab \n.é😀x'.at(next() * 8) ?? ' ').join(
      '',
    );
  for (let round = 0; round < 500; round += 1) {
    const [before, after] = [text(), text()];
    const parts = wordDiff(before, after);
    expect(side(parts, 'added')).toBe(before);
    expect(side(parts, 'gone')).toBe(after);
    expect(parts.every(({ text: own }) => own !== '')).toBe(true);
  }
});

// compared word by word with each other, they would take minutes
test('long and hostile texts are read in time', () => {
  const next = numbers(3);
  const words = (count: number) =>
    Array.from({ length: count }, () => `w${Math.floor(next() * 5_000)}`).join(' ');
  const page = words(160_000);
  const half = page.length / 2;
  const cases = [
    [page, `${page.slice(0, half)} changed ${page.slice(half)}`],
    [words(30_000), words(30_000)],
    ['a '.repeat(90_000), 'a b '.repeat(45_000)],
    ['x'.repeat(1_000_000), 'y'.repeat(1_000_000)],
  ] as const;
  for (const [before, after] of cases) {
    const parts = wordDiff(before, after);
    expect(side(parts, 'added')).toBe(before);
    expect(side(parts, 'gone')).toBe(after);
  }
}, 20_000);
