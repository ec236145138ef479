import { describe, expect, it } from 'vitest';
import { pagePrice, searchPrice } from '../../src/billing/list-price.ts';
import { callPrice } from '../../src/billing/planned-call.ts';
import { type ProviderTally, providerFigures } from '../../src/billing/provider-figures.ts';
import { microsOf, usdOf, usdText } from '../../src/billing/records.ts';

const place = (at: string) => ({ at, sessionId: `session of ${at}`, interactionId: `i of ${at}` });

const tally = (given: Partial<ProviderTally> = {}): ProviderTally => ({
  provider: 'exa',
  operation: 'search',
  isAsked: true,
  errorCode: null,
  latencyMs: 100,
  runs: 1,
  calls: 1,
  unpricedCalls: 0,
  costMicros: 7_000,
  counted: 1,
  empty: 0,
  latest: place('2026-01-01'),
  ...given,
});

describe('the figures of a provider', () => {
  it('add up runs, calls, costs and rows', () => {
    expect(
      providerFigures([
        tally({ runs: 4, calls: 5, costMicros: 35_000, counted: 4, empty: 1 }),
        tally({ runs: 2, calls: 3, unpricedCalls: 3, costMicros: 0, counted: 1, empty: 1 }),
        tally({
          ...{ isAsked: false, errorCode: 'circuit_open', latencyMs: null, runs: 3, calls: 0 },
          ...{ costMicros: 0, counted: 0 },
        }),
      ]),
    ).toEqual({
      asked: 6,
      failed: 0,
      pageFailures: 0,
      notSent: 3,
      empty: 2,
      counted: 5,
      latencyMs: { p50: 100, p80: 100, p95: 100 },
      calls: 8,
      unpricedCalls: 3,
      costMicros: 35_000,
      failures: [{ code: 'circuit_open', kind: 'not_sent', runs: 3, latest: place('2026-01-01') }],
      lastError: null,
    });
  });

  it('have no cost and no latency where none is known', () => {
    const unknown = tally({
      unpricedCalls: 1,
      costMicros: 0,
      latencyMs: null,
      errorCode: 'timeout',
    });
    expect(providerFigures([unknown])).toMatchObject({ costMicros: null, latencyMs: null });
    expect(providerFigures([])).toMatchObject({ asked: 0, costMicros: null, lastError: null });
  });

  it('have the latency of 50, 80 and 95 of 100 runs, counted by run', () => {
    const slow = [
      tally({ latencyMs: 900, runs: 6 }),
      tally({ latencyMs: 100, runs: 49 }),
      tally({ latencyMs: 200, runs: 30 }),
      tally({ latencyMs: 300, runs: 15 }),
      tally({ latencyMs: 5_000, runs: 900, isAsked: false }),
      tally({ latencyMs: null, runs: 900 }),
    ];
    expect(providerFigures(slow).latencyMs).toEqual({ p50: 200, p80: 300, p95: 900 });
    const even = [1, 2, 3, 4].map((n) => tally({ latencyMs: n }));
    expect(providerFigures(even).latencyMs).toEqual({ p50: 2, p80: 4, p95: 4 });
  });

  it('have failures of one kind and code together, most first, with the latest of them', () => {
    const failed = (
      errorCode: string,
      runs: number,
      at: string,
      more: Partial<ProviderTally> = {},
    ) => tally({ errorCode, runs, latest: place(at), ...more });
    const page = { operation: 'fetch' } as const;
    const {
      failures,
      failed: count,
      pageFailures,
      notSent,
    } = providerFigures([
      failed('timeout', 2, '2026-01-02'),
      failed('timeout', 3, '2026-01-05'),
      failed('timeout', 1, '2026-01-03'),
      failed('rate_limited', 6, '2026-01-01'),
      failed('bad_request', 6, '2026-01-01'),
    ]);
    expect(failures).toEqual([
      { code: 'bad_request', kind: 'provider', runs: 6, latest: place('2026-01-01') },
      { code: 'rate_limited', kind: 'provider', runs: 6, latest: place('2026-01-01') },
      { code: 'timeout', kind: 'provider', runs: 6, latest: place('2026-01-05') },
    ]);
    expect([count, pageFailures, notSent]).toEqual([18, 0, 0]);
    // a page that does not exist says nothing about the provider; a run code does
    const fetches = providerFigures([
      failed('not_found', 4, '2026-01-01', page),
      failed('timeout', 2, '2026-01-01', page),
      failed('unknown', 1, '2026-01-01', page),
    ]);
    expect([fetches.failed, fetches.pageFailures]).toEqual([3, 4]);
  });

  it('have the error of the last call that was sent', () => {
    const figures = (...tallies: ProviderTally[]) => providerFigures(tallies).lastError;
    const early = tally({ errorCode: 'timeout', latest: place('2026-01-01') });
    const late = tally({ latest: place('2026-01-02') });
    expect(figures(early, late)).toBeNull();
    expect(figures(late, early)).toBeNull();
    const later = tally({ errorCode: 'rate_limited', latest: place('2026-01-03') });
    expect(figures(late, later, early)).toBe('rate_limited');
    const unsent = tally({
      isAsked: false,
      errorCode: 'circuit_open',
      latest: place('2026-01-04'),
    });
    expect(figures(late, unsent)).toBeNull();
  });
});

