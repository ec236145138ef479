import { DryRun, ProbeResponse } from '@trawl/contract';
import { describeOnDatabases } from '@trawl/test-support/databases';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, beforeEach, expect, it, test } from 'vitest';
import { startVendorStub, type VendorStub } from '../support/vendor-stub.ts';

describeOnDatabases('POST /v1/providers/{name}/probe', (database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ database, env: { SERPAPI_API_KEY: undefined } });
  });
  afterAll(() => server.stop());
  beforeEach(() => server.sandbox.clearCalls());

  const probe = (name: string, body: unknown, query = '') =>
    server.call('POST', `/v1/providers/${name}/probe${query}`, { body });
  const booked = async (provider: string) => {
    const { json } = await server.call('GET', '/v1/usage?group_by=provider');
    return json.rows.find((row: { provider: string }) => row.provider === provider);
  };

  it('asks for one row, and answers that the provider works, with its cost', async () => {
    const answer = await probe('exa', { operation: 'search' });
    expect(answer.status, answer.text).toBe(200);
    const found = ProbeResponse.strict().parse(answer.json);
    expect(found).toMatchObject({
      provider: 'exa',
      operation: 'search',
      status: 'works',
      error: null,
      result_count: 1,
      calls: 1,
      circuit: { state: 'closed', cause: null, retry_after_ms: null },
    });
    expect(found.cost_usd).toBeGreaterThan(0);
    expect(server.sandbox.calls).toHaveLength(1);
  });

  it('says which key was tried', async () => {
    const own = await startTestServer({
      database,
      env: { EXA_API_KEY: 'planted-first-of-exa-1111,planted-second-of-exa-2222' },
    });
    try {
      const ask = (name: string) =>
        own.call('POST', `/v1/providers/${name}/probe`, { body: { operation: 'search' } });
      expect(['1111', '2222']).toContain((await ask('exa')).json.key_tail);
      expect((await ask('wikipedia')).json.key_tail).toBeNull();
      const page = await own.call('POST', '/v1/providers/exa/probe', {
        body: { operation: 'fetch' },
      });
      expect(['1111', '2222']).toContain(page.json.key_tail);
    } finally {
      await own.stop();
    }
  });

  it('is billed, and recorded as an interaction that can be read', async () => {
    const before = await booked('brave');
    const { json } = await probe('brave', { operation: 'search' });
    const after = await booked('brave');
    expect(after.calls - (before?.calls ?? 0)).toBe(1);
    const { session_id, interaction_id } = json;
    const path = `/v1/interactions?session_id=${session_id}&interaction_id=${interaction_id}`;
    const read = (await server.call('GET', path)).json;
    expect(read.metadata).toEqual({ probe: json });
    expect(read.preprocessor_runs).toMatchObject([
      { preprocessor_name: 'brave', status: 'succeeded' },
    ]);
  });

  it('is paid once for an Idempotency-Key', async () => {
    const ask = (name: string) =>
      server.call('POST', `/v1/providers/${name}/probe`, {
        body: { operation: 'search' },
        headers: { 'idempotency-key': 'once' },
      });
    const first = await ask('exa');
    const again = await ask('exa');
    expect([again.status, again.json]).toEqual([200, first.json]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(server.sandbox.calls).toHaveLength(1);
    const other = await ask('brave');
    expect([other.status, other.json.detail[0].loc]).toEqual([422, ['header', 'idempotency-key']]);
  });

  it('asks for one page with fetch', async () => {
    const { json } = await probe('jina', { operation: 'fetch' });
    expect(json).toMatchObject({ operation: 'fetch', status: 'works', result_count: null });
    const { session_id, interaction_id } = json;
    const path = `/v1/interactions?session_id=${session_id}&interaction_id=${interaction_id}`;
    const [run] = (await server.call('GET', path)).json.preprocessor_runs;
    expect(run.output_payload.fetched_results).toMatchObject([
      { url: 'https://example.com/', status: 'succeeded', provider: 'jina' },
    ]);
    expect((await booked('jina')).calls).toBe(1);
  });

  it('answers its price with dry_run, and sends and records nothing', async () => {
    const rows = async () => (await server.call('GET', '/v1/usage')).json.rows;
    const before = await rows();
    const sessions = await server.call('GET', '/v1/sessions');
    const search = await probe('exa', { operation: 'search' }, '?dry_run=true');
    expect(DryRun.strict().parse(search.json)).toMatchObject({
      calls: [{ provider: 'exa', batch_index: 0, cost_kind: expect.any(String) }],
    });
    const page = await probe('firecrawl', { operation: 'fetch' }, '?dry_run=true');
    expect(page.json.calls).toMatchObject([{ provider: 'firecrawl', url: 'https://example.com/' }]);
    expect(server.sandbox.calls).toEqual([]);
    expect((await server.call('GET', '/v1/sessions')).text).toBe(sessions.text);
    expect(await rows()).toEqual(before);
  });

  it.each([
    ['exaa', { operation: 'search' }, 404, 'did you mean exa?'],
    ['nothing-like-it', { operation: 'search' }, 404, 'the providers are exa'],
    ['brave', { operation: 'fetch' }, 422, 'brave is a search provider; send \\"search\\"'],
    ['direct', { operation: 'search' }, 422, 'direct is a fetch provider; send \\"fetch\\"'],
    ['exa', { operation: 'both' }, 422, "Input should be 'search' or 'fetch'"],
    ['exa', {}, 422, 'Field required'],
    ['exa', { operation: 'search', url: 'https://example.com/' }, 422, 'leave it out'],
    ['exa', { operation: 'search', querry: 'x' }, 422, 'extra_forbidden'],
    [
      'exa',
      { operation: 'fetch', url: 'example.com' },
      422,
      'give an absolute http:// or https:// URL',
    ],
    ['direct', { operation: 'fetch', url: 'http://127.0.0.1/' }, 422, 'private or local'],
    ['brightdata', { operation: 'fetch' }, 422, 'no page that brightdata accepts'],
    ['serpapi', { operation: 'search' }, 400, 'SERPAPI_API_KEY is not set in the server settings'],
  ])(
    '%s with %j is refused with %i; nothing is sent or recorded',
    async (name, body, status, text) => {
      const before = (await server.call('GET', '/v1/sessions')).text;
      const answer = await probe(name, body);
      expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(text)]);
      expect((await server.call('GET', '/v1/sessions')).text).toBe(before);
      expect(server.sandbox.calls).toEqual([]);
    },
  );

  it('is bounded by the budget of the key', async () => {
    const poor = await server.makeKey('main');
    await server.server.store.keys.changeKey(poor.id, { monthlyBudgetMicros: 10 });
    const request = { body: { operation: 'search' }, key: poor.key };
    for (const query of ['', '?dry_run=true']) {
      const answer = await server.call('POST', `/v1/providers/exa/probe${query}`, request);
      expect(answer.status, answer.text).toBe(402);
    }
    expect(server.sandbox.calls).toEqual([]);
  });
});

