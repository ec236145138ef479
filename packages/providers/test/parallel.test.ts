import { fieldsOfTier } from '@trawl/contract';
import { expect, test } from 'vitest';
import { PRICES, type SearchPlan } from '../src/index.ts';
import { searchOf } from './support/providers.ts';

const parallel = searchOf('parallel');

const planOf = (query: string, count: number): SearchPlan => ({
  query,
  count,
  wanted: {
    ...{ tier: 'default', fullContent: false, overrides: {} },
    fields: new Set(fieldsOfTier('default')),
  },
});

test('a query of more than 200 characters is whole in the objective and cut at a word elsewhere', () => {
  const query = `${'word '.repeat(45)}end`;
  expect(parallel.request(planOf(query, 5)).body).toMatchObject({
    objective: query,
    search_queries: ['word '.repeat(40).trim()],
  });
});

test.each([
  [10, { usd: 0.005, kind: 'known' }],
  [12, { usd: 0.007, kind: 'estimated' }],
])('%d results have their list price', (count, expected) => {
  const price = parallel.price(planOf('tides', count), PRICES.providers.parallel ?? {}, null);
  expect(price).toEqual({ ...expected, usd: expect.closeTo(expected.usd, 9) });
});
