import { describe, expect, it } from 'vitest';
import { indexRows } from '../src/measure/answer-steps.ts';
import { comparisons } from '../src/measure/compare-providers.ts';
import { judgeQueries } from '../src/measure/judge-queries.ts';
import { agreedPages, MEASURES, type QueryScores, queryScores } from '../src/measure/measures.ts';
import type { SetQuery } from '../src/measure/query-set.ts';
import { reportEvaluation } from '../src/measure/report-evaluation.ts';
import {
  callKey,
  isOpen,
  type ModelRow,
  type RunHead,
  type RunRow,
  readRunFile,
  type SearchedRow,
  wasSent,
} from '../src/measure/run-rows.ts';

const page = (name: string, host = 'site.org') => `https://${host}/${name}`;
const query = (id: string, given: Partial<SetQuery> = {}): SetQuery => ({
  ...{ id, query: `about ${id}`, topic: 'news', goldUrls: [], expectedAnswer: null, filters: null },
  ...given,
});
const row = (
  of: string,
  provider: string,
  names: string,
  more: Partial<SearchedRow> = {},
): SearchedRow => ({
  ...{ kind: 'search', query: of, provider, at: '2026-01-02', interaction_id: 'i', failure: null },
  ...{ latency_ms: 100, cost_usd: 0.004 },
  pages: [...names].map((name) => ({ url: page(name), title: null, text: null })),
  ...more,
});
const failed = { failure: 'timeout', cost_usd: null } as const;
const unsent = { failure: 'circuit_open', latency_ms: null, cost_usd: 0 } as const;
const answer = (model: string, usd: number, more: Partial<ModelRow> = {}): ModelRow => ({
  ...{ kind: 'answer', prompt_sha256: `${model} ${usd}`, model, at: '2026-01-03', failure: null },
  ...{ text: 'x', tokens_in: 10, tokens_out: 2, latency_ms: usd },
  ...more,
});
const HEAD: RunHead = {
  ...{
    kind: 'head',
    format: 'trawl-evaluation/1',
    run_id: 'r',
    session_id: 's',
    k: 3,
    tier: 'default',
  },
  ...{ created_at: '2026-01-01', trawl_version: '1', server: 'u', set: { name: 'n', sha256: 'h' } },
};

describe('pages that others agree on', () => {
  const urls = (...lists: string[]) =>
    agreedPages(
      lists.map((names) => [...names].map((name) => page(name))),
      3,
    )?.map((truth) => ('url' in truth ? truth.url.at(-1) : null));
  it('are those that two of three have among their first rows', () => {
    expect(urls('abc', 'bxd', 'dyz')).toEqual(['b', 'd']);
    expect(urls('abcd', 'dxy', 'xyd')).toEqual(['d', 'x', 'y']);
    // the fourth row of a list has no vote
    expect(urls('abcd', 'd')).toEqual([]);
    expect(urls('aa', 'b')).toEqual([]);
  });
  it('are not known where fewer than two answered', () => {
    expect([urls('abc'), urls('abc', ''), urls()]).toEqual([undefined, undefined, undefined]);
    expect(urls('a', 'a', '')).toEqual(['a']);
  });
});

