import { expect, test } from 'vitest';
import { longListIn, withShortLists } from '../../src/search/execute.ts';

const items = (length: number) => Array.from({ length }, (_, index) => ({ url: `/${index}` }));

test('an answer with lists of usual length is read as it is', () => {
  expect(longListIn({ web: { results: items(1_000) }, query: 'a', none: null })).toBeUndefined();
});

test('of a long list the beginning is read, wherever it is', () => {
  const answer = { query: 'a', web: [{ results: items(100_000), ['__proto__']: 1 }] };
  expect(longListIn(answer)).toBe(100_000);
  const short = withShortLists(answer) as typeof answer;
  expect(short.web[0]?.results).toEqual(items(1_000));
  expect(short.query).toBe('a');
  expect(Object.keys(short.web[0] ?? {})).toEqual(['results', '__proto__']);
});
