import type { ResultRow } from '@trawl/contract';
import { at, ledgerRecord } from '@trawl/test-support/records';
import { describe, expect, it } from 'vitest';
import { type ComparedSearch, diffOf } from '../../src/replay/diff.ts';
import { found, type StoredRun, storedInteraction } from '../support/stored.ts';

type Rows = readonly Partial<ResultRow>[];

const row = (name: string, more: Partial<ResultRow> = {}): Partial<ResultRow> => ({
  url: `https://example.com/${name}`,
  title: name.toUpperCase(),
  ...more,
});
const rowsOf = (...names: string[]): Rows => names.map((name) => row(name));

/** @param costs in millionths of a US dollar, by run */
function search(
  runs: readonly StoredRun[],
  {
    costs = {},
    ...given
  }: Parameters<typeof storedInteraction>[0] & {
    costs?: Readonly<Record<string, number | null>>;
  } = {},
): ComparedSearch {
  const owner = { id: 'interaction-1', projectId: 'project', sessionId: 'session' };
  return {
    stored: storedInteraction({ ...given, runs }),
    ledger: Object.entries(costs).map(([runId, costMicros]) =>
      ledgerRecord(owner, { runId, costMicros }),
    ),
  };
}

/** What differs between the only runs of two searches. */
function between(before: Rows, after: Rows) {
  const [query] = diffOf(
    search([{ output_payload: found(before) }]),
    search([{ output_payload: found(after) }]),
  ).queries;
  const [run] = query?.runs ?? [];
  if (run === undefined) throw new Error('two searches of one run have no run');
  const { added, gone, moved, changed, same } = run;
  return { added, gone, moved, changed, same };
}
const none = { added: [], gone: [], moved: [], changed: [], same: 0 };
const urlOf = (name: string) => `https://example.com/${name}`;

describe('two runs of one provider', () => {
  it('have rows that came, went, moved and stayed, with the ranks of each', () => {
    expect(between(rowsOf('a', 'b', 'c', 'e', 'f'), rowsOf('b', 'a', 'd', 'e', 'g'))).toEqual({
      added: [
        { url: urlOf('d'), title: 'D', rank: 3 },
        { url: urlOf('g'), title: 'G', rank: 5 },
      ],
      gone: [
        { url: urlOf('c'), title: 'C', rank: 3 },
        { url: urlOf('f'), title: 'F', rank: 5 },
      ],
      moved: [
        { url: urlOf('b'), title: 'B', from: 2, to: 1 },
        { url: urlOf('a'), title: 'A', from: 1, to: 2 },
      ],
      changed: [],
      same: 1,
    });
  });

  it('have rows that moved and changed at the same time, which are not the same', () => {
    const before = [row('a'), row('b', { summary: 'old' })];
    const after = [row('b', { summary: 'new' }), row('a')];
    expect(between(before, after)).toMatchObject({
      moved: [
        { from: 2, to: 1 },
        { from: 1, to: 2 },
      ],
      changed: [{ url: urlOf('b'), rank: 1, texts: ['summary'], title: null }],
      same: 0,
    });
  });

  it.each(['summary', 'excerpt', 'full_content'] as const)('are compared by %s', (name) => {
    const changed = [{ url: urlOf('a'), rank: 1, texts: [name], title: null }];
    expect(between([row('a', { [name]: 'x' })], [row('a', { [name]: 'y' })])).toEqual({
      ...none,
      changed,
    });
    expect(between([row('a', { [name]: 'x' })], [row('a')])).toEqual({ ...none, changed });
    // not asked for, and asked for without a value
    expect(between([row('a', { [name]: null })], [row('a')])).toEqual({ ...none, same: 1 });
  });

  it('have both titles of a row whose title changed', () => {
    const before = [
      row('x'),
      row('a', { title: 'Old', excerpt: 'one' }),
      row('b', { title: null }),
    ];
    const after = [row('x'), row('a', { title: 'New', excerpt: 'two' }), row('b')];
    expect(between(before, after)).toEqual({
      ...none,
      changed: [
        {
          url: urlOf('a'),
          rank: 2,
          texts: ['title', 'excerpt'],
          title: { before: 'Old', after: 'New' },
        },
        { url: urlOf('b'), rank: 3, texts: ['title'], title: { before: null, after: 'B' } },
      ],
      same: 1,
    });
  });

  it('count a URL once, at its first row, in the form in which URLs are compared', () => {
    const a = row('a');
    expect(between([a, a], [a])).toEqual({ ...none, same: 1 });
    expect(between([a], [a, row('b'), a])).toMatchObject({ moved: [], same: 1 });
    expect(between([a, row('b'), a], [row('b'), a])).toMatchObject({
      moved: [
        { url: urlOf('b'), from: 2, to: 1 },
        { url: urlOf('a'), from: 1, to: 2 },
      ],
    });
    const other = { ...a, url: 'https://EXAMPLE.com/a#part' };
    expect(between([a], [other])).toEqual({ ...none, same: 1 });
  });

  it('count the places of rows without a URL, and compare none of them', () => {
    expect(between([{ title: 'no link' }, row('a')], rowsOf('a'))).toEqual({
      ...none,
      moved: [{ url: urlOf('a'), title: 'A', from: 2, to: 1 }],
    });
  });
});

