import type { TestServer } from '@trawl/test-support/harness';
import { describe, expect, test } from 'vitest';
import { callsTo, type Run, search, useServer, useUnclearedServer } from './support/search-runs.ts';
import { useStubbedServer } from './support/stubbed-server.ts';

const server = useServer();
const retrying = useUnclearedServer();
const stubbed = useStubbedServer();
const deadline = useServer({ env: { REQUEST_DEADLINE_MS: '1000' } });

const queryOfCall = (call: { vendor: string; query: readonly unknown[]; json(): unknown }) =>
  call.vendor === 'exa'
    ? (call.json() as { query: string }).query
    : (Object.fromEntries(call.query as [string, string][]).q ?? '');

/** The calls for a query, which no other test sends. */
const callsFor = (on: TestServer, slug: string, query: string) =>
  callsTo(on, slug).filter((call) => queryOfCall(call) === query);

// each waits for a retry
describe.concurrent('4.1 one retry', () => {
  const RETRIED = [429, 500, 502, 503, 504];

  test('4.1 a first 429, 500, 502, 503 or 504 is followed by one more call, whose answer counts', async () => {
    const batch = RETRIED.map((status) => `tides [[*:status=${status},fail-first=1]]`);
    const { answer, runs, output, rows } = await search(retrying(), batch, {
      fields: ['url', 'usage'],
    });
    expect(answer.status).toBe('succeeded');
    for (const [index, query] of batch.entries()) {
      expect([rows('exa', index).length, rows('brave', index).length]).toEqual([5, 5]);
      expect(output('exa', index).usage).toMatchObject({ requests: 2 });
      for (const slug of ['exa', 'brave']) {
        const calls = callsFor(retrying(), slug, query);
        expect(calls, `${slug} ${query}`).toHaveLength(2);
        expect(calls[1]).toMatchObject({ body: calls[0]?.body, query: calls[0]?.query });
      }
    }
    for (const run of runs) expect(run.latency_ms).toBeGreaterThanOrEqual(499);
  });

  test('4.1 a second failure is final: the provider gets no third call', async () => {
    const query = 'tides [[exa:status=503,fail-first=2]]';
    const { error } = await search(retrying(), query);
    expect(error('exa')).toMatchObject({ code: 'upstream_error', http_status: 503 });
    expect(callsFor(retrying(), 'exa', query)).toHaveLength(2);
  });

  test('4.1 a retry waits as long as the provider asks, and is left out when that is too long', async () => {
    const batch = [
      'tides [[exa:status=429,retry-after=1,fail-first=1]]',
      'tides [[exa:status=503,retry-after=90]]',
    ];
    const { run, error } = await search(retrying(), batch);
    expect(run('exa', 0)).toMatchObject({ status: 'succeeded' });
    expect(run('exa', 0).latency_ms).toBeGreaterThanOrEqual(999);
    expect(error('exa', 1)).toMatchObject({ http_status: 503, retry_after_ms: 90_000 });
    expect(run('exa', 1).latency_ms).toBeLessThan(5_000);
    const calls = batch.map((query) => callsFor(retrying(), 'exa', query).length);
    expect(calls).toEqual([2, 1]);
  });
});

