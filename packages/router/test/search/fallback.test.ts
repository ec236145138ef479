import { LIMITS } from '@trawl/contract';
import { planFields } from '@trawl/providers';
import { describe, expect, it } from 'vitest';
import { dryRun, estimatedMicros } from '../../src/billing/planned-call.ts';
import { createDeployment } from '../../src/deployment/deployment.ts';
import { ALL_PROVIDERS } from '../../src/keys/allowed-providers.ts';
import { searchCommand } from '../../src/search/command.ts';
import {
  conditional,
  type FallbackSet,
  fallbackOrder,
  fallbackPlans,
  fallbackSet,
  replacing,
  worstCalls,
} from '../../src/search/fallback.ts';
import type { NormalizedRun } from '../../src/search/normalize.ts';
import { planRuns } from '../../src/search/plan.ts';
import { plannedCalls } from '../../src/search/price.ts';
import { type ProviderSet, providerSet } from '../../src/search/provider-set.ts';
import { applicableSet, possibleSet } from '../../src/search/strict-filters.ts';

/** In the order of their prices, the cheapest first. */
const PRICES = { seltz: 0.002, brave: 0.005, exa: 0.007, tavily: 0.008 };
type Slug = keyof typeof PRICES;

const deployment = createDeployment({
  defaultSearchProviders: undefined,
  searchFallback: undefined,
  fetchChain: undefined,
  prices: {
    version: '1',
    providers: Object.fromEntries(
      Object.entries(PRICES).map(([slug, search]) => [slug, { search }]),
    ),
  },
  providers: Object.fromEntries(
    Object.keys(PRICES).map((slug) => [
      slug,
      { credentials: ['a-key'], baseUrl: undefined, timeoutMs: undefined },
    ]),
  ),
});
const options = {};
const wanted = { queries: ['tides', 'waves'], options, fields: planFields(options) };
const set = (isAuto: boolean): FallbackSet => ({
  slugs: [],
  keyless: new Set(),
  last: new Set(),
  isAuto,
});

const plansOf = (...order: Slug[]) => fallbackPlans(0, { order, ran: [] }, wanted, deployment);
const costs = (calls: readonly { cost_usd: number | null }[]) =>
  calls.map(({ cost_usd }) => cost_usd);

describe('what a budget reserves for providers that may run after others', () => {
  it('is the price of the dearest of four with auto, in whatever order they come', () => {
    const dearest = [0.008, 0.007];
    expect(LIMITS.fallbackRuns).toBe(2);
    expect(
      costs(worstCalls(plannedCalls(plansOf('seltz', 'brave', 'exa', 'tavily')), set(true))),
    ).toEqual(dearest);
    expect(
      costs(worstCalls(plannedCalls(plansOf('tavily', 'seltz', 'exa', 'brave')), set(true))),
    ).toEqual(dearest);
  });

  it('is the price of the first ones of a list', () => {
    const calls = worstCalls(plannedCalls(plansOf('seltz', 'exa', 'tavily', 'brave')), set(false));
    expect(calls.map(({ provider, cost_usd }) => [provider, cost_usd])).toEqual([
      ['seltz', 0.002],
      ['exa', 0.007],
    ]);
    expect(calls.every((call) => call.conditional)).toBe(true);
  });

  it('is in the sum of a dry run as what may be paid at most', () => {
    const plans = planRuns(
      { ...wanted, routes: [{ slugs: ['brave', 'exa'], skipped: [], notes: [] }] },
      deployment,
    );
    const calls = conditional(plannedCalls(plans));
    const more = worstCalls(plannedCalls(plansOf('tavily', 'seltz')), set(true));
    const { total_usd, max_total_usd, calls: all } = dryRun(calls, more);
    expect({ total_usd, max_total_usd, count: all.length }).toEqual({
      total_usd: 0.012,
      max_total_usd: 0.022,
      count: 4,
    });
    expect(dryRun(calls)).not.toHaveProperty('max_total_usd');
    const unknown = {
      ...more[0],
      cost_usd: null,
      cost_kind: 'unknown' as const,
    } as (typeof more)[0];
    expect(dryRun([...calls, unknown])).toMatchObject({ total_usd: null });
    expect(dryRun(calls, [unknown])).toMatchObject({ total_usd: 0.012, max_total_usd: null });
    // a budget cannot reserve what has no price
    expect(estimatedMicros([...calls, unknown])).toBe(12_000);
  });
});