describe('money as text and number', () => {
  it.each([
    [0, '$0.00'],
    [1, '$0.000001'],
    [7_000, '$0.007'],
    [500_000, '$0.50'],
    [1_000_000, '$1.00'],
    [1_234_560, '$1.23456'],
    [25_000_000, '$25.00'],
    [120_100_000, '$120.10'],
  ])('%i millionths are %s', (micros, text) => {
    expect(usdText(micros)).toBe(text);
  });

  it('is whole in millionths, and null where it is not known', () => {
    expect([microsOf(0.0000004), microsOf(0.1 + 0.2), microsOf(null)]).toEqual([0, 300_000, null]);
    expect([usdOf(7_000), usdOf(0), usdOf(null)]).toEqual([0.007, 0, null]);
  });
});

describe('a list price', () => {
  const declaration = (more: object = {}) =>
    ({
      authentication: { in: 'header', name: 'x' },
      price: (...given: unknown[]) => ({ usd: given.length, kind: 'known' }),
      ...more,
    }) as never;
  const optional = declaration({ authentication: { in: 'header', name: 'x', optional: true } });
  const page = (rates: object, declared = declaration(), credentials: string[] = ['key']) =>
    pagePrice(
      { declaration: declared, rates: rates as never, target: { credentials } },
      {} as never,
      null,
    );
  const search = (rates: object) =>
    searchPrice({ declaration: declaration(), rates: rates as never }, {} as never, null);

  it('is that of searches or of pages, and not known without a rate of its own', () => {
    expect([search({ search: 1 }), search({ fetch_page: 1 }), search({})]).toEqual([
      { usd: 3, kind: 'known' },
      null,
      null,
    ]);
    expect([page({ fetch_page: 1 }), page({ search: 1 }), page({})]).toEqual([
      { usd: 3, kind: 'known' },
      null,
      null,
    ]);
    expect(callPrice(null)).toEqual({ cost_usd: null, cost_kind: 'unknown' });
    expect(callPrice({ usd: 2, kind: 'estimated' })).toEqual({
      cost_usd: 2,
      cost_kind: 'estimated',
    });
  });

  it('of a page is nothing without an optional key, and the same with one', () => {
    expect(page({ fetch_page: 1 }, optional, [])).toEqual({ usd: 0, kind: 'known' });
    expect(page({ fetch_page: 1 }, optional)).toEqual({ usd: 3, kind: 'known' });
    expect(page({ fetch_page: 1 }, declaration(), [])).toEqual({ usd: 3, kind: 'known' });
  });
});
