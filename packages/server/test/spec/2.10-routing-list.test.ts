import { describe, expect, test } from 'vitest';
import { ranFor, routed, useRoutedServer, warningCodes } from './support/routed-server.ts';
import { batchOf, codesOf, type Run, slugsOf } from './support/server.ts';

const NEWS = ['ceramic', 'you', 'brave'];
const COMPANIES = ['linkup', 'exa', 'tavily'];
const server = useRoutedServer({ news: NEWS, companies: COMPANIES });
const DEFAULT_SET = ['exa', 'brave'];
const BATCH = ['news one', 'plain talk', 'some companies', 'finance_markets today', 'more news'];
const EXPECTED = [NEWS, DEFAULT_SET, COMPANIES, DEFAULT_SET, NEWS];

describe('2.10 the routing list', () => {
  test('2.10 each query of a batch is routed separately, with one entry each, in batch order', async () => {
    const answer = await routed(server(), BATCH);
    expect(BATCH.map((_, index) => ranFor(answer, index))).toEqual(EXPECTED);
    expect(answer.json.routing).toEqual(
      ['news', 'general', 'companies', 'finance_markets', 'news'].map((topic, index) => ({
        topic,
        score: expect.any(Number),
        topics: expect.any(Array),
        providers: EXPECTED[index],
      })),
    );
    expect(slugsOf(answer)).toEqual(EXPECTED.flat());
    expect(answer.json.preprocessor_runs.flatMap((run: Run) => codesOf(run))).toEqual([]);
  });

  test('2.10 a dry run says how each query would be routed, and asks nothing', async () => {
    const { json: answered } = await routed(server(), BATCH);
    server().sandbox.clearCalls();
    const body = {
      user_input: BATCH.map((query) => ({ query })),
      search: { auto_routing: 'accuracy' },
    };
    const planned = await server().call('POST', '/v1/search?dry_run=true', { body });
    expect(planned.json.routing).toEqual(answered.routing);
    expect(server().sandbox.calls).toEqual([]);
    const { search: _, ...plain } = body;
    const unrouted = await server().call('POST', '/v1/search?dry_run=true', { body: plain });
    expect(unrouted.json).not.toHaveProperty('routing');
  });

  test('2.10 each provider gets only the queries of its topics', async () => {
    server().sandbox.clearCalls();
    await routed(server(), ['news alone', 'companies alone']);
    const bodies = (vendor: string) =>
      server()
        .sandbox.calls.filter((call) => call.vendor === vendor)
        .map((call) => JSON.stringify([call.json(), [...call.query]]));
    expect(bodies('ceramic')).toEqual([expect.stringContaining('news alone')]);
    expect(bodies('linkup')).toEqual([expect.stringContaining('companies alone')]);
    expect(bodies('parallel')).toEqual([]);
  });

  test('2.10 score: higher is closer', async () => {
    const answer = await routed(server(), ['news', 'plain talk']);
    const [near, far] = answer.json.routing;
    expect(near.score).toBeGreaterThan(far.score);
  });

  test('decisions 9: likely topics, the one routed by first, until their scores add up to 0.95', async () => {
    const answer = await routed(server(), BATCH);
    for (const { topic, score, topics } of answer.json.routing) {
      const scores = topics.map((one: Run) => one.score);
      expect(topics[0].topic).toBe(topic);
      expect(topics[0].score).toBeCloseTo(score, 3);
      expect(scores.slice(1)).toEqual(scores.slice(1).toSorted((a: number, b: number) => b - a));
      const sum = (values: number[]) => values.reduce((total, one) => total + one, 0);
      expect(sum(scores)).toBeGreaterThanOrEqual(0.94);
      expect(sum(scores.slice(0, -1))).toBeLessThan(0.96);
      expect(new Set(topics.map((one: Run) => one.topic)).size).toBe(topics.length);
    }
  });

  test('2.10 the same query twice is two entries', async () => {
    const answer = await routed(server(), ['news', 'news']);
    expect(answer.json.routing).toHaveLength(2);
    expect(slugsOf(answer)).toEqual([...NEWS, ...NEWS]);
  });

  test('2.10 without auto-routing it is null', async () => {
    for (const search of [{}, { auto_routing: null }, undefined]) {
      const answer = await server().search({ user_input: { query: 'news' }, search });
      expect(answer.json.routing).toBeNull();
      expect(slugsOf(answer)).toEqual(DEFAULT_SET);
    }
  });

  test('2.10 an interaction without input has an empty list', async () => {
    const body = { search: { auto_routing: 'accuracy' } };
    const answer = await server().call('POST', '/v1/interactions', { body });
    expect([answer.status, answer.json.routing]).toEqual([200, []]);
  });

  test('2.10 GET answers what POST answered', async () => {
    const posted = await routed(server(), BATCH);
    const { session_id, interaction_id, routing, preprocessor_runs } = posted.json;
    const path = `/v1/interactions?session_id=${session_id}&interaction_id=${interaction_id}`;
    const read = await server().call('GET', path);
    expect(read.json).toMatchObject({ routing, preprocessor_runs });
  });
});