describe('4.1 what is tried again', () => {
  test.each([400, 401, 402, 403, 404, 408, 409, 422, 501, 505])(
    '4.1 a %i is not tried again',
    async (status) => {
      const { error } = await search(server(), `tides [[*:status=${status},fail-first=1]]`);
      for (const slug of ['exa', 'brave']) {
        expect(error(slug).http_status).toBe(status);
        expect(callsTo(server(), slug)).toHaveLength(1);
      }
    },
  );

  test.each(['reset', 'cut', 'not-json', 'broken-json', 'wrong-shape', 'bad-gzip', 'too-large'])(
    '4.1 a call that may have been paid is not sent twice: %s',
    async (fault) => {
      for (const vendor of ['exa', 'brave']) server().sandbox.inject(vendor, fault, { times: 1 });
      const { runs } = await search(server(), 'tides');
      expect(runs.map((run) => run.status)).toEqual(['failed', 'failed']);
      expect(server().sandbox.calls).toHaveLength(2);
    },
  );

  test('4.1 a too-fast call of brave is tried again on a plan without a monthly cap, whose month reads 0 of 0', async () => {
    stubbed().respond('brave', (index) =>
      index > 0
        ? { body: { type: 'search' } }
        : {
            status: 429,
            headers: {
              'x-ratelimit-limit': '50, 0',
              'x-ratelimit-policy': '50;w=1, 0;w=2592000',
              'x-ratelimit-remaining': '0, 0',
              'x-ratelimit-reset': '1, 1419704',
            },
            body: { type: 'ErrorResponse', error: { code: 'RATE_LIMITED', status: 429, meta: {} } },
          },
    );
    const { run } = await search(stubbed(), 'tides');
    expect(run('brave').error).toBeNull();
    expect(stubbed().calls('brave')).toBe(2);
  });

  test('4.1 a used-up month of brave is not tried again', async () => {
    stubbed().respond('brave', () => ({
      status: 429,
      headers: { 'x-ratelimit-limit': '1, 2000', 'x-ratelimit-remaining': '1, 0' },
      body: { type: 'ErrorResponse', error: { code: 'RATE_LIMITED', status: 429, meta: {} } },
    }));
    const { error } = await search(stubbed(), 'tides');
    expect(error('brave').code).toBe('quota_exhausted');
    expect(stubbed().calls('brave')).toBe(1);
  });
});

describe('4.1 REQUEST_DEADLINE_MS', () => {
  const ending = (run: Run) => [run.preprocessor_name, run.error?.code ?? run.status];

  // at the same time as the next: neither counts calls
  test.concurrent('4.1 a run that is not done by the deadline fails (timeout), the others are returned', async () => {
    const batch = ['tides', 'tides [[brave:hang]]', 'tides [[exa:latency=60000]]'];
    const started = performance.now();
    const { answer, runs, run } = await search(deadline(), batch, { include_raw: true });
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(answer.status).toBe('partially_succeeded');
    expect(runs.map(ending)).toEqual([
      ...[
        ['exa', 'succeeded'],
        ['brave', 'succeeded'],
      ],
      ...[
        ['exa', 'succeeded'],
        ['brave', 'timeout'],
      ],
      ...[
        ['exa', 'timeout'],
        ['brave', 'succeeded'],
      ],
    ]);
    for (const late of [run('brave', 1), run('exa', 2)]) {
      expect(late).toMatchObject({ output_payload: null, raw_payload: null });
      expect(late.error).toMatchObject({ http_status: null, retryable: true });
      expect(late.error?.message).toMatch(/^(exa|brave) .*deadline/);
      expect(late.latency_ms).toBeGreaterThan(700);
      expect(late.latency_ms).toBeLessThan(5_000);
    }
    expect(Date.parse(answer.completed_at) - Date.parse(answer.created_at)).toBeLessThan(5_000);
  });

  test.concurrent('4.1 when no run is done the interaction has failed, with HTTP 200', async () => {
    const { answer, runs } = await search(deadline(), 'tides [[*:hang]]');
    expect(answer.status).toBe('failed');
    expect(runs.map(ending)).toEqual([
      ['exa', 'timeout'],
      ['brave', 'timeout'],
    ]);
  });

  test('4.1 a retry that could not end in time is not started', async () => {
    const { error } = await search(deadline(), 'tides [[*:status=503,fail-first=1]]');
    for (const slug of ['exa', 'brave']) {
      expect(error(slug)).toMatchObject({ code: 'upstream_error', http_status: 503 });
      expect(callsTo(deadline(), slug)).toHaveLength(1);
    }
  });
});