describe('what a provider gets for a query', () => {
  const judged = (
    given: Partial<SetQuery> = {},
    grades: [string, 'correct' | 'incorrect' | null][] = [],
  ) => ({
    ...query('q', given),
    truths: (given.goldUrls ?? []).map((url) => ({ url })),
    grades: new Map(grades) as never,
  });
  const none = { ndcg: null, success: null, agreed_ndcg: null, agreed_success: null };

  it('is measured by known pages, or else by those that two others agree on', () => {
    const rows = [
      row('q', 'exa', 'xa'),
      row('q', 'you', 'ab'),
      row('q', 'brave', 'ba'),
      row('q', 'jina', 'z'),
    ];
    const gold = queryScores(judged({ goldUrls: [page('a')] }), rows, 'exa', 3);
    expect(gold).toEqual({ ...none, ndcg: 1 / Math.log2(3), success: 1, answers: null });
    const agreed = queryScores(judged(), rows, 'exa', 3);
    expect(agreed).toMatchObject({ ndcg: null, agreed_success: 1 });
    expect(agreed.agreed_ndcg).toBeCloseTo(1 / Math.log2(3) / (1 + 1 / Math.log2(3)));
    expect(queryScores(judged(), rows, 'jina', 3)).toMatchObject({
      agreed_ndcg: 0,
      agreed_success: 0,
    });
    // the depth of the run counts, not five
    expect(
      queryScores(judged({ goldUrls: [page('d')] }), [row('q', 'exa', 'abcd')], 'exa', 3).success,
    ).toBe(0);
  });

  it('is all that is possible where each row is right, however many more right pages there are', () => {
    const gold = judged({ goldUrls: [...'abcde'].map((name) => page(name)) });
    const got = (names: string) => queryScores(gold, [row('q', 'exa', names)], 'exa', 3).ndcg;
    expect(got('abc')).toBe(1);
    expect(got('edcab')).toBe(1);
    const of = (...ranks: number[]) =>
      ranks.reduce((sum, rank) => sum + 1 / Math.log2(rank + 1), 0);
    expect(got('axc')).toBeCloseTo(of(1, 3) / of(1, 2, 3));
    // a second row of the same page adds nothing
    expect(got('aab')).toBeCloseTo(of(1, 3) / of(1, 2, 3));
    const others = ['you', 'jina'].map((provider) => row('q', provider, 'abc'));
    const agreed = (names: string, k: number) =>
      queryScores(judged(), [row('q', 'exa', names), ...others], 'exa', k).agreed_ndcg;
    expect([agreed('ab', 2), agreed('cba', 3), agreed('b', 1)]).toEqual([1, 1, 0]);
  });

  it('is nothing where it failed after it was asked, and not known where it was not asked', () => {
    const rows = [row('q', 'exa', '', failed), row('q', 'you', '', unsent)];
    const gold = judged({ goldUrls: [page('a')] }, [
      ['you', 'correct'],
      ['exa', 'incorrect'],
      ['null', null],
    ]);
    expect(queryScores(gold, rows, 'exa', 3)).toEqual({ ...none, ndcg: 0, success: 0, answers: 0 });
    expect(queryScores(gold, rows, 'you', 3)).toEqual({ ...none, answers: 1 });
    expect(queryScores(gold, rows, 'null', 3)).toEqual({ ...none, answers: null });
    expect(rows.map((one) => [wasSent(one), isOpen(one)])).toEqual([
      [true, false],
      [false, true],
    ]);
    expect(isOpen(row('q', 'you', '', { ...unsent, failure: 'not_run' }))).toBe(false);
  });
});

describe('two providers', () => {
  const scores = (ndcg: number | null): QueryScores => ({
    ...{ ndcg, success: null, agreed_ndcg: null, agreed_success: null, answers: null },
  });
  const compare = (...lists: (number | null)[][]) =>
    comparisons(new Map(lists.map((list, at) => [`p${at}`, list.map(scores)])), 1).map((one) => ({
      pair: `${one.first} ${one.second}`,
      queries: one.queries,
      mean: Math.round(one.difference.mean * 100) / 100,
      verdict: one.verdict,
    }));
  const many = (value: number, count = 12) => Array(count).fill(value);

  it('are compared on the queries that both have, the better one first', () => {
    expect(compare([...many(0.2), 1, null], [...many(0.7), null, 1])).toEqual([
      { pair: 'p1 p0', queries: 12, mean: 0.5, verdict: 'better' },
    ]);
    expect(compare([1, 0], [0, null], [0, 1])).toEqual([
      { pair: 'p0 p1', queries: 1, mean: 1, verdict: 'too few queries' },
      { pair: 'p0 p2', queries: 2, mean: 0, verdict: 'too few queries' },
      { pair: 'p1 p2', queries: 1, mean: 0, verdict: 'too few queries' },
    ]);
    expect(compare([null], [1])).toEqual([]);
  });

  it('are not called better for few queries, a mixed difference, or one that chance explains', () => {
    expect(compare(many(1, 9), many(0, 9))[0]?.verdict).toBe('too few queries');
    expect(compare(many(1, 10), many(0, 10))[0]?.verdict).toBe('better');
    const mixed = Array.from({ length: 12 }, (_, index) => (index % 2 ? 1 : 0));
    expect(compare(mixed, many(0.4))[0]?.verdict).toBe('not separable');
    // four of twenty differ, all in one direction
    expect(compare([...many(1, 4), ...many(0, 16)], many(0, 20))[0]?.verdict).toBe('not separable');
  });
});