describe('2.10 general and finance_markets run on the default providers', () => {
  test.each(['plain talk', 'finance_markets'])(
    '2.10 %s: on the included ones of the default set, or the first three in the order of the roster',
    async (query) => {
      const ran = async (...include: string[]) =>
        ranFor(await routed(server(), query, { providers: { include } }));
      expect(await ran('tavily', 'brave', 'exa', 'linkup')).toEqual(['exa', 'brave']);
      expect(await ran('tavily', 'brave', 'linkup')).toEqual(['brave']);
      expect(await ran('seltz', 'serpapi', 'linkup', 'you', 'tavily')).toEqual([
        ...['tavily', 'you', 'linkup'],
      ]);
      expect(await ran('seltz', 'serpapi')).toEqual(['serpapi', 'seltz']);
    },
  );

  test.each(['plain talk', 'finance_markets'])(
    '2.10 %s: without the excluded ones',
    async (query) => {
      const answer = await routed(server(), query, { providers: { exclude: ['exa'] } });
      expect(ranFor(answer)).toEqual(['brave']);
    },
  );

  test.each(['plain talk', 'finance_markets'])(
    '2.10 %s: on the first three candidates where no default provider is left',
    async (query) => {
      const answer = await routed(server(), query, { providers: { exclude: DEFAULT_SET } });
      expect(ranFor(answer)).toEqual(['tavily', 'parallel', 'you']);
    },
  );
});

describe('2.10 with an unknown name in the default set', () => {
  const DEFAULT_SEARCH_PROVIDERS = 'exa,nimbus,brave';
  const withUnknown = useRoutedServer({ news: NEWS }, { DEFAULT_SEARCH_PROVIDERS });

  test('2.10 queries that run on it have the warning, routed ones do not', async () => {
    const answer = await routed(withUnknown(), ['plain talk', 'news']);
    expect(warningCodes(answer)).toEqual([...Array(2).fill(['provider_skipped']), [], [], []]);
  });
});

describe('2.10 rules for every topic', () => {
  const auto_routing = 'accuracy';
  const overrides = (slug: string) => ({ auto_routing, provider_overrides: { [slug]: {} } });

  test.each(['news', 'companies', 'plain talk'])(
    '2.10 %s: any candidate and any default provider may be overridden',
    async (query) => {
      for (const slug of ['exa', 'brave', 'ceramic', 'linkup', 'searxng']) {
        const { status } = await routed(server(), query, overrides(slug));
        expect([slug, status]).toEqual([slug, 200]);
      }
    },
  );

  test.each(['news', 'companies', 'plain talk'])(
    '2.10 %s: a provider that is not a candidate may not be overridden',
    async (query) => {
      const body = { user_input: { query }, search: overrides('serpapi') };
      const answer = await server().refused('POST', '/v1/search', { body });
      expect(answer.status).toBe(400);
    },
  );

  test('2.10 an override is applied when the query is routed to its provider', async () => {
    server().sandbox.clearCalls();
    const provider_overrides = { tavily: { search_depth: 'advanced' } };
    await routed(server(), ['news', 'companies'], { provider_overrides });
    const sent = server().sandbox.calls.filter(({ vendor }) => vendor === 'tavily');
    expect(sent.map((call) => call.json())).toMatchObject([{ search_depth: 'advanced' }]);
  });

  test('2.10 the volume is queries times results, for any set of providers', async () => {
    const search = { auto_routing, num_results: 10 };
    const full = await server().search({ user_input: batchOf(16), search });
    expect(full.status).toBe(200);
    const body = { user_input: batchOf(17), search };
    expect((await server().refused('POST', '/v1/search', { body })).status).toBe(422);
  });

  test('2.10 dry_run lists the calls of the routed providers and sends none', async () => {
    server().sandbox.clearCalls();
    const body = {
      user_input: [{ query: 'news' }, { query: 'plain talk' }],
      search: { auto_routing },
    };
    const answer = await server().call('POST', '/v1/search?dry_run=true', { body });
    expect(answer.json.calls.map((call: Run) => [call.batch_index, call.provider])).toEqual([
      ...NEWS.map((slug) => [0, slug]),
      ...DEFAULT_SET.map((slug) => [1, slug]),
    ]);
    expect(server().sandbox.calls).toEqual([]);
  });
});
