import { expect, test } from 'vitest';
import { findWords, wordsInUse, wordsOf } from '../scripts/plain-english.mjs';

const TABLE = `
| Instead of | Write |
| --- | --- |
| whoever, nobody | anyone who |
| wish, spared (\`wishOf\`) | option |
| gives (a value), mend | returns, fix |
`;

test('words of the table are found, but for those whose sense decides', () => {
  expect(wordsOf(TABLE)).toEqual(['whoever', 'nobody', 'wish', 'spared', 'mend']);
  expect(() => wordsOf('# Contributing')).toThrow('no table');
});

test('comments, texts and docs are read, names and code are not', () => {
  const words = wordsOf(TABLE);
  const code = [
    '/** Whoever asks. */',
    'const nobody = spared(1); // mended',
    "throw new Error('ask nobody');",
    "const kind = 'nobody';",
  ].join('\n');
  expect(findWords(code, 'a.ts', words)).toEqual(['a.ts:1: Whoever', 'a.ts:3: nobody']);
  const page = 'Whoever asks `nobody`.\n\n```sh\nmend it\n```\n\nMend it.';
  expect(findWords(page, 'a.md', words)).toEqual(['a.md:1: Whoever', 'a.md:7: Mend']);
});

test('no word that CONTRIBUTING replaces is in use', () => {
  expect(wordsInUse()).toEqual([]);
});
