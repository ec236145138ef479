import { describe, expect, test } from 'vitest';
import { startVendorStub, type VendorStub } from '../support/vendor-stub.ts';

const FOUND = { results: [{ url: 'https://example.com/a', title: 'A' }] };
/** A row for each vendor answer in these tests. */
const ANSWERS: Readonly<Record<string, unknown>> = {
  'exa /search': FOUND,
  'exa /contents': { results: [{ url: 'https://example.com/a', text: 'The ferry runs daily.' }] },
  'brave /res/v1/web/search': { type: 'search', web: FOUND },
  'you /v1/search': { results: { web: FOUND.results } },
  'jina /': {
    data: { title: 'A', url: 'https://example.com/a', content: 'The ferry runs daily.' },
  },
  'firecrawl /v2/scrape': { success: true, data: { markdown: 'The ferry runs daily.' } },
};

/** The run of one search of one provider. */
async function searchOne(server: VendorStub, slug: string, more: object = {}) {
  const { status, json, text } = await server.search({
    user_input: { query: 'ferries' },
    search: { providers: { include: [slug] }, ...more },
  });
  expect(status, text).toBe(200);
  return json.preprocessor_runs[0];
}

/** The row of a fetch of one page. */
async function fetchOne(server: VendorStub, url: string, providers?: readonly string[]) {
  const { status, json, text } = await server.fetch({
    urls: [url],
    options: { tier: 'extended', ...(providers ? { providers } : {}) },
  });
  expect(status, text).toBe(200);
  return json.preprocessor_runs[0].output_payload.fetched_results[0];
}

const start = async (vendors: readonly string[], env = {}) => {
  const server = await startVendorStub(vendors, env);
  for (const [endpoint, body] of Object.entries(ANSWERS)) server.reply(endpoint, { body });
  return server;
};
const logLines = (server: VendorStub, message: string) =>
  server
    .logged()
    .split('\n')
    .filter((line) => line.includes(message))
    .map((line) => JSON.parse(line));

describe('4.1 a 403 that does not name the key fails only its own call', () => {
  test('2.9 rule 1: you without the scope for pages: the chain moves on, and its search still works', async () => {
    const server = await start(['you', 'jina'], { FETCH_CHAIN: 'you,jina' });
    server.reply('you /v1/contents', { status: 403, body: { detail: 'Missing required scopes' } });
    expect((await searchOne(server, 'you')).status).toBe('succeeded');
    for (const page of ['a', 'b']) {
      const row = await fetchOne(server, `https://example.com/${page}`);
      expect(row).toMatchObject({ status: 'succeeded', provider: 'jina' });
      expect(row.provider_chain[0]).toMatchObject({
        provider: 'you',
        outcome: 'failed',
        code: 'bad_request',
      });
      expect(row.warning).toBe('you: bad_request, HTTP 403');
    }
    expect(server.calls('you /v1/contents')).toBe(2);
    expect((await searchOne(server, 'you')).status).toBe('succeeded');
    expect(server.logged()).not.toContain('cools down');
  });

  test('2.9: firecrawl refuses a site: a verdict about that page, and the next page is read', async () => {
    const server = await start(['firecrawl']);
    const error = 'This website is not currently supported, please contact us';
    server.reply('firecrawl /v2/scrape', ({ text }) =>
      text.includes('unsupported')
        ? { status: 403, body: { success: false, error } }
        : { body: ANSWERS['firecrawl /v2/scrape'] },
    );
    const refused = await fetchOne(server, 'https://unsupported.example.com/', ['firecrawl']);
    expect(refused.error).toMatchObject({ code: 'blocked', provider: 'firecrawl' });
    expect(refused.error.message).toContain('unsupported_site');
    const good = await fetchOne(server, 'https://example.com/a', ['firecrawl']);
    expect(good).toMatchObject({ status: 'succeeded', provider: 'firecrawl' });
  });

  test('4.1: exa without the plan for an option: the same key still searches without it', async () => {
    const server = await start(['exa']);
    const body = { requestId: '0a', error: 'not in the plan', tag: 'ACCESS_DENIED' };
    server.reply('exa /search', ({ text }) =>
      text.includes('summary') ? { status: 403, body } : { body: FOUND },
    );
    const refused = await searchOne(server, 'exa', { tier: 'max' });
    expect(refused.error).toMatchObject({
      code: 'bad_request',
      http_status: 403,
      retryable: false,
      message:
        'exa gives this key no access to the search that was asked for (HTTP 403): use other options or another ' +
        'provider, or extend the plan or the scopes of the key with the provider',
    });
    expect((await searchOne(server, 'exa', { tier: 'minimalist' })).status).toBe('succeeded');
  });

  const DOCUMENTED: readonly (readonly [endpoint: string, body: unknown])[] = [
    ['brave /res/v1/web/search', { error: { code: 'FORBIDDEN', detail: 'No.' } }],
    ['linkup /v1/search', { error: { code: 'FORBIDDEN', message: 'No.', details: [] } }],
    ['linkup /v1/search', { error: { code: 'IP_NOT_WHITELISTED', message: 'No.', details: [] } }],
    ['linkup /v1/search', { error: { code: 'TASK_TYPE_NOT_SUPPORTED', message: 'No.' } }],
    ['perplexity /search', { error: { type: 'permission_error', message: 'No.', code: 403 } }],
    ['parallel /v1/search', { type: 'error', error: { ref_id: 'x', message: 'No.' } }],
    ['ceramic /search', { title: 'Forbidden', status: 403, code: 'forbidden' }],
    ['serpapi /search', { error: 'This account may not do this.' }],
    ['tinyfish /v1/search', { error: { code: 'FORBIDDEN', message: 'No.' } }],
    ['tavily /search', { detail: { error: 'No.' } }],
    ['you /v1/search', { detail: 'Missing required scopes' }],
    ['seltz /v1/search', '<html>Forbidden</html>'],
  ];
  test('4.1: the 403 of each vendor', async () => {
    const slugOf = (endpoint: string) => endpoint.split(' ')[0] ?? '';
    const server = await start(DOCUMENTED.map(([endpoint]) => slugOf(endpoint)));
    for (const [endpoint, body] of DOCUMENTED) {
      const slug = slugOf(endpoint);
      const before = server.calls(endpoint);
      server.reply(endpoint, { status: 403, body });
      for (const call of [1, 2]) {
        const { error } = await searchOne(server, slug);
        expect(error).toMatchObject({ code: 'bad_request', http_status: 403, provider: slug });
        expect(server.calls(endpoint)).toBe(before + call);
      }
    }
  });
});

