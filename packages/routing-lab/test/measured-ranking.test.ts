import { describe, expect, it } from 'vitest';
import { measuredRanking } from '../src/evaluate/measured-ranking.ts';
import type { LabelledQuery } from '../src/evaluate/query-file.ts';
import { type EvaluatedRun, scoreRuns } from '../src/evaluate/score-runs.ts';
import {
  chanceOf,
  quantile,
  seededRandom,
  WITHIN_99,
  wilson,
} from '../src/statistics/intervals.ts';

const page = (name: string) => `https://example.com/${name}`;
const query = (right: string | null, topic: LabelledQuery['topic'] = 'news'): LabelledQuery => ({
  topic,
  query: 'q',
  truths: right === null ? [] : [{ url: page(right) }],
});
const run = (
  queryIndex: number,
  provider: string,
  names: string,
  more: Partial<EvaluatedRun> = {},
): EvaluatedRun => ({
  ...{ queryIndex, provider, urls: [...names].map(page), failure: null },
  ...{ latencyMs: 100, costUsd: 0.004 },
  ...more,
});

/** Three queries whose right page is known, and one without. */
const QUERIES = [query('a'), query('b'), query('c'), query(null)];

describe('a provider of a topic', () => {
  const failed = { failure: 'timeout', latencyMs: 9_000, costUsd: null } as const;
  const runs = [
    run(0, 'exa', 'xa', { latencyMs: 400 }),
    run(1, 'exa', 'b', { latencyMs: 200 }),
    run(2, 'exa', '', failed),
    run(3, 'exa', 'de', { latencyMs: 300, costUsd: 0.01 }),
    run(0, 'you', 'a', { latencyMs: null }),
    run(3, 'you', 'd', { costUsd: null }),
    run(3, 'tavily', 'df'),
    // of another topic
    run(4, 'exa', 'z', { latencyMs: 9, costUsd: 100 }),
  ];
  const [topic] = scoreRuns(
    [...QUERIES, query('z', 'companies')],
    runs,
    ['exa', 'you', 'tavily'],
    1,
  );

  it('is scored over the queries of the topic, of which a failed run found nothing', () => {
    expect(topic).toMatchObject({ topic: 'news', queries: 4, withTruth: 3 });
    const [exa, you, tavily] = ['exa', 'you', 'tavily'].map((name) =>
      topic?.providers.find(({ provider }) => provider === name),
    );
    expect(exa?.ndcgAt5?.mean).toBeCloseTo((1 / Math.log2(3) + 1 + 0) / 3);
    expect(exa?.successAt5?.mean).toBeCloseTo(2 / 3);
    // d is in both other lists, e in none
    expect(exa?.agreement?.mean).toBeCloseTo(1 / 2);
    expect(exa).toMatchObject({
      latencyMs: { p50: 300, p95: 400 },
      cost: { knownUsd: expect.closeTo(0.018), unknownCalls: 1 },
      failures: { timeout: 1 },
    });
    expect(you?.ndcgAt5?.mean).toBeCloseTo(1 / 3);
    expect(you).toMatchObject({
      latencyMs: { p50: 100 },
      cost: { knownUsd: 0.004, unknownCalls: 1 },
    });
    expect(tavily).toMatchObject({ ndcgAt5: { mean: 0 }, failures: {} });
  });

  it('has its reasons in the ranking: over which queries, and the cost where each is known', () => {
    const { version, topics } = measuredRanking(
      [topic].flatMap((one) => one ?? []),
      {
        version: 'v1',
        source: 'https://example.com/report',
      },
    );
    expect(version).toBe('v1');
    const reasons = topics.news?.map(({ provider, reason, source }) => [
      provider,
      reason.replace(/ \(95 % [\d. to]+\)/g, ''),
      source,
    ]);
    const source = 'https://example.com/report';
    expect(reasons).toEqual([
      [
        'exa',
        'nDCG@5 0.544 on 3 queries, success@5 0.667, agreement 0.500 on 1 queries, 300 ms median, 1 of 4 failed',
        source,
      ],
      [
        'you',
        'nDCG@5 0.333 on 3 queries, success@5 0.333, agreement 1.000 on 1 queries, 100 ms median, 0 of 4 failed',
        source,
      ],
      [
        'tavily',
        'nDCG@5 0.000 on 3 queries, success@5 0.000, agreement 0.500 on 1 queries, 100 ms median, $0.0010 a query, 0 of 4 failed',
        source,
      ],
    ]);
  });
});

it('of providers that found the same, agreement counts first, then speed', () => {
  const runs = [
    run(0, 'slow', 'a', { latencyMs: 500 }),
    run(0, 'quick', 'a', { latencyMs: 100 }),
    run(0, 'agrees', 'a', { latencyMs: 900 }),
    run(0, 'silent', 'a', { latencyMs: null }),
    run(3, 'slow', 'x'),
    run(3, 'quick', 'y'),
    run(3, 'agrees', 'xy'),
    run(3, 'silent', 'z'),
  ].map((one) => (one.queryIndex === 3 ? { ...one, latencyMs: null } : one));
  const names = ['silent', 'slow', 'quick', 'agrees'];
  const [topic] = scoreRuns(QUERIES, runs, names, 1);
  expect(topic?.providers.map(({ provider }) => provider)).toEqual([
    'quick',
    'slow',
    'agrees',
    'silent',
  ]);
});

describe('statistics', () => {
  it('a quantile is one of the values', () => {
    const ten = Array.from({ length: 10 }, (_, n) => n + 1);
    expect([0, 0.5, 0.95, 1].map((share) => quantile(ten, share))).toEqual([1, 6, 10, 10]);
    expect([quantile([7], 0.5), quantile([], 0.5)]).toEqual([7, null]);
  });

  it('the interval of a share is that of Wilson', () => {
    const close = (hits: number, cases: number, deviations?: number) => {
      const { mean = -1, low = -1, high = -1 } = wilson(hits, cases, deviations) ?? {};
      return [mean, low, high].map((value) => Math.round(value * 1_000) / 1_000);
    };
    expect(close(8, 10)).toEqual([0.8, 0.49, 0.943]);
    expect(close(0, 10)).toEqual([0, 0, 0.278]);
    expect(close(10, 10)).toEqual([1, 0.722, 1]);
    expect(close(8, 10, WITHIN_99)).toEqual([0.8, 0.401, 0.96]);
    expect(wilson(0, 0)).toBeNull();
  });

  it('differences that are all on one side are hardly by chance, and mixed ones are', () => {
    const chance = (values: readonly number[]) => chanceOf(values, seededRandom(1));
    expect(chance(Array(12).fill(0.5))).toBeLessThan(0.005);
    expect(chance(Array(12).fill(-0.5))).toBeLessThan(0.005);
    expect(chance([1, -1, 1, -1])).toBe(1);
    expect(chance([])).toBe(1);
    expect(chance([1, 1, 1])).toBeGreaterThan(0.2);
  });
});