describe('the providers that may run after others', () => {
  const auto = (named?: readonly string[], more: Parameters<typeof fallbackSet>[0] = {}) =>
    fallbackSet({ fallback: 'auto', ...more }, named, deployment, ALL_PROVIDERS);

  it('are those that the request names, once each, without those that it excludes', () => {
    const fallback = ['exa', 'brave', 'exa', 'tavily'];
    const given = { fallback, providers: { exclude: ['brave'] } };
    expect(fallbackSet(given, undefined, deployment, ALL_PROVIDERS)).toMatchObject({
      isAuto: false,
      slugs: ['exa', 'tavily'],
    });
    expect(fallbackSet({ fallback: [] }, undefined, deployment, ALL_PROVIDERS)).toBeNull();
    expect(fallbackSet({ fallback: 'off' }, undefined, deployment, ALL_PROVIDERS)).toBeNull();
  });

  it('are with auto those that are set up, and among those that the request names', () => {
    expect([...(auto()?.slugs ?? [])].sort()).toEqual(Object.keys(PRICES).sort());
    expect(auto(['tavily', 'you', 'seltz'])?.slugs.toSorted()).toEqual(['seltz', 'tavily']);
    expect(auto(undefined, { providers: { exclude: ['exa'] } })?.slugs).not.toContain('exa');
    expect(auto(undefined)?.isAuto).toBe(true);
  });

  it('are in the order of the topic with auto, and in that of the list otherwise', () => {
    const row = (provider: string) => ({ provider, reason: 'r', source: 'https://example.com' });
    const ranking = { companies: [row('tavily'), row('exa')] };
    const slugs = ['brave', 'exa', 'tavily'];
    const order = (isAuto: boolean, topic: 'companies' | 'general' | null) =>
      fallbackOrder({ slugs, keyless: new Set(), last: new Set(), isAuto }, topic, ranking);
    expect(order(true, 'companies').slice(0, 2)).toEqual(['tavily', 'exa']);
    for (const other of [order(false, 'companies'), order(true, 'general'), order(true, null)]) {
      expect(other).toEqual(slugs);
    }
  });

  it('are with auto those without a key last, however the topic ranks them', () => {
    const row = (provider: string) => ({ provider, reason: 'r', source: 'https://example.com' });
    const ranking = { companies: ['wikipedia', 'tavily', 'gleif', 'exa'].map(row) };
    const asked: FallbackSet = {
      slugs: ['gleif', 'brave', 'exa', 'wikipedia', 'tavily'],
      keyless: new Set(['wikipedia', 'gleif']),
      last: new Set(),
      isAuto: true,
    };
    expect(fallbackOrder(asked, 'companies', ranking)).toEqual([
      ...['tavily', 'exa', 'brave'],
      ...['wikipedia', 'gleif'],
    ]);
  });

  it('run for their query alone, without those that ran', () => {
    const plans = fallbackPlans(
      1,
      { order: ['exa', 'brave', 'tavily'], ran: ['brave'] },
      wanted,
      deployment,
    );
    expect(
      plans.map(({ batchIndex, provider }) => [batchIndex, provider.declaration.slug]),
    ).toEqual([
      [1, 'exa'],
      [1, 'tavily'],
    ]);
  });

  it('say first for which failures they run', () => {
    const [plan] = plansOf('exa');
    if (plan === undefined) throw new Error('no plan');
    const failed = [
      ['brave', 'timeout'],
      ['seltz', 'rate_limited'],
    ].map(
      ([preprocessor_name, code]) =>
        ({ run: { value: { preprocessor_name, error: { code } } } }) as unknown as NormalizedRun,
    );
    expect(replacing(plan, failed).warnings).toEqual([
      {
        code: 'fallback_used',
        message: 'fallback: exa was asked because brave (timeout), seltz (rate_limited) failed',
      },
      ...plan.warnings,
    ]);
  });
});

