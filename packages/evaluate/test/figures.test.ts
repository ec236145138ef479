import { TrawlError } from '@trawl/client';
import { describe, expect, it } from 'vitest';
import { answersAtMost, gradesAtMost } from '../src/measure/prompts.ts';
import type { SetQuery } from '../src/measure/query-set.ts';
import { type RunRow, searchKey } from '../src/measure/run-rows.ts';
import { inTurn, patiently, waitWithin } from '../src/run/calls.ts';
import { missingGold } from '../src/run/gold-pages.ts';
import type { Model } from '../src/run/model.ts';
import { modelPlan, modelUsd } from '../src/run/model-calls.ts';
import { planEvaluation, planText } from '../src/run/plan.ts';
import { callPrices, missingCalls } from '../src/run/provider-calls.ts';
import { comparisonText, failureText, figureText, providerCost } from '../src/run/report-text.ts';
import { verdictText } from '../src/run/report-words.ts';

const { signal } = new AbortController();
const query = (id: string, given: Partial<SetQuery> = {}): SetQuery => ({
  ...{ id, query: `about ${id}`, topic: null, goldUrls: [], expectedAnswer: null, filters: null },
  ...given,
});
const model = (name: string, price: Model['price'], thinkingTokens = 0): Model => ({
  ...{
    name,
    url: 'https://m.example',
    key: undefined,
    keyVariable: 'K',
    timeoutMs: 1,
    thinkingTokens,
  },
  ...{ refused: new Set<string>(), price },
});
const searched = (id: string, provider: string, more: object = {}): [string, RunRow] => [
  searchKey(id, provider),
  {
    ...{ kind: 'search', query: id, provider, at: '', interaction_id: `i of ${id}`, failure: null },
    ...{ latency_ms: 5, cost_usd: 0, pages: [] },
    ...more,
  },
];

/** A client whose price list is by provider; and how many queries each request had. */
function priced(prices: Readonly<Record<string, number | null>>) {
  const batches: number[] = [];
  const client = {
    searchDryRun: async ({
      user_input: input,
      search,
    }: {
      user_input: unknown[];
      search: { providers: { include: string[] } };
    }) => {
      batches.push(input.length);
      const calls = input.flatMap((_, batch_index) =>
        search.providers.include.map((provider) => ({
          provider,
          batch_index,
          cost_usd: prices[provider] ?? null,
        })),
      );
      return { calls };
    },
    fetchDryRun: async ({ urls }: { urls: string[] }) => ({ total_usd: urls.length * 0.001 }),
  };
  return { batches, context: { client, signal } as never };
}