const FOUND = { results: [{ url: 'https://example.com/a', title: 'A' }] };
const REFUSED = { status: 401, body: { error: 'Invalid API key' } };

const probeExa = async (server: VendorStub) => {
  const { json, status, text } = await server.call('POST', '/v1/providers/exa/probe', {
    body: { operation: 'search' },
  });
  expect(status, text).toBe(200);
  return ProbeResponse.strict().parse(json);
};
/** The error code of a plain search; null = it succeeded. */
const searchExa = async (server: VendorStub): Promise<string | null> => {
  const { json } = await server.search({
    user_input: { query: 'ferries' },
    search: { providers: { include: ['exa'] } },
  });
  return json.preprocessor_runs[0].error?.code ?? null;
};

test('a probe passes an open circuit, and its success closes it', async () => {
  const server = await startVendorStub(['exa']);
  server.reply('exa /search', REFUSED);
  expect(await searchExa(server)).toBe('invalid_credential');
  expect(await searchExa(server)).toBe('circuit_open');
  server.reply('exa /search', { body: FOUND });
  expect(await probeExa(server)).toMatchObject({ status: 'works', circuit: { state: 'closed' } });
  expect(await searchExa(server)).toBeNull();
});

test('a failed probe of an open circuit neither prolongs nor counts', async () => {
  const server = await startVendorStub(['exa']);
  server.reply('exa /search', REFUSED);
  await searchExa(server);
  const first = await probeExa(server);
  const second = await probeExa(server);
  expect(first).toMatchObject({
    status: 'failed',
    error: { code: 'invalid_credential', http_status: 401, retryable: false },
    result_count: null,
    calls: 1,
    cost_usd: null,
    circuit: { state: 'open', cause: 'invalid_credential' },
  });
  expect(second.circuit.retry_after_ms).toBeLessThanOrEqual(first.circuit.retry_after_ms ?? 0);
  expect(server.calls('exa /search')).toBe(3);
  expect(server.logged().match(/provider cools down/g)).toHaveLength(1);
});

test('a probe that succeeds does not lift a rate limit, which may let single calls through', async () => {
  const server = await startVendorStub(['exa']);
  server.reply('exa /search', { status: 429, headers: { 'retry-after': '60' }, body: {} });
  expect(await searchExa(server)).toBe('rate_limited');
  server.reply('exa /search', { body: FOUND });
  expect(await probeExa(server)).toMatchObject({
    status: 'works',
    circuit: { state: 'open', cause: 'rate_limited' },
  });
  expect(await searchExa(server)).toBe('circuit_open');
});

test('a probe of a closed circuit counts as any call, and is sent once', async () => {
  const server = await startVendorStub(['exa']);
  server.reply('exa /search', { status: 503, body: {} });
  expect(await probeExa(server)).toMatchObject({ status: 'failed', circuit: { state: 'closed' } });
  expect(server.calls('exa /search')).toBe(1);
  server.reply('exa /search', REFUSED);
  expect(await probeExa(server)).toMatchObject({ circuit: { state: 'open' } });
  expect(await searchExa(server)).toBe('circuit_open');
});

test('a page that cannot be read is not a failure of the provider', async () => {
  const server = await startVendorStub(['jina']);
  const gone = {
    data: {
      url: 'https://example.com/',
      content: '',
      warning: 'Target URL returned error 404: Not Found',
    },
  };
  server.reply('jina /', { body: gone });
  const { json } = await server.call('POST', '/v1/providers/jina/probe', {
    body: { operation: 'fetch', url: 'https://example.com/gone' },
  });
  expect(json).toMatchObject({ status: 'page_failed', circuit: { state: 'closed' } });
  expect(json.error.code).toBe('not_found');
});
