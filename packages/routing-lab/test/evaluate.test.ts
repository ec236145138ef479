import { SEARCH_PROVIDERS } from '@trawl/providers';
import { type Sandbox, startSandbox } from '@trawl/sandbox';
import { type Environment, readConfig } from '@trawl/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measuredRanking } from '../src/evaluate/measured-ranking.ts';
import { planEvaluation } from '../src/evaluate/plan-evaluation.ts';
import { readQueryFile } from '../src/evaluate/query-file.ts';
import { type EvaluatedRun, scoreRuns } from '../src/evaluate/score-runs.ts';
import { bootstrap, seededRandom } from '../src/statistics/intervals.ts';
import { agreement, ndcg, relevantRows, success, type Truth } from '../src/statistics/relevance.ts';

const pages = (...names: string[]) => names.map((name) => `https://example.com/${name}`);
const truths = (...names: string[]): Truth[] => pages(...names).map((url) => ({ url }));

describe('a file of labelled queries', () => {
  it('has columns or JSON lines; comments, empty lines and a header are skipped', () => {
    const text = [
      'topic\tquery\turls',
      '# news first',
      'news\tstrike today\thttps://example.com/a, example.org',
      '',
      'companies\tbattery makers',
      '{"topic": "news", "query": "flood", "urls": ["https://example.com/b"], "domains": ["News.Example.org"]}',
    ].join('\r\n');
    expect(readQueryFile(text)).toEqual([
      {
        topic: 'news',
        query: 'strike today',
        truths: [{ url: 'https://example.com/a' }, { domain: 'example.org' }],
      },
      { topic: 'companies', query: 'battery makers', truths: [] },
      {
        topic: 'news',
        query: 'flood',
        truths: [{ url: 'https://example.com/b' }, { domain: 'news.example.org' }],
      },
    ]);
  });

  it.each([
    ['news strike', 'line 1 lacks a tab; write topic, a tab, and the query'],
    ['news\tok\nsports\tmatch', 'line 2 has an unknown topic; the topics are news,'],
    ['news\t ', 'line 1 lacks a query'],
    ['news\tq\tnowhere', 'line 1 names neither URL nor domain: "nowhere"'],
    ['news\tq\tftp://example.com/a', 'line 1 names neither URL nor domain'],
    ['{"topic": "news"', 'line 1 is not JSON; write {"topic": "news"'],
    [
      '{"topic": "news", "query": "q", "urls": "https://example.com"}',
      'line 1 has urls that are no',
    ],
    ['# nothing', 'it does not contain queries'],
  ])('%j is refused with its line', (text, message) => {
    expect(() => readQueryFile(text)).toThrow(message);
  });
});

describe('measures', () => {
  it.each<[string, string[], Truth[], number]>([
    ['the right page first', pages('a', 'b'), truths('a'), 1],
    ['second', pages('b', 'a'), truths('a'), 1 / Math.log2(3)],
    ['fifth', pages('b', 'c', 'd', 'e', 'a'), truths('a'), 1 / Math.log2(6)],
    ['sixth counts nothing', pages('b', 'c', 'd', 'e', 'f', 'a'), truths('a'), 0],
    ['both of two', pages('a', 'b'), truths('b', 'a'), 1],
    ['one of two', pages('a', 'c'), truths('a', 'b'), 1 / (1 + 1 / Math.log2(3))],
    ['no rows', [], truths('a'), 0],
  ])('nDCG@5: %s', (_name, urls, right, expected) => {
    expect(ndcg(urls, right)).toBeCloseTo(expected, 10);
    expect(success(urls, right)).toBe(expected > 0 ? 1 : 0);
  });

  it('a page is recognized in its usual spellings', () => {
    const spellings = ['http://www.example.com/a/', 'https://EXAMPLE.com/a?utm_source=x#top'];
    for (const url of spellings) expect(relevantRows([url], truths('a'))).toEqual([true]);
    expect(relevantRows(['https://example.com/a?id=2'], truths('a'))).toEqual([false]);
  });

  it('a domain includes its subdomains, and counts once', () => {
    const urls = ['https://en.example.org/a', 'https://example.org/b', 'https://notexample.org/'];
    expect(relevantRows(urls, [{ domain: 'example.org' }])).toEqual([true, false, false]);
    expect(relevantRows([urls[2] ?? ''], [{ domain: 'example.org' }])).toEqual([false]);
  });

  it('agreement is the mean share of other lists that have the page', () => {
    expect(agreement(pages('a', 'b'), [pages('a', 'c'), pages('a', 'b')])).toBeCloseTo(3 / 4, 10);
    expect(agreement(pages('a'), [])).toBeNull();
    expect(agreement([], [pages('a')])).toBe(0);
  });

  it('intervals hold the mean, shrink with more values and repeat with the seed', () => {
    const values = (count: number) => Array.from({ length: count }, (_, index) => index % 2);
    const few = bootstrap(values(10), seededRandom(1));
    const many = bootstrap(values(1_000), seededRandom(1));
    if (!few || !many) throw new Error('values are missing');
    for (const { mean, low, high } of [few, many]) {
      expect(mean).toBe(0.5);
      expect(low).toBeLessThan(0.5);
      expect(high).toBeGreaterThan(0.5);
    }
    expect(many.high - many.low).toBeLessThan((few.high - few.low) / 5);
    // the known interval of a share of one half over 1000: 0.5 ± 1.96 × 0.0158
    expect(many.low).toBeCloseTo(0.469, 1);
    expect(bootstrap(values(10), seededRandom(1))).toEqual(few);
    expect(bootstrap([], seededRandom(1))).toBeNull();
  });
});

