import { expect, test } from 'vitest';
import { costWord } from '../../src/records/cost-and-outcome.tsx';

const NOTHING = { cost_usd: 0, calls: 0, unpriced_calls: 0 };

test.each([
  ['nothing was tried', { ...NOTHING, cost_usd: null }, [], 'no calls'],
  ['a provider could not be reached', NOTHING, ['failed'], 'not reached'],
  ['one failed and the own reader or the cache answered', NOTHING, ['failed', 'succeeded'], 'free'],
  ['a free provider answered', { ...NOTHING, calls: 1 }, ['succeeded'], 'free'],
  ['a free provider failed', { ...NOTHING, calls: 2 }, ['failed'], 'no answer'],
  ['something was paid', { ...NOTHING, calls: 1, cost_usd: 0.005 }, ['failed'], null],
  ['a price is not known', { cost_usd: null, calls: 1, unpriced_calls: 1 }, ['failed'], null],
] as const)('where %s', (_, spent, ends, word) => {
  expect(costWord(spent, ends)).toBe(word);
});
