import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ env: { BREAKER: 'on', FETCH_CHAIN: 'tavily,direct' } });
});
afterAll(() => server.stop());

/** Each sample with its value; the labels of a name are in the order of the exposition. */
async function samples(): Promise<ReadonlyMap<string, number>> {
  const { text } = await server.call('GET', '/metrics', { key: null });
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

/** What a request adds to each sample. */
async function added(work: () => Promise<unknown>): Promise<(sample: string) => number> {
  const before = await samples();
  await work();
  const after = await samples();
  return (sample) => (after.get(sample) ?? 0) - (before.get(sample) ?? 0);
}

const search = (query: string, ...include: string[]) =>
  server.search({ user_input: { query }, search: { providers: { include } } });
const duration = (provider: string, operation: string, outcome: string) =>
  `trawl_provider_request_duration_seconds_count{provider="${provider}",operation="${operation}",outcome="${outcome}"}`;
const attempts = (provider: string, reason: string) =>
  `trawl_provider_attempts_total{provider="${provider}",operation="search",reason="${reason}"}`;

describe('calls to providers', () => {
  test('an answer, an answer with nothing found, and a failure are different outcomes', async () => {
    const more = await added(async () => {
      await search('tides', 'exa');
      await search('tides [[brave:empty]]', 'brave');
      await search('tides [[linkup:status=400]]', 'linkup');
    });
    expect(more(duration('exa', 'search', 'succeeded'))).toBe(1);
    expect(more(duration('brave', 'search', 'empty'))).toBe(1);
    expect(more(duration('linkup', 'search', 'failed'))).toBe(1);
    expect(more(attempts('linkup', 'bad_request'))).toBe(1);
  });

  test('each attempt counts with its reason, and the call once', async () => {
    const more = await added(() => search('tides [[you:status=503,fail-first=1]]', 'you'));
    expect(more(attempts('you', 'upstream_error'))).toBe(1);
    expect(more(attempts('you', 'ok'))).toBe(1);
    expect(more(duration('you', 'search', 'succeeded'))).toBe(1);
  });

  test('a provider that cannot be reached has failed, and was not held back', async () => {
    const own = await startTestServer({ env: { BRAVE_BASE_URL: 'http://127.0.0.1:1/x' } });
    onTestFinished(own.stop);
    const search = { providers: { include: ['brave'] }, fallback: 'off' };
    await own.search({ user_input: { query: 'tides' }, search });
    const { text } = await own.call('GET', '/metrics', { key: null });
    expect(text).toContain(`${duration('brave', 'search', 'failed')} 1\n`);
    expect(text).toMatch(/attempts_total\{provider="brave",.*reason="network_error"\} [12]\n/);
    expect(text).not.toContain('trawl_provider_unsent_total{provider="brave"');
  });

  test('an open circuit shows, and the calls that it holds back were not sent', async () => {
    const state = 'trawl_provider_breaker_state{provider="seltz",operation="search"}';
    expect((await samples()).get(state)).toBe(0);
    const more = await added(async () => {
      await search('tides [[seltz:status=401]]', 'seltz');
      await search('tides', 'seltz');
    });
    expect(more(state)).toBe(2);
    const labels = 'provider="seltz",operation="search"';
    expect(more(`trawl_provider_breaker_opened_total{${labels},reason="invalid_credential"}`)).toBe(
      1,
    );
    expect(more(`trawl_provider_unsent_total{${labels},reason="circuit_open"}`)).toBe(1);
    expect(more(duration('seltz', 'search', 'failed'))).toBe(1);
  });

  test('costs are billed where the provider reports them, otherwise estimated', async () => {
    const more = await added(() => search('tides', 'exa', 'brave'));
    expect(more('trawl_cost_micros_total{provider="exa",basis="billed"}')).toBeGreaterThan(0);
    expect(more('trawl_cost_micros_total{provider="brave",basis="estimated"}')).toBeGreaterThan(0);
  });
});

describe('a request', () => {
  test('has an overhead, which leaves out the time of its provider', async () => {
    const more = await added(() => search('tides [[exa:latency=400]]', 'exa'));
    expect(more('trawl_overhead_seconds_count{operation="search"}')).toBe(1);
    const took = more(
      'http_server_request_duration_seconds_sum{http_request_method="POST",http_route="/v1/search",http_response_status_code="200"}',
    );
    expect(took - more('trawl_overhead_seconds_sum{operation="search"}')).toBeGreaterThan(0.399);
    expect(more('trawl_recorder_commit_seconds_count')).toBe(1);
  });

  test('that is refused, or only priced, has none', async () => {
    const body = { user_input: { query: 'tides' } };
    const more = await added(async () => {
      await server.search({});
      await server.call('POST', '/v1/search?dry_run=true', { body });
    });
    expect(more('trawl_overhead_seconds_count{operation="search"}')).toBe(0);
  });

  test('of pages counts verdicts, reads of the cache, and the work of the threads', async () => {
    const page = 'https://www.example.com/guides/rope-walks';
    const gone = 'https://atlas.example.org/wiki/missing?n=7';
    const more = await added(async () => {
      await server.fetch({ urls: [page, gone] });
      await server.fetch({ urls: [page] });
    });
    expect(more('trawl_fetch_verdicts_total{provider="tavily",verdict="page"}')).toBe(1);
    expect(more('trawl_page_cache_reads_total{result="hit"}')).toBe(1);
    expect(more('trawl_page_cache_reads_total{result="miss"}')).toBe(2);
    expect(
      more('trawl_extraction_seconds_count{task="diagnose",outcome="diagnosed"}'),
    ).toBeGreaterThan(0);
    expect(more('trawl_overhead_seconds_count{operation="fetch"}')).toBe(2);
    expect(more(duration('direct', 'fetch', 'succeeded'))).toBeGreaterThan(0);
  });
});

test('the lowest remaining budget of keys and projects is shown, without their ids', async () => {
  const { id, key, projectId } = await server.makeKey('thrifty');
  await server.server.store.keys.limitProject('thrifty', { monthlyBudgetMicros: 1_000_000_000 });
  await expect
    .poll(async () => {
      await server.search({ user_input: { query: 'tides' } }, { key });
      return (await samples()).get('trawl_budget_remaining_ratio{scope="project"}');
    })
    .toBeGreaterThan(0.9);
  const { text } = await server.call('GET', '/metrics', { key: null });
  expect(text).not.toContain(id);
  expect(text).not.toContain(projectId);
});

test('what waits is a gauge', async () => {
  const now = await samples();
  expect(now.get('trawl_recorder_open')).toBe(1);
  expect(now.get('trawl_recorder_pending')).toBe(0);
  expect(now.get('http_server_active_requests')).toBe(0);
  expect(now.get('trawl_active_requests_limit')).toBe(256);
  expect(now.get('trawl_extraction_waiting')).toBe(0);
  expect(now.get('trawl_provider_slots_waiting{provider="exa",operation="search"}')).toBe(0);
});

describe('the log line of a request', () => {
  const lineOf = (requestId: string) =>
    server
      .logged()
      .split('\n')
      .filter((line) => line.includes(requestId))
      .map((line) => JSON.parse(line))
      .find(({ msg }) => msg === 'request');
  const body = {
    user_input: [{ query: 'tides' }, { query: 'moon' }],
    search: { providers: { include: ['exa', 'brave'] } },
  };

  test.each(['application/json', 'text/event-stream'])(
    'names providers, outcome and cost (%s)',
    async (accept) => {
      const id = `log-${accept.length}`;
      server.sandbox.inject('brave', 'status=400', { times: 1 });
      await server.search(body, { headers: { 'x-request-id': id, accept } });
      await expect.poll(() => lineOf(id)).toBeDefined();
      const line = lineOf(id);
      expect(line).toMatchObject({
        route: 'search',
        providers: { exa: { succeeded: 2 }, brave: { succeeded: 1, bad_request: 1 } },
        outcome: 'partial',
      });
      expect(line.cost_micros).toBeGreaterThan(0);
      expect(JSON.stringify(line)).not.toContain('tides');
    },
  );

  test('a fetch ends as its pages did', async () => {
    const [page, missing] = ['https://news.example.com/a-page', 'https://news.example.com/missing'];
    const outcomeOf = async (...urls: readonly string[]) => {
      const id = `log-pages-${urls.join('-').length}`;
      await server.fetch({ urls }, { headers: { 'x-request-id': id } });
      await expect.poll(() => lineOf(id)).toBeDefined();
      return lineOf(id).outcome;
    };
    expect(await outcomeOf(page)).toBe('succeeded');
    expect(await outcomeOf(page, missing)).toBe('partial');
    expect(await outcomeOf(missing)).toBe('failed');
  });
});
