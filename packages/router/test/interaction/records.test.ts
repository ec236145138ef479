import { describe, expect, it } from 'vitest';
import { fetchRecord } from '../../src/fetch/record.ts';
import type { InteractionHead } from '../../src/interaction/head.ts';
import { trajectoryIds } from '../../src/interaction/head.ts';
import { interactionRecord } from '../../src/search/record.ts';

const HEAD = {
  id: 'i',
  projectId: 'p',
  keyId: 'k',
  userId: 'u',
  sessionId: 's',
  createdAt: '2026-01-01T00:00:00.000Z',
} as InteractionHead;
const ids = () => {
  let made = 0;
  return () => {
    made += 1;
    return `id-${made}`;
  };
};
const OWNER = {
  ...{ projectId: 'p', keyId: 'k', userId: 'u', sessionId: 's', interactionId: 'i' },
  createdAt: HEAD.createdAt,
};
const cost = (costUsd: number | null, calls = 1) => ({
  calls,
  costUsd,
  source: costUsd === null ? null : ('reported' as const),
  keyTail: 'tail',
});

describe('the record of a search', () => {
  const run = (
    id: string,
    {
      error = null,
      rows = [],
      paid = cost(0.007),
    }: { error?: object | null; rows?: object[]; paid?: object } = {},
  ) => ({
    run: {
      value: {
        id,
        preprocessor_name: `provider of ${id}`,
        batch_index: Number(id.slice(1)),
        status: error === null ? 'succeeded' : 'failed',
        latency_ms: 120,
        error,
      },
      text: `text of ${id}`,
    },
    cost: paid,
    rows,
  });
  const runs = [
    run('r0', {
      rows: [
        { url: 'a', title: 'A' },
        { url: 'b', title: null },
        { url: 'c', title: 'C' },
      ],
    }),
    run('r1', { error: { code: 'timeout' }, paid: cost(null, 2) }),
    run('r2', { rows: [{ url: 'a', title: 'A again' }], paid: { ...cost(0), calls: 0 } }),
  ];
  const record = interactionRecord(
    HEAD,
    runs as never,
    {
      postprocessorRuns: [
        { id: 'p0', postprocessor_name: 'url_dedup' },
        { id: 'p1', postprocessor_name: 'rank_fusion' },
      ] as never,
      merged: [{ batch_index: 0 }] as never,
    },
    ids(),
  );

  it('has its runs in their places, of each kind by itself', () => {
    expect(record.runs.map(({ kind, position, id, name }) => [kind, position, id, name])).toEqual([
      ['preprocessor', 0, 'r0', 'provider of r0'],
      ['preprocessor', 1, 'r1', 'provider of r1'],
      ['preprocessor', 2, 'r2', 'provider of r2'],
      ['postprocessor', 0, 'p0', 'url_dedup'],
      ['postprocessor', 1, 'p1', 'rank_fusion'],
      ['merged', 0, 'id-1', 'merged'],
    ]);
  });

  it('books each run with its cost, rows, time and failure', () => {
    const booked = { ...OWNER, latencyMs: 120, keyTail: 'tail' };
    expect(record.ledger).toEqual([
      {
        ...booked,
        ...{ id: 'id-2', runId: 'r0', provider: 'provider of r0', batchIndex: 0, calls: 1 },
        ...{ outcome: 'succeeded', costMicros: 7_000, costSource: 'reported' },
        ...{ errorCode: null, resultCount: 3 },
      },
      {
        ...booked,
        ...{ id: 'id-3', runId: 'r1', provider: 'provider of r1', batchIndex: 1, calls: 2 },
        ...{ outcome: 'failed', costMicros: null, costSource: null },
        ...{ errorCode: 'timeout', resultCount: null },
      },
      {
        ...booked,
        ...{ id: 'id-4', runId: 'r2', provider: 'provider of r2', batchIndex: 2, calls: 0 },
        ...{ outcome: 'succeeded', costMicros: 0, costSource: 'reported' },
        ...{ errorCode: null, resultCount: 1 },
      },
    ]);
    expect(record.titles).toEqual([
      { url: 'a', title: 'A' },
      { url: 'c', title: 'C' },
      { url: 'a', title: 'A again' },
    ]);
  });
});

describe('the record of a fetch', () => {
  const chainCost = (provider: string, costUsd: number | null, calls = 1) => ({
    ...cost(costUsd, calls),
    ...{ provider, outcome: 'succeeded' as const, latencyMs: 40, errorCode: null },
  });
  const page = (name: string, costs: object[], title: string | null = null) => ({
    target: { comparable: name },
    result: { kind: 'page', provider: 'jina', page: { title }, costs },
  });
  const failed = (costs: object[], provider: string | null = null) => ({
    target: { comparable: 'f' },
    result: { kind: 'failed', failure: { code: 'not_found', provider }, costs },
  });
  const record = (...pages: object[]) =>
    fetchRecord(HEAD, { id: 'r', parts: [] as never }, pages as never, ids());

  it('books each provider that was asked, or one row that says that none was', () => {
    const { ledger } = record(
      page('a', [chainCost('tavily', 0.001), chainCost('exa', null, 0), chainCost('jina', 0.002)]),
      page('b', []),
      failed([]),
      failed([chainCost('exa', 0.5, 0)], 'exa'),
    );
    expect(
      ledger.map((row) => [row.provider, row.calls, row.costMicros, row.outcome, row.errorCode]),
    ).toEqual([
      ['tavily', 1, 1_000, 'succeeded', null],
      ['jina', 1, 2_000, 'succeeded', null],
      ['jina', 0, 0, 'succeeded', null],
      ['web_fetch', 0, 0, 'failed', 'not_found'],
      ['exa', 0, 0, 'failed', 'not_found'],
    ]);
    for (const row of ledger) expect(row).toMatchObject({ ...OWNER, runId: 'r', batchIndex: null });
  });

  it('ended as its pages did, and has the titles that pages have', () => {
    const [one, two] = [page('a', [], 'A'), page('b', [])];
    expect([one, two].map((each) => record(each).outcome)).toEqual(['succeeded', 'succeeded']);
    expect(record(one, failed([]), two).outcome).toBe('partial');
    expect(record(failed([]), failed([])).outcome).toBe('failed');
    expect(record(one, two, page('c', [], 'C')).titles).toEqual([
      { url: 'a', title: 'A' },
      { url: 'c', title: 'C' },
    ]);
  });
});

it('the trajectory of a request is in its metadata, in small letters, where it has the form', () => {
  const id = '01A21DDB-2F1D-779C-94FB-2F086C1956E6';
  expect(
    trajectoryIds({ trajectory_id: id, parent_trajectory_id: id, trajectory_goal: 'find' }),
  ).toEqual({
    trajectoryId: id.toLowerCase(),
    parentTrajectoryId: id.toLowerCase(),
    trajectoryGoal: 'find',
  });
  expect(
    trajectoryIds({ trajectory_id: 'x', parent_trajectory_id: 5, trajectory_goal: '' }),
  ).toEqual({
    trajectoryId: undefined,
    parentTrajectoryId: null,
    trajectoryGoal: null,
  });
});
