import type { Topic } from '@trawl/contract';
import { planFields, type TopicRanking } from '@trawl/providers';
import { describe, expect, it } from 'vitest';
import { createDeployment } from '../../src/deployment/deployment.ts';
import { ALL_PROVIDERS } from '../../src/keys/allowed-providers.ts';
import { searchCommand } from '../../src/search/command.ts';
import { followUps } from '../../src/search/follow-up.ts';
import type { RunPlan } from '../../src/search/plan.ts';
import { namedProviders, providerSet } from '../../src/search/provider-set.ts';
import { interactionStatus } from '../../src/search/status.ts';

const PRICES = { brave: 0.005, exa: 0.007, tavily: 0.008, linkup: 0.001 };
const deployment = createDeployment({
  defaultSearchProviders: ['brave', 'exa', 'nimbus'],
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
const row = (provider: string) => ({ provider, reason: 'r', source: 'https://example.com' });
const ranking: TopicRanking = {
  news: [row('tavily'), row('linkup')],
  companies: [row('linkup'), row('exa')],
};
const command = (search: object = {}, more: object = {}) =>
  searchCommand({ user_input: [{ query: 'one' }, { query: 'two' }], search, ...more });

/** What may follow two queries, of which each has its own topic and providers that ran. */
function setUp(isAuto: boolean, { routing = null as never, open = '' } = {}) {
  const asked: (readonly string[])[] = [];
  const given = command();
  const next = followUps(
    { slugs: ['brave', 'exa', 'tavily', 'linkup'], keyless: new Set(), last: new Set(), isAuto },
    {
      command: given,
      fields: planFields({}),
      filters: undefined,
      routing,
      routes: [['brave'], ['tavily', 'exa']].map((slugs) => ({ slugs, skipped: [], notes: [] })),
    },
    new AbortController().signal,
    {
      deployment,
      ranking,
      topics: async (queries) => {
        asked.push(queries);
        const topics: Topic[] = ['news', 'companies'];
        return topics.map((topic) => ({ topic, score: 1, likely: [], second: null }));
      },
      reportFault: () => {},
      runner: {
        health: ({ slug }) => ({
          state: slug === open ? 'half_open' : 'closed',
          cause: null,
          retryAfterMs: null,
        }),
      },
    },
  );
  return { next, asked };
}
const slugsOf = (plans: readonly RunPlan[]) =>
  plans.map(({ provider }) => provider.declaration.slug);

describe('what may follow each query of a batch', () => {
  it('is without the providers that ran for that query, in the order of the list', async () => {
    const { next, asked } = setUp(false);
    expect(slugsOf(await next.plansOf(0))).toEqual(['exa', 'tavily', 'linkup']);
    expect(slugsOf(await next.plansOf(1))).toEqual(['brave', 'linkup']);
    expect((await next.plansOf(1)).map(({ batchIndex }) => batchIndex)).toEqual([1, 1]);
    expect(asked).toEqual([]);
  });

  it('is in the order of its topic with auto, which is looked up once', async () => {
    const { next, asked } = setUp(true);
    const [first, second] = await Promise.all([next.plansOf(0), next.plansOf(1)]);
    expect(slugsOf(first).slice(0, 2)).toEqual(['tavily', 'linkup']);
    expect(slugsOf(second)[0]).toBe('linkup');
    expect(asked).toEqual([['one', 'two']]);
  });

  it('follows the topics that routed the queries, where they were', async () => {
    const routing = [{ topic: 'companies' }, { topic: null }] as never;
    const { next, asked } = setUp(true, { routing });
    expect(slugsOf(await next.plansOf(0)).slice(0, 2)).toEqual(['linkup', 'exa']);
    expect(slugsOf(await next.plansOf(1))).toEqual(['brave', 'linkup']);
    expect(asked).toEqual([]);
  });

  it('runs with auto only on a closed circuit, and by a list in any case', async () => {
    const runs = async (isAuto: boolean) => {
      const { next } = setUp(isAuto, { open: 'linkup' });
      return slugsOf((await next.plansOf(0)).filter(next.mayRun)).toSorted();
    };
    expect(await runs(true)).toEqual(['exa', 'tavily']);
    expect(await runs(false)).toEqual(['exa', 'linkup', 'tavily']);
  });

  it('is listed for each query by a dry run, and reserved at its worst for each', async () => {
    const { next } = setUp(true, { open: 'tavily' });
    const listed = (await next.nextPlans([0, 1])).map(({ batchIndex, provider }) => [
      batchIndex,
      provider.declaration.slug,
    ]);
    expect(listed).toEqual([
      [0, 'linkup'],
      [0, 'exa'],
      [1, 'linkup'],
      [1, 'brave'],
    ]);
    const worst = next
      .worstCalls([0, 1])
      .map((call) => [call.batch_index, call.provider, call.cost_usd]);
    expect(worst).toEqual([
      [0, 'tavily', 0.008],
      [0, 'exa', 0.007],
      [1, 'brave', 0.005],
      [1, 'linkup', 0.001],
    ]);
  });
});

describe('the providers of a search', () => {
  const setOf = (search: object = {}, more: object = {}) => {
    const { slugs, candidates, skipped } = providerSet(
      command(search, more),
      deployment,
      ALL_PROVIDERS,
    );
    return { slugs, candidates, skipped };
  };
  const none = { candidates: null, skipped: [] };

  it('are those that it names, once each, in either spelling, without those that it excludes', () => {
    const include = ['tavily', 'exa', 'tavily', 'linkup'];
    const providers = { include, exclude: ['exa'] };
    expect(setOf({ providers })).toEqual({ ...none, slugs: ['tavily', 'linkup'] });
    expect(setOf({}, { preprocessor_names: ['linkup', 'brave', 'linkup'] })).toEqual({
      ...none,
      slugs: ['linkup', 'brave'],
    });
    expect(namedProviders(command({ providers }, { preprocessor_names: ['brave'] }))).toEqual(
      include,
    );
    expect(namedProviders(command())).toBeUndefined();
  });

  it('are the default set without any name, whose unknown names are said', () => {
    expect(setOf()).toEqual({ candidates: null, skipped: ['nimbus'], slugs: ['brave', 'exa'] });
    expect(setOf({ providers: { exclude: ['brave'] } }).slugs).toEqual(['exa']);
  });

  it('are with auto-routing those of the default set, else three candidates', () => {
    const auto_routing = 'accuracy';
    const include = (...names: string[]) => ({ auto_routing, providers: { include: names } });
    const all = setOf({ auto_routing });
    expect(all.slugs).toEqual(['brave', 'exa']);
    expect(all.candidates?.toSorted()).toEqual(Object.keys(PRICES).toSorted());
    expect(setOf(include('tavily', 'exa', 'brave'))).toEqual({
      slugs: ['brave', 'exa'],
      candidates: ['tavily', 'exa', 'brave'],
      skipped: [],
    });
    expect(setOf(include('linkup', 'tavily')).slugs.toSorted()).toEqual(['linkup', 'tavily']);
    const exclude = ['brave', 'exa'];
    expect(setOf({ auto_routing, providers: { exclude } }).slugs).toHaveLength(2);
  });
});

it('a search of three runs is as good as they are', () => {
  const runs = (text: string) =>
    [...text].map((letter) => ({ status: letter === 'f' ? 'failed' : 'succeeded' }) as const);
  const status = (text: string, after = '') => interactionStatus(runs(text), runs(after));
  expect([status(''), status('sss'), status('sfs'), status('ffs'), status('fff')]).toEqual([
    'succeeded',
    'succeeded',
    'partially_succeeded',
    'partially_succeeded',
    'failed',
  ]);
  expect([status('ss', 'sf'), status('ff', 's'), status('', 'f')]).toEqual([
    'partially_succeeded',
    'failed',
    'partially_succeeded',
  ]);
});
