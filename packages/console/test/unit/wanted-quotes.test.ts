import { expect, test } from 'vitest';
import { wantedQuotes } from '../../src/pages/session/check-quotes.ts';

const texts = (text: string, reading: 'lines' | 'markdown') =>
  wantedQuotes(text, reading).checked.map(({ line, text: quote, url }) => [line, quote, url]);

test('each line is a quote, without its bullet and quotation marks', () => {
  expect(texts('- "one thing"\n\n> „another“\n«a third» \n5 - 3 is 2\n', 'lines')).toEqual([
    [1, 'one thing', null],
    [3, 'another', null],
    [4, 'a third', null],
    [5, '5 - 3 is 2', null],
  ]);
});

test('a markdown text is searched for what it quotes', () => {
  const text =
    'They say "one two three four" [1], and "three words only".\n\n[1]: https://example.com/a';
  expect(texts(text, 'markdown')).toEqual([[1, 'one two three four', 'https://example.com/a']]);
});

test('10,000 quotes and one of a megabyte are counted, not lost', () => {
  const many = Array.from({ length: 10_000 }, (_, index) => `quote ${index}`).join('\n');
  const { checked, left, tooLong } = wantedQuotes(`${'x'.repeat(1_000_000)}\n${many}`, 'lines');
  expect([checked.length, left, tooLong.length]).toEqual([1_000, 9_001, 1]);
});