describe('the report of an evaluation', () => {
  const queries = [
    query('q1', { goldUrls: [page('a'), `${page('a')}/`], expectedAnswer: 'yes' }),
    query('q2', { goldUrls: [page('b'), page('gone'), page('unread')] }),
    query('q3', { topic: 'companies' }),
  ];
  const gold = (name: string, status: 'read' | 'gone' | 'unread') =>
    ({
      kind: 'gold',
      url: page(name),
      at: '2026-01-01T05',
      status,
      reason: `why ${status}`,
      text: 't',
    }) as const;
  const rows: RunRow[] = [
    row('q1', 'exa', 'a', { latency_ms: 300, at: '2026-01-04' }),
    row('q2', 'exa', 'xb', { latency_ms: 200 }),
    row('q3', 'exa', '', { ...failed, latency_ms: 9_000 }),
    row('q1', 'you', 'x', { latency_ms: 50 }),
    row('q2', 'you', 'b', { cost_usd: null, latency_ms: 70 }),
    row('q3', 'you', '', unsent),
    // of another set, or a provider that was not asked for
    row('q9', 'exa', 'a', { cost_usd: 9 }),
    row('q1', 'jina', 'a', { cost_usd: 9 }),
    gold('gone', 'gone'),
    gold('unread', 'unread'),
    gold('b', 'read'),
    answer('writer', 1),
    answer('judge', 2, { kind: 'grade', tokens_in: null }),
    answer('another', 3),
  ];
  const { judged, faults } = judgeQueries(queries, indexRows(rows), ['exa', 'you'], null);
  const report = (more: Partial<Parameters<typeof reportEvaluation>[0]> = {}) =>
    reportEvaluation({
      inUse: {},
      ...{ head: HEAD, rows, judged, classified: 1, providers: ['you', 'exa'], seed: 1, faults },
      ...{ set: { name: 'n', sha256: 'h', queries, origin: null }, models: null, ledger: null },
      modelUsd: ({ latency_ms }) => latency_ms,
      ...more,
    });

  it('knows which pages are right: each once, without those that are gone', () => {
    expect(judged.map(({ truths }) => truths.length)).toEqual([1, 2, 0]);
    expect(faults.map(({ what, query: of, reason }) => [what, of, reason])).toEqual([
      ['gold_gone', 'q2', 'why gone'],
      ['gold_unread', 'q2', 'why unread'],
    ]);
  });

  it('counts its queries, calls, costs and times', () => {
    expect(report()).toMatchObject({
      ...{ run_id: 'r', k: 3, missing_calls: 1, providers: ['you', 'exa'] },
      ...{ first_call_at: '2026-01-01T05', last_call_at: '2026-01-04' },
      set: { queries: 3, with_gold: 2, with_expected_answer: 1, classified: 1 },
      rows: { real: 5, simulated: 0 },
      cost: {
        ...{ search_calls: 6, unknown_calls: 2, model_calls: 0, model_usd: null },
        search_usd: expect.closeTo(0.012),
      },
    });
    const models = { answers: 'writer', judge: 'judge' };
    expect(report({ models }).cost).toMatchObject({
      ...{ model_calls: 2, model_tokens_in: 10, model_tokens_out: 4, model_usd: 3 },
    });
    const unpriced = ({ kind }: ModelRow) => (kind === 'grade' ? null : 1);
    expect(report({ models, modelUsd: unpriced }).cost.model_usd).toBeNull();
  });

  it('has all queries, then each topic, with the better provider first', () => {
    const { groups, scores } = report();
    expect(groups.map(({ topic, queries: count }) => [topic, count])).toEqual([
      [null, 3],
      ['news', 2],
      ['companies', 1],
    ]);
    const [exa, you] = groups[0]?.providers ?? [];
    const half = 1 / (1 + 1 / Math.log2(3));
    expect(exa).toMatchObject({
      ...{ provider: 'exa', calls: 3, unknown_cost_calls: 1, failures: { timeout: 1 } },
      ...{ latency_ms: { p50: 300, p95: 300 }, answers: null },
      cost_usd: expect.closeTo(0.008),
      success: { mean: 1, queries: 2 },
      ndcg: { mean: expect.closeTo((1 + half / Math.log2(3)) / 2), queries: 2 },
    });
    expect(you).toMatchObject({
      ...{ provider: 'you', calls: 3, failures: { circuit_open: 1 }, unknown_cost_calls: 1 },
      ...{ latency_ms: { p50: 70, p95: 70 }, success: { mean: 0.5, queries: 2 } },
      ndcg: { mean: expect.closeTo(half / 2) },
    });
    expect(groups[0]?.controls).toEqual({ null: null, oracle: null });
    expect(
      scores.map((one) => [
        one.query,
        one.topic,
        one.providers.map(({ provider, success }) => `${provider} ${success}`),
      ]),
    ).toEqual([
      ['q1', 'news', ['exa 1', 'you 0']],
      ['q2', 'news', ['exa 1', 'you 1']],
      ['q3', 'companies', ['exa null', 'you null']],
    ]);
    expect(MEASURES.every((measure) => exa && measure in exa)).toBe(true);
  });

  it('says how many rows are on names that are reserved for examples', () => {
    const hosts = [
      'www.example.com',
      'example.org',
      'x.test',
      'notexample.com',
      'a.invalid',
      'site.org',
    ];
    const pages = hosts.map((host) => ({ url: page('a', host), title: null, text: null }));
    expect(report({ rows: [row('q1', 'exa', '', { pages })] }).rows).toEqual({
      real: 2,
      simulated: 4,
    });
  });
});

describe('the file of a run', () => {
  const text = (...lines: unknown[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  it('is read without a line that was being written, and names a wrong one', () => {
    const whole = text(HEAD, row('q1', 'exa', 'a'), row('q2', 'exa', 'b'));
    const { rows, wholeLength } = readRunFile(`${whole}{"kind":"sea`);
    expect([rows.length, wholeLength]).toEqual([2, whole.length]);
    expect(() => readRunFile(text(HEAD, row('q1', 'exa', 'a'), { kind: 'odd' }))).toThrow(
      'line 3 ',
    );
    expect(() => readRunFile(text({ kind: 'head' }))).toThrow(
      'its first line is not trawl-evaluation/1',
    );
  });

  it('has each call once: the first that was sent', () => {
    const first = row('q1', 'exa', '', unsent);
    const [second, third] = [row('q1', 'exa', 'a'), row('q1', 'exa', 'b')];
    expect(indexRows([first, second, third]).get(callKey(first))).toBe(second);
    expect(indexRows([second, first]).get(callKey(first))).toBe(second);
    expect(callKey(row('a', 'b c', ''))).not.toBe(callKey(row('a b', 'c', '')));
  });
});