describe('filters that leave out the hosts of a provider', () => {
  const hosts: Readonly<Record<string, readonly string[] | undefined>> = {
    papers: ['doi.org'],
    code: ['github.com', 'gitlab.com'],
    web: undefined,
    other: undefined,
  };
  const searchProviders = new Map(
    Object.entries(hosts).map(([slug, own]) => [slug, { declaration: { slug, hosts: own } }]),
  ) as unknown as typeof deployment.searchProviders;
  const providers = (given: Partial<ProviderSet>): ProviderSet => ({
    slugs: [],
    skipped: [],
    notes: [],
    candidates: null,
    keyless: new Set(),
    last: new Set(),
    unable: new Map(),
    fallback: null,
    ...given,
  });
  const left = (given: Partial<ProviderSet>, filters: object) => {
    const { slugs, candidates, fallback, notes } = possibleSet(
      providers(given),
      { filters, strict: false, now: Date.parse('2026-01-01') },
      { searchProviders },
    );
    return { slugs, candidates, fallback: fallback?.slugs ?? null, notes };
  };
  const all = ['papers', 'web', 'code', 'other'];
  const named = { ...set(false), slugs: all };

  it('leave it out of the runs, of the candidates and of what may run after them', () => {
    const given = { slugs: ['papers', 'web'], candidates: all, fallback: named };
    expect(left(given, { include_domains: ['example.com'] })).toEqual({
      slugs: ['web'],
      candidates: ['web', 'other'],
      fallback: ['web', 'other'],
      notes: [
        {
          code: 'provider_skipped',
          message:
            'papers has rows of doi.org only, which search.filters leave out, and did not run',
        },
      ],
    });
  });

  it('leave in one of whose hosts one is possible', () => {
    const given = { slugs: all };
    const names = (filters: object) => left(given, filters).slugs;
    expect(names({ include_domains: ['gist.github.com'] })).toEqual(['web', 'code', 'other']);
    expect(names({ exclude_domains: ['github.com'] })).toEqual(all);
    expect(names({ exclude_domains: ['github.com', 'gitlab.com'] })).toEqual([
      'papers',
      'web',
      'other',
    ]);
    expect(names({ include_domains: ['org'] })).toContain('papers');
    expect(names({ language: 'de' })).toEqual(all);
  });

  it('let other candidates run where none of the set can, and the set itself where none is', () => {
    const filters = { include_domains: ['example.com'] };
    expect(left({ slugs: ['papers'], candidates: all }, filters)).toMatchObject({
      slugs: ['web', 'other'],
      notes: [{ code: 'provider_skipped' }],
    });
    const only = { slugs: ['papers'], fallback: { ...named, slugs: ['code', 'web'] } };
    expect(left(only, filters)).toEqual({
      slugs: ['papers'],
      candidates: null,
      fallback: ['web'],
      notes: [],
    });
  });

  it('that are strict leave out what cannot apply them, everywhere', () => {
    const rules = (kind: string) => ({
      declaration: { filters: { language: { kind, reason: 'r', parameters: () => ({}) } } },
    });
    const able = new Map(
      all.map((slug) => [
        slug,
        rules(slug === 'papers' || slug === 'code' ? 'unsupported' : 'native'),
      ]),
    ) as unknown as typeof deployment.searchProviders;
    const given = providers({ slugs: ['papers', 'web'], candidates: all, fallback: named });
    const asked = { filters: { language: 'de' }, strict: true, now: Date.parse('2026-01-01') };
    const strict = applicableSet(given, asked, {}, { searchProviders: able });
    expect(strict).toMatchObject({
      slugs: ['web'],
      candidates: ['web', 'other'],
      fallback: { slugs: ['web', 'other'] },
      notes: [{ code: 'provider_skipped', message: expect.stringMatching(/^papers cannot apply/) }],
    });
    expect([...strict.unable.keys()]).toEqual(['papers', 'code']);
    expect(applicableSet(given, { ...asked, strict: false }, {}, { searchProviders: able })).toBe(
      given,
    );
    const none = () =>
      applicableSet(providers({ slugs: ['papers'] }), asked, {}, { searchProviders: able });
    expect(none).toThrow(expect.objectContaining({ status: 400 }));
  });
});

describe('a provider whose answers went bad', () => {
  const ill = { ...deployment, defaultSet: ['exa', 'brave'], last: new Set(['exa', 'seltz']) };
  const setOf = (search: object, changes: object = {}) =>
    providerSet(
      searchCommand({ user_input: { query: 'tides' }, search }),
      { ...ill, ...changes },
      ALL_PROVIDERS,
    );
  const said = ({ notes }: ProviderSet) => notes.map(({ message }) => message.split(' ')[0]);

  it("comes last in the operator's fallback, and not in one that a request names", () => {
    const searchFallback = ['exa', 'tavily'];
    expect(setOf({}, { searchFallback }).fallback?.slugs).toEqual(['tavily', 'exa']);
    const named = { providers: { include: ['brave'] } };
    expect(setOf(named, { searchFallback }).fallback?.slugs).toEqual(['tavily', 'exa']);
    expect(said(setOf(named, { searchFallback }))).toEqual(['exa']);
    expect(setOf({ fallback: searchFallback }).fallback?.slugs).toEqual(searchFallback);
  });

  it('is named where it has to do with the search, and there is one to come after', () => {
    expect(said(setOf({}))).toEqual(['exa']);
    expect([...setOf({}).last]).toEqual(['exa']);
    expect(said(setOf({ providers: { exclude: ['exa'] } }))).toEqual([]);
    expect(said(setOf({}, { defaultSet: ['exa'] }))).toEqual([]);
    expect(said(setOf({ providers: { include: ['exa', 'brave'] } }))).toEqual([]);
  });
});
