import type { InteractionResponse, SearchRun } from '@trawl/contract';
import { describe, expect, test } from 'vitest';
import { matrixOf } from '../../../src/pages/playground/result-matrix.ts';
import { gapsOf, isEmptyValue } from '../../../src/pages/playground/result-values.tsx';
import {
  awaited,
  startedRun,
  withEnd,
  withEvent,
} from '../../../src/pages/playground/run-state.ts';
import { callPrice } from '../../../src/pages/playground/use-plan.ts';
import { startsOf } from '../../../src/requests/fallback-runs.ts';
import { plannedPrice } from '../../../src/requests/planned.ts';

const run = (id: string, urls: readonly string[], batchIndex = 0): SearchRun => ({
  id,
  preprocessor_name: id,
  status: 'succeeded',
  batch_index: batchIndex,
  query: 'tides',
  request_payload: {},
  raw_payload: null,
  error: null,
  latency_ms: 5,
  output_payload: {
    schema_version: 2,
    tier: 'default',
    fields: ['url'],
    results: urls.map((url, index) => ({ url, title: null, rank: index + 1 })),
    latency_ms: 5,
    warnings: [],
  },
});

describe('the map of pages and providers', () => {
  test('has pages that more providers found first, then better ranks', () => {
    const rows = matrixOf([run('one', ['a', 'b', 'c']), run('two', ['c', 'd'])]);
    expect(rows.map(({ url }) => url)).toEqual(['c', 'a', 'b', 'd']);
    expect([...(rows[0]?.ranks ?? [])]).toEqual([
      ['one', 3],
      ['two', 1],
    ]);
  });

  test('counts a page that a provider sent twice once, with its best rank', () => {
    const [row] = matrixOf([run('one', ['a', 'b', 'a'])]);
    expect(row?.ranks.get('one')).toBe(1);
  });

  test('leaves out rows without an address and runs that failed', () => {
    const failed = { ...run('two', []), status: 'failed' as const, output_payload: null };
    const nameless = run('one', ['a']);
    for (const row of nameless.output_payload?.results ?? []) delete row.url;
    expect(matrixOf([nameless, failed])).toEqual([]);
  });
});

describe('fields that are not there', () => {
  test('are gaps where a warning names them', () => {
    const gaps = gapsOf([
      { code: 'capability_gap', message: 'full_content: x offers no page text' },
      {
        code: 'capability_gap',
        message: 'title, author: x cannot supply these; html: only at max',
      },
      { code: 'count_clamped', message: 'num_results: lowered' },
    ]);
    expect([...gaps.keys()]).toEqual(['full_content', 'title', 'author', 'html']);
    expect(gaps.get('html')).toBe('html: only at max');
  });

  test('0 and false are values', () => {
    expect([0, false].some(isEmptyValue)).toBe(false);
    expect([null, undefined, '', [], {}].every(isEmptyValue)).toBe(true);
  });
});

describe('the times of the runs of a search', () => {
  test('the run of a fallback starts when the slowest of the others has failed', () => {
    const error = {
      code: 'timeout',
      message: '',
      provider: 'one',
      http_status: null,
      retryable: true,
      retry_after_ms: null,
      warnings: [],
    };
    const failed = (id: string, latency_ms: number): SearchRun => ({
      ...run(id, []),
      status: 'failed',
      output_payload: null,
      error,
      latency_ms,
    });
    const last = run('three', ['a']);
    last.output_payload?.warnings.push({ code: 'fallback_used', message: '' });
    const starts = startsOf([failed('one', 30), failed('two', 20), last]);
    expect([...starts.values()]).toEqual([0, 0, 30]);
  });
});

describe('the price before the run', () => {
  const call = (cost: number | null, kind: 'known' | 'estimated' | 'unknown') =>
    ({ provider: 'one', cost_usd: cost, cost_kind: kind }) as const;
  test('is a sentence of calls and money', () => {
    const calls = [call(0.005, 'known'), call(0.026, 'estimated')];
    expect(plannedPrice({ dry_run: true, calls, total_usd: 0.031 })).toMatch(
      /^2 calls, about \$0\.031\d*$/,
    );
    const [first] = calls;
    if (!first) throw new Error('no call');
    expect(plannedPrice({ dry_run: true, calls: [first], total_usd: 0.005 })).toMatch(
      /^1 call, \$0\.005\d*$/,
    );
  });

  test('counts calls of a fallback apart', () => {
    const later = { ...call(0.02, 'known'), conditional: true } as const;
    const plan = {
      dry_run: true,
      calls: [call(0.005, 'known'), later],
      total_usd: 0.005,
      max_total_usd: 0.025,
    } as const;
    expect(plannedPrice({ ...plan, calls: [...plan.calls] })).toMatch(
      /^1 call, \$0\.005\d*, at most \$0\.025\d* with the fallback$/,
    );
  });

  test('never shows an unknown price as none', () => {
    const unknown = call(null, 'unknown');
    expect(plannedPrice({ dry_run: true, calls: [unknown], total_usd: null })).toContain(
      'price not known',
    );
    const mixed = [call(0.005, 'known'), unknown];
    expect(plannedPrice({ dry_run: true, calls: mixed, total_usd: null })).toContain(
      'and 1 of unknown price',
    );
    expect(callPrice(unknown)).toBe('price not known');
    expect(callPrice(undefined)).toBe('price not known');
  });
});

describe('a run that streams', () => {
  const planned = [
    { provider: 'one', batch_index: 0, cost_usd: 1, cost_kind: 'known' },
    { provider: 'two', batch_index: 0, cost_usd: 1, cost_kind: 'known' },
  ] as const;
  const search = { mode: 'search', body: {} } as const;

  test('waits for the planned calls that have not arrived, until it ends', () => {
    const started = startedRun(search, planned);
    const second = withEvent(started, { event: 'run', data: run('two', ['a']) });
    expect(awaited(second).map(({ provider }) => provider)).toEqual(['one']);
    const cancelled = withEnd(second, 'cancelled', null);
    expect(awaited(cancelled)).toEqual([]);
    expect(cancelled.runs).toHaveLength(1);
  });

  test('has the order of the answer at its end, and stays ended', () => {
    const runs = [run('one', ['a']), run('two', ['a'])];
    const answer = { preprocessor_runs: runs } as unknown as InteractionResponse;
    const done = withEvent(startedRun(search, planned), { event: 'done', data: answer });
    expect(done.phase).toBe('done');
    expect(done.runs.map(({ id }) => id)).toEqual(['one', 'two']);
    expect(withEnd(done, 'failed', new Error('late'))).toBe(done);
  });
});