describe('two searches', () => {
  it('have the facts of both, and of each run its own cost, time and failure', () => {
    const before = search(
      [
        { id: 'r1', output_payload: found(rowsOf('a', 'b')), latency_ms: 310 },
        {
          id: 'r2',
          preprocessor_name: 'brave',
          status: 'failed',
          error: { code: 'timeout', message: 'slow' },
          latency_ms: null,
        },
      ],
      { id: 'first', sessionId: 'one', createdAt: at(5), costs: { r1: 7_000, r2: null } },
    );
    const after = search(
      [
        {
          id: 'r3',
          preprocessor_name: 'brave',
          output_payload: found(rowsOf('a')),
          latency_ms: 42,
        },
        { id: 'r4', preprocessor_name: 'you', output_payload: found([]), latency_ms: 0 },
      ],
      { id: 'second', sessionId: 'two', createdAt: at(9), costs: { r3: 0 } },
    );
    const failed = { status: 'failed', error_code: 'timeout', rows: 0, latency_ms: null };
    const ok = { status: 'succeeded', error_code: null };
    expect(diffOf(before, after)).toEqual({
      before: { interaction_id: 'first', session_id: 'one', created_at: at(5) },
      after: { interaction_id: 'second', session_id: 'two', created_at: at(9) },
      queries: [
        {
          batch_index: 0,
          before: 'tides',
          after: 'tides',
          runs: [
            {
              ...none,
              provider: 'exa',
              before: { ...ok, run_id: 'r1', rows: 2, latency_ms: 310, cost_usd: 0.007 },
              after: null,
              gone: [
                { url: urlOf('a'), title: 'A', rank: 1 },
                { url: urlOf('b'), title: 'B', rank: 2 },
              ],
            },
            {
              ...none,
              provider: 'brave',
              before: { ...failed, run_id: 'r2', cost_usd: null },
              after: { ...ok, run_id: 'r3', rows: 1, latency_ms: 42, cost_usd: 0 },
              added: [{ url: urlOf('a'), title: 'A', rank: 1 }],
            },
            {
              ...none,
              provider: 'you',
              before: null,
              after: { ...ok, run_id: 'r4', rows: 0, latency_ms: 0, cost_usd: null },
            },
          ],
        },
      ],
    });
  });

  it('are compared query by query, also where one has more of them', () => {
    const run = (batch_index: number, name: string) => ({
      batch_index,
      output_payload: found(rowsOf(name)),
    });
    const both = { queries: [{ query: 'one' }, { query: 'two' }, { query: 'three' }] };
    const before = search([run(0, 'a'), run(1, 'b'), run(2, 'c')], { userInput: both });
    const after = search([run(1, 'b'), run(0, 'x')], {
      userInput: { queries: [{ query: 'one' }, { query: 'zwei' }] },
    });
    const { queries } = diffOf(before, after);
    expect(queries.map(({ batch_index, before: b, after: a }) => [batch_index, b, a])).toEqual([
      [0, 'one', 'one'],
      [1, 'two', 'zwei'],
      [2, 'three', null],
    ]);
    expect(queries.map(({ runs: [first] }) => [first?.same, first?.gone.length])).toEqual([
      [0, 1],
      [1, 0],
      [0, 1],
    ]);
    expect(diffOf(after, before).queries[2]).toMatchObject({ before: null, after: 'three' });
  });

  it('that are fetches, or have no input, are refused by the name of the wrong one', () => {
    const good = search([]);
    for (const userInput of [{ urls: ['https://example.com/'] }, null]) {
      const bad = search([], { id: 'bad', userInput });
      const refused = expect.objectContaining({
        status: 422,
        detail: [expect.objectContaining({ input: 'bad' })],
      });
      expect(() => diffOf(good, bad)).toThrow(refused);
      expect(() => diffOf(bad, good)).toThrow(refused);
    }
  });
});