describe('the calls of an evaluation', () => {
  it('that are missing have no row, or one that was not sent and may be', () => {
    const unsent = { failure: 'circuit_open', latency_ms: null };
    const index = new Map([
      searched('a', 'exa'),
      searched('a', 'you', unsent),
      searched('b', 'you', { ...unsent, failure: 'not_run' }),
    ]);
    const calls = missingCalls([query('a'), query('b')], ['exa', 'you'], index);
    expect(calls.map((call) => [call.query.id, call.provider, call.unsentIn])).toEqual([
      ['a', 'you', 'i of a'],
      ['b', 'exa', ''],
    ]);
    const gold = [query('a', { goldUrls: ['x', 'y'] }), query('b', { goldUrls: ['y', 'z'] })];
    const known = new Map([['gold x', {} as RunRow]]);
    expect([missingGold(gold, known), missingGold(gold, undefined)]).toEqual([
      ['y', 'z'],
      ['x', 'y', 'z'],
    ]);
  });

  it('are priced in batches of what a request may have, those with other filters apart', async () => {
    const queries = [
      ...Array.from({ length: 20 }, (_, index) => query(`q${index}`)),
      query('filtered', { filters: { language: 'de' } }),
    ];
    const index = new Map([searched('q19', 'you')]);
    const { batches, context } = priced({ exa: 0.007, you: 0.002 });
    const calls = missingCalls(queries, ['exa', 'you'], index);
    const prices = await callPrices(context, calls, { k: 20, tier: 'default' });
    // 160 results at most: eight queries of twenty
    expect(batches).toEqual([8, 8, 4, 1]);
    expect(prices.size).toBe(41);
    expect([prices.get(searchKey('q8', 'exa')), prices.get(searchKey('filtered', 'you'))]).toEqual([
      0.007, 0.002,
    ]);
    expect(prices.has(searchKey('q19', 'you'))).toBe(false);
    const small = priced({ exa: 0.001 });
    await callPrices(
      small.context,
      missingCalls(
        Array.from({ length: 40 }, (_, n) => query(`${n}`)),
        ['exa'],
        undefined,
      ),
      { k: 1, tier: 'max' },
    );
    expect(small.batches).toEqual([32, 8]);
  });

  it('are summed up before anything is paid, with the models', async () => {
    const queries = [
      query('a', { expectedAnswer: 'yes', goldUrls: ['u', 'v'] }),
      query('b'),
      query('c'),
    ];
    const set = { name: 'set', sha256: 'h', queries, origin: null, classified: 0, inUse: {} };
    const models = {
      answers: model('w', { input: 1, output: 10 }, 100),
      judge: model('j', { input: 2, output: 20 }),
    };
    const manner = {
      set,
      providers: ['exa', 'you'],
      k: 5,
      tier: 'default',
      seed: 1,
      models,
      checksGold: true,
    } as const;
    const plan = await planEvaluation(priced({ exa: 0.007, you: 0.002 }).context, manner);
    expect(plan).toMatchObject({
      searchUsd: expect.closeTo(0.027),
      gold: ['u', 'v'],
      goldUsd: 0.002,
    });
    const answers = answersAtMost('about a', 4);
    const grades = gradesAtMost('about a', 'yes', 4);
    const usd =
      (answers.tokensIn +
        (answers.tokensOut + 400) * 10 +
        grades.tokensIn * 2 +
        grades.tokensOut * 20) /
      1e6;
    expect(plan.model).toEqual({
      calls: 8,
      tokensIn: answers.tokensIn + grades.tokensIn,
      tokensOut: answers.tokensOut + 400 + grades.tokensOut,
      usd: expect.closeTo(usd, 10),
    });
    const lines = planText(plan, manner, { path: 'run.jsonl', calls: 1 }).split('\n');
    expect(lines.slice(0, 3)).toEqual([
      'run.jsonl has 1 row of this run already',
      "set: 3 queries × 2 providers; 6 search calls to make, for about $0.0270 by the server's price list",
      "2 gold pages to fetch, for about $0.0020 by the server's price list",
    ]);
    expect(lines[3]).toContain(
      `at most 8 model calls with at most ${plan.model?.tokensIn} tokens in`,
    );
    const unpriced = await planEvaluation(priced({ exa: 0.007 }).context, {
      ...manner,
      models: null,
      checksGold: false,
    });
    expect(unpriced).toMatchObject({ searchUsd: null, gold: [], goldUsd: 0, model: null });
    const free = { ...models, judge: model('j', null) };
    expect(modelPlan(queries, ['exa'], free, new Map())).toMatchObject({ calls: 6, usd: null });
  });

  it('of a model cost what its tokens do', () => {
    const models = { answers: model('w', { input: 1, output: 10 }), judge: model('j', null) };
    const row = (name: string, tokens_in: number | null, tokens_out: number | null) =>
      ({ kind: 'answer', model: `${name} at https://m.example`, tokens_in, tokens_out }) as never;
    expect(modelUsd(models, row('w', 1_000, 200))).toBeCloseTo(0.003);
    expect([
      modelUsd(models, row('w', null, 200)),
      modelUsd(models, row('w', 1, null)),
      modelUsd(models, row('j', 1, 1)),
      modelUsd(null, row('w', 1, 1)),
    ]).toEqual([null, null, null, null]);
  });

  it('begin no more after a failure, and those in progress end', async () => {
    const [begun, ended]: [number[], number[]] = [[], []];
    const work = async (item: number) => {
      begun.push(item);
      await Promise.resolve();
      if (item === 2) throw new Error('second');
      await Promise.resolve();
      ended.push(item);
    };
    await expect(inTurn([1, 2, 3, 4, 5, 6, 7], signal, work)).rejects.toThrow('second');
    expect(begun).toEqual([1, 2, 3, 4]);
    expect(ended).toEqual([1, 3, 4]);
    begun.length = 0;
    await inTurn([1, 3, 5, 7, 9, 11], signal, work);
    expect(begun).toEqual([1, 3, 5, 7, 9, 11]);
    await expect(inTurn([1], AbortSignal.abort(), work)).rejects.toThrow();
  });

  it('are tried again only for what passes, and within two minutes', async () => {
    expect([waitWithin(0), waitWithin(120_000), waitWithin(120_001), waitWithin(null)]).toEqual([
      0,
      120_000,
      null,
      null,
    ]);
    const refused = (status: number, retryAfterMs: number | null) =>
      Object.assign(new TrawlError('api', `status ${status}`), { status, retryAfterMs });
    /** How often something is asked that fails so, at first or always. */
    const tries = async (error: Error, failures = Number.POSITIVE_INFINITY) => {
      let asked = 0;
      const answer = await patiently(signal, async () => {
        asked += 1;
        if (asked <= failures) throw error;
        return 'answer';
      }).catch(({ message }) => message);
      return [answer, asked];
    };
    expect(await tries(refused(503, 0), 2)).toEqual(['answer', 3]);
    expect(await tries(refused(429, 0))).toEqual(['status 429', 6]);
    expect(await tries(refused(429, null))).toEqual(['status 429', 1]);
    expect(await tries(refused(500, 0))).toEqual(['status 500', 1]);
    expect(await tries(new Error('not of the API'))).toEqual(['not of the API', 1]);
  });
});