describe('4.1 a refused credential opens the circuit of that operation at once', () => {
  test.each([
    ['exa', 'exa /search', 401, { error: 'x', tag: 'INVALID_API_KEY' }],
    ['you', 'you /v1/search', 401, { detail: 'Invalid or expired API key' }],
    // its 403 for a key of another plan names the key, and so does its 422
    ['brave', 'brave /res/v1/web/search', 403, { error: { code: 'SUBSCRIPTION_TOKEN_INVALID' } }],
    ['brave', 'brave /res/v1/web/search', 422, { error: { code: 'SUBSCRIPTION_TOKEN_INVALID' } }],
  ])('4.1: %s, %s, %i', async (slug, endpoint, status, body) => {
    const server = await start([slug]);
    server.reply(endpoint, { status, body });
    const codes = [await searchOne(server, slug), await searchOne(server, slug)].map(
      ({ error }) => error.code,
    );
    expect(codes).toEqual(['invalid_credential', 'circuit_open']);
    expect(server.calls(endpoint)).toBe(1);
    expect(logLines(server, 'provider cools down')).toEqual([
      expect.objectContaining({ provider: slug, operation: 'search', cause: 'invalid_credential' }),
    ]);
  });

  test('4.1: a refused search does not stop the fetch of the same provider', async () => {
    const server = await start(['exa']);
    server.reply('exa /search', { status: 401, body: { error: 'x', tag: 'INVALID_API_KEY' } });
    await searchOne(server, 'exa');
    const row = await fetchOne(server, 'https://example.com/a', ['exa']);
    expect(row).toMatchObject({ status: 'succeeded', provider: 'exa' });
    expect((await searchOne(server, 'exa')).error.code).toBe('circuit_open');
  });

  test('4.1: a rate limit of the search does not stop the fetch of the same provider', async () => {
    const server = await start(['exa']);
    const headers = { 'retry-after': '90' };
    server.reply('exa /search', { status: 429, headers, body: { error: 'slow down' } });
    expect((await searchOne(server, 'exa')).error.code).toBe('rate_limited');
    expect((await searchOne(server, 'exa')).error.code).toBe('circuit_open');
    const row = await fetchOne(server, 'https://example.com/a', ['exa']);
    expect(row).toMatchObject({ status: 'succeeded', provider: 'exa' });
  });
});

describe('2.11 overrides of one caller do not stop a provider for others', () => {
  test('2.11: after any failure that they caused, the next request without them is sent', async () => {
    const server = await start(['exa']);
    let status = 0;
    server.reply('exa /search', ({ text }) =>
      text.includes('"category":"news"') ? { status, body: { error: 'x' } } : { body: FOUND },
    );
    const overrides = { provider_overrides: { exa: { category: 'news' } } };
    for (status of [400, 402, 403, 501]) {
      for (let call = 0; call < 6; call += 1) {
        expect((await searchOne(server, 'exa', overrides)).status).toBe('failed');
      }
      expect((await searchOne(server, 'exa')).status).toBe('succeeded');
    }
  });

  test('4.1 a 401 still opens the circuit, because overrides cannot change the key', async () => {
    const server = await start(['exa']);
    server.reply('exa /search', { status: 401, body: { error: 'x' } });
    const overrides = { provider_overrides: { exa: { category: 'news' } } };
    expect((await searchOne(server, 'exa', overrides)).error.code).toBe('invalid_credential');
    expect((await searchOne(server, 'exa')).error.code).toBe('circuit_open');
  });
});