describe('scores per topic and provider', () => {
  const run = (queryIndex: number, provider: string, urls: string[], more = {}): EvaluatedRun => ({
    ...{ queryIndex, provider, urls, failure: null, latencyMs: 100, costUsd: 0.01 },
    ...more,
  });
  const queries = readQueryFile(
    [
      'news\tone\thttps://example.com/a',
      'news\ttwo\thttps://example.com/b',
      'news\tthree',
      'general\tfour',
    ].join('\n'),
  );
  const failed = { failure: 'timeout', latencyMs: 9_000, costUsd: null };
  const runs = [
    run(0, 'exa', pages('x', 'a'), { latencyMs: 300 }),
    run(0, 'brave', pages('a')),
    run(1, 'exa', pages('b'), { latencyMs: 200 }),
    run(1, 'brave', [], failed),
    run(2, 'exa', pages('c', 'd')),
    run(2, 'brave', pages('c')),
    run(3, 'exa', pages('e')),
    run(3, 'brave', pages('e')),
  ];
  const scores = scoreRuns(queries, runs, ['brave', 'exa'], 1);

  it('are separate for each topic, with the best provider first', () => {
    expect(scores).toMatchObject([
      {
        topic: 'news',
        queries: 3,
        withTruth: 2,
        providers: [{ provider: 'exa' }, { provider: 'brave' }],
      },
      { topic: 'general', queries: 1, withTruth: 0 },
    ]);
  });

  it('judge known pages, count failures as nothing found, and use agreement for other queries', () => {
    const [exa, brave] = scores[0]?.providers ?? [];
    expect(exa?.ndcgAt5?.mean).toBeCloseTo((1 / Math.log2(3) + 1) / 2, 10);
    expect(exa?.successAt5?.mean).toBe(1);
    expect(exa?.agreement?.mean).toBe(0.5);
    expect(brave?.ndcgAt5?.mean).toBe(0.5);
    expect(brave?.agreement?.mean).toBe(1);
    expect(brave).toMatchObject({
      failures: { timeout: 1 },
      cost: { knownUsd: 0.02, unknownCalls: 1 },
      // of answers only
      latencyMs: { p50: 100, p95: 100 },
    });
  });

  it('make a ranking that names its reasons and leaves out topics that are not routed', () => {
    const ranking = measuredRanking(scores, { version: 'v', source: 's' });
    expect(Object.keys(ranking.topics)).toEqual(['news']);
    expect(ranking.topics.news?.map(({ provider }) => provider)).toEqual(['exa', 'brave']);
    expect(ranking.topics.news?.[1]?.reason).toMatch(
      /^nDCG@5 0\.500 \(95 % \d\.\d+ to \d\.\d+\) on 2 queries, success@5 .*, 100 ms median, 1 of 3 failed$/,
    );
  });
});

describe('an evaluation against the simulated providers', () => {
  let sandbox: Sandbox;
  let environment: Environment;
  beforeAll(async () => {
    sandbox = await startSandbox();
    environment = sandbox.allSettings(() => 'sandbox');
  });
  afterAll(() => sandbox.stop());
  const { signal } = new AbortController();

  it('prices first, then sends each query to each provider once and finds the known pages', async () => {
    const queries = readQueryFile('news\ttidal power\nnews\tharbour strike [[exa:status=400]]\n');
    const plan = planEvaluation(readConfig(environment), queries, ['exa', 'brave', 'exa']);
    expect(plan).toMatchObject({ providers: ['exa', 'brave'], totalUsd: 0.024 });
    expect(sandbox.calls).toEqual([]);

    const runs = await plan.run({ signal });
    expect(sandbox.calls.map(({ vendor }) => vendor).sort()).toEqual([
      'brave',
      'brave',
      'exa',
      'exa',
    ]);
    expect(
      runs.map(({ queryIndex, provider, failure }) => [queryIndex, provider, failure]),
    ).toEqual([
      [0, 'exa', null],
      [0, 'brave', null],
      [1, 'exa', 'bad_request'],
      [1, 'brave', null],
    ]);
    const right = queries.map((query, index) => {
      const urls = runs.find((run) => run.queryIndex === index && run.provider === 'brave')?.urls;
      return { ...query, truths: [{ url: urls?.[0] ?? '' }] };
    });
    const [news] = scoreRuns(right, runs, plan.providers, 1);
    expect(news?.providers[0]).toMatchObject({
      provider: 'brave',
      ndcgAt5: { mean: 1, low: 1, high: 1 },
      cost: { knownUsd: 0.01, unknownCalls: 0 },
    });
    expect(news?.providers[1]?.failures).toEqual({ bad_request: 1 });
  });

  it('works with every provider', async () => {
    const queries = readQueryFile('companies\tbattery makers');
    const slugs = SEARCH_PROVIDERS.map(({ slug }) => slug);
    const runs = await planEvaluation(
      readConfig({ ...environment, OPEN_SOURCES: 'all', CONTACT: 'operator@example.com' }),
      queries,
      slugs,
    ).run({ signal });
    expect(runs.map(({ failure }) => failure)).toEqual(slugs.map(() => null));
    for (const { urls } of runs) expect(urls.length).toBeGreaterThan(0);
  });

  it.each([
    [['nimbus'], 'unknown provider nimbus; the providers are exa, brave,'],
    [[], 'no provider is named'],
  ])('%j is refused before anything is sent', (slugs, message) => {
    const queries = readQueryFile('news\tq');
    expect(() => planEvaluation(readConfig(environment), queries, slugs)).toThrow(message);
  });

  it('a provider without a key is refused too', () => {
    const config = readConfig({ ...environment, TAVILY_API_KEY: '' });
    expect(() => planEvaluation(config, readQueryFile('news\tq'), ['exa', 'tavily'])).toThrow(
      'set TAVILY_API_KEY first, or leave that provider out',
    );
  });
});