it('figures, costs, failures and comparisons are written with their ranges', () => {
  const figure = { mean: 0.544, low: 0.4, high: 0.69, queries: 3 };
  expect([figureText(figure), figureText(null)]).toEqual(['0.54 (0.40 to 0.69)', '-']);
  const provider = (given: object) => given as Parameters<typeof providerCost>[0];
  expect(providerCost(provider({ cost_usd: 0.0123, unknown_cost_calls: 0 }))).toBe('$0.0123');
  expect(providerCost(provider({ cost_usd: 0, unknown_cost_calls: 4 }))).toBe('$0.0000 + 4?');
  expect(failureText(provider({ failures: { timeout: 2, rate_limited: 1 } }))).toBe(
    '2 timeout, 1 rate_limited',
  );
  expect(failureText(provider({ failures: {} }))).toBe('none');
  const comparison = (verdict: 'better' | 'not separable', mean: number) =>
    comparisonText(
      {
        first: 'exa',
        second: 'you',
        measure: 'ndcg',
        queries: 12,
        difference: { mean, low: -0.1, high: 0.3 },
        verdict,
      },
      5,
    );
  expect(comparison('better', 0.2)).toBe(
    'exa is better than you: nDCG@5 +0.20 (-0.10 to +0.30) on 12 queries',
  );
  expect(comparison('not separable', -0.05)).toBe(
    'exa and you cannot be distinguished: nDCG@5 -0.05 (-0.10 to +0.30) on 12 queries',
  );
});

describe('the verdict in one sentence', () => {
  const difference = { mean: 0.1, low: 0, high: 0.2 };
  const compare = (first: string, second: string, verdict: string) =>
    ({ first, second, measure: 'ndcg', queries: 20, difference, verdict }) as const;
  const verdictOf = (comparisons: readonly object[], costs: Readonly<Record<string, number>>) => {
    const providers = Object.entries(costs).map(([provider, cost_usd]) => ({
      provider,
      cost_usd,
      unknown_cost_calls: 0,
    }));
    const groups = [{ topic: null, queries: 20, providers, comparisons }];
    return verdictText({ groups } as unknown as Parameters<typeof verdictText>[0]);
  };
  const COSTS = { exa: 0.14, brave: 0.1, serper: 0.02 };

  it('names who is better than whom, and the cheapest', () => {
    const pairs = [
      compare('exa', 'brave', 'better'),
      compare('exa', 'serper', 'better'),
      compare('brave', 'serper', 'better'),
    ];
    expect(verdictOf(pairs, COSTS)).toBe(
      'exa is better than brave, serper on these 20 queries; serper is the cheapest ($0.0200).',
    );
  });

  it('says that there is none, or too little to say', () => {
    expect(verdictOf([compare('exa', 'brave', 'not separable')], { exa: 0.1, brave: 0.1 })).toBe(
      'No provider is better than another on these 20 queries.',
    );
    expect(verdictOf([compare('exa', 'brave', 'too few queries')], COSTS)).toBe(
      '20 queries are too few to say which provider is better; serper is the cheapest ($0.0200).',
    );
  });
});
