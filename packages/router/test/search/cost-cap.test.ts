import type { PlannedCall } from '@trawl/contract';
import { describe, expect, it } from 'vitest';
import { leftOutByCost, tallyCost } from '../../src/search/cost-cap.ts';

const call = (provider: string, cost_usd: number | null, batch_index = 0): PlannedCall => ({
  provider,
  batch_index,
  cost_usd,
  cost_kind: cost_usd === null ? 'unknown' : 'known',
});

const left = (
  maxCostUsd: number,
  calls: readonly PlannedCall[],
  { isNamed = false, mayFollow = [] as readonly PlannedCall[], queryCount = 1 } = {},
) =>
  leftOutByCost(maxCostUsd, {
    calls,
    queryCount,
    isNamed,
    mayFollow,
    followUps: (without) => mayFollow.filter(({ provider }) => !without.has(provider)),
  });

describe('what does not fit into a cap', () => {
  const [cheap, dear] = [call('cheap', 0.002), call('dear', 0.01)];

  it('is the dearest first, and of equal ones the last', () => {
    const all = [dear, cheap, call('same', 0.002)];
    expect([...left(0.014, all).first]).toEqual([]);
    expect([...left(0.004, all).first]).toEqual(['dear']);
    expect([...left(0.002, all).first]).toEqual(['dear', 'same']);
  });

  it('is first of all what has no known price', () => {
    expect([...left(1, [call('unpriced', null), cheap]).first]).toEqual(['unpriced']);
    const follow = { mayFollow: [call('unpriced', null), dear] };
    expect([...left(1, [cheap], follow).next]).toEqual(['unpriced']);
    const named = () => left(1, [call('unpriced', null), cheap], { isNamed: true });
    expect(named).toThrow('the price of unpriced is not known');
  });

  it('is also what may follow, which never refuses the search', () => {
    const { first, next, micros } = left(0.005, [cheap], {
      mayFollow: [dear, call('next', 0.003)],
    });
    expect([[...first], [...next], micros]).toEqual([[], ['dear'], 5_000]);
  });

  it('leaves no query without a provider', () => {
    const routed = [call('a', 0.002, 0), call('b', 0.01, 1)];
    expect(() => left(0.005, routed, { queryCount: 2 })).toThrow('this would cost $0.012');
    expect(() => left(0.005, [cheap, dear], { isNamed: true })).toThrow('the cap is $0.005');
    expect(() => left(0, [cheap])).toThrow('raise it');
    expect([...left(0, [call('free', 0)]).first]).toEqual([]);
  });
});

it('a vendor that reports more than its price is named once the whole is above the cap', () => {
  const paid = (costUsd: number | null) =>
    ({ calls: 1, costUsd, source: 'reported', keyTail: null }) as const;
  const { remarks } = tallyCost(0.01, 6_000);
  expect(remarks('exa', 0.002, paid(0.003))).toEqual([]);
  expect(remarks('exa', 0.002, paid(null))).toEqual([]);
  expect(remarks('brave', 0.002, paid(0.001))).toEqual([]);
  expect(remarks('exa', 0.002, paid(0.007))).toMatchObject([{ code: 'cost_above_cap' }]);
});
