import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import { rowsOf } from '@trawl/client';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { mcpMount, overHttp, overStdio, sessionOf, textOf } from '@trawl/test-support/mcp-hosts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const BUDGET = 40_000;
/** Most characters of the whole list of tools, where all providers have a key and are named. */
const LIST_MAX = 6_300;

let server: TestServer;
let host: Client;
/** Of a server that is down. */
let lost: Client;
beforeAll(async () => {
  server = await startTestServer({ mounts: [mcpMount()] });
  host = await overHttp(server);
  lost = await overStdio({ url: 'http://127.0.0.1:9', key: 'tk_a' });
});
afterAll(async () => {
  await Promise.all([host?.close(), lost?.close()]);
  await server.stop();
});

const callOn = (client: Client, name: string, args: object) =>
  client.callTool({ name, arguments: { ...args } }) as Promise<CallToolResult>;
const call = (name: string, args: object) => callOn(host, name, args);

/** The text of a fetch of one page. */
const contentOf = (result: CallToolResult): string =>
  /<source [^\n]*>\n([\s\S]*?)\n(?:\[cut here[^\n]*\n)?<\/source>/.exec(textOf(result))?.[1] ?? '';

describe('web_search when its providers fail', () => {
  // the one retry of brave comes at once
  const failing = {
    query: '[[exa:status=401]] [[brave:status=500,retry-after=0]] tidal power',
  };

  test('asks another provider, and says whom it replaces', async () => {
    const result = await call('web_search', failing);
    expect(result.isError).not.toBe(true);
    expect(textOf(result)).toContain('FAILED: exa gave no results');
    expect(textOf(result)).toMatch(/- fallback_used \(\w+\): .* exa \(invalid_credential\), brave/);
  });

  test.each(['off', ['off'], []])('asks no other with %j', async (fallback) => {
    const result = await call('web_search', { ...failing, fallback });
    expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining('FAILED')]);
  });

  test.each([{ fallback: ['seltz', 'you'] }, { fallback: 'seltz, you' }])(
    'asks those that %j names',
    async (named) => {
      const result = await call('web_search', { ...failing, ...named });
      expect(textOf(result)).toContain('fallback_used (seltz)');
    },
  );
});

describe('the list of tools', () => {
  test('arguments are flat and typed, without keywords that hosts refuse', async () => {
    const { tools } = await host.listTools();
    for (const { name, inputSchema, description = '', annotations } of tools) {
      const fields = Object.entries(inputSchema.properties ?? {});
      for (const [field, schema] of fields) {
        expect(schema, `${name}.${field}`).toMatchObject({ type: expect.any(String) });
        expect(schema, `${name}.${field}`).toHaveProperty('description');
      }
      expect(JSON.stringify(inputSchema)).not.toMatch(
        /"(?:anyOf|oneOf|allOf|\$ref|\$defs|\$schema|additionalProperties|null|examples?|x-[^"]*)"/,
      );
      expect(description.length).toBeLessThan(2_000);
      expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
    }
  });

  test('arguments have the bounds and descriptions of the contract', async () => {
    const { tools } = await host.listTools();
    const [search, read] = tools.map(({ inputSchema }) => inputSchema);
    expect(search?.properties).toMatchObject({
      tier: { type: 'string', enum: ['minimalist', 'default', 'extended', 'max'] },
      num_results: { type: 'integer', minimum: 1, maximum: 20 },
      queries: { type: 'array', maxItems: 32 },
      include: { type: 'array', items: { type: 'string' } },
    });
    expect(read).toMatchObject({
      required: ['urls'],
      properties: { content_format: { type: 'string', enum: ['markdown', 'text'] } },
    });
  });

  test('the answer is text only, so that hosts do not pay for it twice', async () => {
    const { tools } = await host.listTools();
    for (const tool of tools) expect(tool).not.toHaveProperty('outputSchema');
    const found = await call('web_search', { query: 'tidal power' });
    const session_id = sessionOf(found);
    const read = await call('web_fetch', { urls: ['https://news.example.com/a'], session_id });
    const history = await call('search_history', { session_id });
    for (const result of [found, read, history]) {
      expect(Object.keys(result)).not.toContain('structuredContent');
      expect(result.content.map(({ type }) => type)).toEqual(['text']);
    }
  });

  test('the descriptions name the configured providers, and the cost of tiers', async () => {
    const [search, read] = (await host.listTools()).tools.map(
      ({ description = '' }) => description,
    );
    const rosters = [
      (await server.call('GET', '/v1/preprocessors')).json.preprocessors,
      (await server.call('GET', '/v1/fetch-providers')).json.fetch_providers,
    ];
    for (const [index, text] of [search, read].entries()) {
      for (const entry of rosters[index]) expect(text).toContain(entry.slug ?? entry.name);
      expect(text).toMatch(/same price; max buys paid content/);
    }
    expect(search).toMatch(/by default exa, brave; only when included /);
  });

  test('a provider without a key is not named, and no provider of an unreachable server is', async () => {
    const small = await startTestServer({
      mounts: [mcpMount()],
      env: { TAVILY_API_KEY: undefined },
    });
    const near = await overHttp(small);
    const textsOf = async (client: Client) =>
      (await client.listTools()).tools.map(({ description }) => description).join(' ');
    const [named, unnamed] = await Promise.all([textsOf(near), textsOf(lost)]);
    await near.close();
    await small.stop();
    expect(named).toContain('exa');
    expect(named).not.toContain('tavily');
    expect(unnamed).not.toContain('Configured providers');
    expect(unnamed).toContain('max buys paid content');
  });

  test('the list is short, since hosts pass it to the model with every task', async () => {
    const { tools } = await host.listTools();
    expect(JSON.stringify(tools).length).toBeLessThan(LIST_MAX);
  });
});

describe('filters', () => {
  test('are flat arguments; what a provider could not apply is in the answer', async () => {
    const result = await call('web_search', {
      ...{ query: 'tidal power', include: ['exa'] },
      ...{ include_domains: 'example.com, example.org', published_after: '2024-01-01' },
      language: 'de',
    });
    expect(server.sandbox.calls.at(-1)?.json()).toMatchObject({
      includeDomains: ['example.com', 'example.org'],
      startPublishedDate: '2024-01-01T00:00:00.000Z',
    });
    expect(textOf(result)).toContain(
      '- filter_unsupported (exa): language: exa has no language filter',
    );
  });

  test('with strict_filters a provider that cannot apply all does not run', async () => {
    const args = { query: 'tides', language: 'de', strict_filters: true };
    const some = await call('web_search', { ...args, include: ['exa', 'brave'] });
    expect(textOf(some)).toMatch(/provider_skipped.*exa cannot apply language/);
    const none = await call('web_search', { ...args, include: ['exa'] });
    expect([none.isError, textOf(none)]).toEqual([
      true,
      expect.stringContaining('no provider is left to run: exa (language)'),
    ]);
  });

  test('a wrong value is explained', async () => {
    const result = await call('web_search', { query: 'tides', country: 'Germany' });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('write two letters such as DE');
    expect(textOf(result)).toMatch(/\bcountry: /);
    expect(textOf(result)).not.toMatch(/body|search\./);
  });
});

describe('the budget', () => {
  test('a large search keeps every row and says how to get the rest', async () => {
    const queries = Array.from({ length: 8 }, (_, index) => `topic ${index}`);
    const args = { queries, tier: 'max', num_results: 20, include: ['exa'] };
    const result = await call('web_search', args);
    const text = textOf(result);
    expect(text.length).toBeLessThanOrEqual(BUDGET);
    expect(text.match(/^<results /gm)).toHaveLength(8);
    const { json } = await server.call(
      'GET',
      `/v1/sessions/${sessionOf(result)}/history?type=full`,
    );
    const rows = rowsOf(json.interactions[0]);
    expect(rows.length).toBeGreaterThan(8);
    for (const { url } of rows) expect(text).toContain(url);
    expect(text).toMatch(/Truncated to fit\. Search again with fewer providers/);
  });

  test('a long page is read on by offset, with nothing missing', async () => {
    const url = 'https://news.example.com/long';
    const whole = await server.fetch({
      urls: [url],
      options: { inline_max_chars: 1_000_000 },
    });
    const expected: string =
      whole.json.preprocessor_runs[0].output_payload.fetched_results[0].content;
    let read = '';
    while (read.length < 4_500) {
      const args = { urls: [url], inline_max_chars: 1_500, offset: read.length };
      const part = contentOf(await call('web_fetch', args));
      expect(part).toHaveLength(1_500);
      read += part;
    }
    expect(read).toBe(expected.slice(0, 4_500));
  });

  test('of a page with focus only the passages are shown, from all of it', async () => {
    const url = 'https://news.example.com/long';
    const options = { inline_max_chars: 1_000_000 };
    const whole = await server.fetch({ urls: [url], options });
    const { content } = whole.json.preprocessor_runs[0].output_payload.fetched_results[0];
    const last: string = content
      .trim()
      .split(/\n{2,}/)
      .at(-1);
    const focus = last.slice(0, 150);
    const shown = contentOf(await call('web_fetch', { urls: [url], focus }));
    expect(shown).toContain(last.slice(0, 60));
    expect(shown.length).toBeLessThan(4_200);
    const none = await call('web_fetch', { urls: [url], focus: 'zyxwv', inline_max_chars: 50 });
    expect(contentOf(none)).toBe(content.slice(0, 50));
  });

  test('a page that is cut says where to read on', async () => {
    const url = 'https://news.example.com/a-page';
    const result = await call('web_fetch', { urls: [url], inline_max_chars: 100 });
    expect(textOf(result)).toContain('fetch the page again with offset 100');
    expect(textOf(result)).toContain('raise inline_max_chars for more');
    expect(textOf(result)).not.toContain('options.');
  });
});

describe('a list that a model sends as a string', () => {
  const runsOf = async (result: CallToolResult) => {
    const { json } = await server.call(
      'GET',
      `/v1/sessions/${sessionOf(result)}/history?type=full`,
    );
    const runs: { preprocessor_name: string; query: string }[] =
      json.interactions[0].preprocessor_runs;
    return runs.map(({ preprocessor_name, query }) => `${preprocessor_name}: ${query}`);
  };

  test.each([
    ['one name', { query: 'a', include: 'exa' }, ['exa: a']],
    ['names with commas', { query: 'a', include: 'exa, brave', exclude: 'brave' }, ['exa: a']],
    ['JSON', { queries: '["a","b"]', include: '["exa"]' }, ['exa: a', 'exa: b']],
    ['a query with commas', { queries: 'a, b', include: ['exa'] }, ['exa: a, b']],
    ['a query in brackets', { queries: '[a] b', include: ['exa'] }, ['exa: [a] b']],
    ['fields', { query: 'a', fields: 'url,title', include: 'exa' }, ['exa: a']],
    ['nothing', { query: 'a', include: 'exa', exclude: '', tier: null }, ['exa: a']],
  ])('%s', async (_name, args, runs) => {
    expect(await runsOf(await call('web_search', args))).toEqual(runs);
  });

  test('one URL, and two as JSON', async () => {
    const url = 'https://news.example.com/a,b';
    const one = await call('web_fetch', { urls: url });
    expect(textOf(one)).toContain(`<source number="1" url="${url}"`);
    expect(textOf(one)).toContain('1 of 1 pages fetched');
    const two = await call('web_fetch', { urls: JSON.stringify([url, `${url}2`]) });
    expect(textOf(two)).toContain('2 of 2 pages fetched');
  });

  test('anything else is refused by name', async () => {
    const result = await call('web_fetch', { urls: { 0: 'https://news.example.com' } });
    expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining('urls')]);
  });
});

describe('failures', () => {
  test('a search is an error when all runs failed, not when some did', async () => {
    const include = ['exa', 'brave'];
    const all = await call('web_search', {
      query: 'a [[exa:status=400]] [[brave:status=401]]',
      include,
      fallback: 'off',
    });
    expect(all.isError).toBe(true);
    expect(textOf(all)).toMatch(/^FAILED: exa .*check the query/m);
    expect(textOf(all)).toMatch(/^FAILED: brave .*check its API key/m);
    const one = await call('web_search', { query: 'a [[exa:status=400]]', include });
    expect(one.isError).toBeFalsy();
  });

  test('a fetch without a readable page is an error, and pages are counted', async () => {
    const missing = 'https://news.example.com/missing';
    const none = await call('web_fetch', { urls: [missing] });
    expect(none.isError).toBe(true);
    expect(textOf(none)).toContain('0 of 1 pages fetched');
    expect(textOf(none)).not.toContain('succeeded');
    const history = await call('search_history', { session_id: sessionOf(none) });
    expect(textOf(history)).toContain('0 of 1 pages fetched');
  });

  test('a refused argument has the name of the tool, not of the API', async () => {
    const wrong = await call('web_search', { query: 'a', published_after: 'soon' });
    expect(wrong.isError).toBe(true);
    expect(textOf(wrong)).toContain('published_after');
    expect(textOf(wrong)).not.toMatch(/body|search\./);
  });
});

describe('the history of a session', () => {
  test('a session with more interactions than one answer shows is continued with after', async () => {
    const session_id = sessionOf(await call('web_search', { query: 'first', include: ['exa'] }));
    for (let count = 1; count < 21; count += 1) {
      await call('web_search', {
        query: `query ${count}`,
        session_id,
        include: ['exa'],
        num_results: 1,
      });
    }
    const begin = textOf(await call('search_history', { session_id }));
    expect(begin).toContain('Pass next_after as `after`');
    expect(begin).not.toContain('"query 20"');
    const after = /^next_after: (\S+)$/m.exec(begin)?.[1];
    const end = textOf(await call('search_history', { session_id, after }));
    expect(end).toContain('"query 20"');
    expect(end).not.toContain('next_after');
  });
});

test('SEARCH_FALLBACK of the server holds as far as the key allows it', async () => {
  const searchFallback = ['tavily', 'you'];
  const narrow = await startTestServer({
    mounts: [mcpMount({ searchFallback })],
    env: { SEARCH_FALLBACK: searchFallback.join(',') },
  });
  try {
    const { id, key } = await narrow.makeKey('exa only');
    await narrow.server.store.keys.changeKey(id, { allowedProviders: ['exa'] });
    const client = await overHttp({ url: narrow.url, key });
    const result = await callOn(client, 'web_search', { query: 'tides' });
    await client.close();
    expect(result.isError, textOf(result)).not.toBe(true);
  } finally {
    await narrow.stop();
  }
});

describe('requests of real hosts', () => {
  const post = (accept: string | undefined, path = '/mcp', method = 'tools/list', params = {}) =>
    server.call('POST', path, {
      headers: accept === undefined ? {} : { accept },
      body: { jsonrpc: '2.0', id: 1, method, params },
    });

  test.each([
    ['application/json', 'application/json'],
    ['application/json;q=0.9', 'application/json'],
    ['*/*', 'application/json'],
    ['text/event-stream', 'text/event-stream'],
    ['application/json, text/event-stream', 'text/event-stream'],
  ])('a client that accepts %s gets %s', async (accept, type) => {
    const { status, headers, text } = await post(accept);
    expect([status, headers.get('content-type')]).toEqual([200, type]);
    const json = JSON.parse(
      type === 'application/json' ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? ''),
    );
    expect(json.result.tools).toHaveLength(3);
  });

  test('a tool that reports progress answers a client of plain JSON with its result alone', async () => {
    const args = { query: 'tides', include: ['exa'] };
    const params = { name: 'web_search', arguments: args, _meta: { progressToken: 1 } };
    const { status, json } = await post('application/json', '/mcp', 'tools/call', params);
    expect(status).toBe(200);
    expect(json).toMatchObject({ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text' }] } });
  });

  test('another type is still refused', async () => {
    expect((await post('text/html')).status).toBe(406);
  });

  test('a slash at the end of the address changes nothing', async () => {
    expect((await post('application/json', '/mcp/')).json.result.tools).toHaveLength(3);
  });

  test('the schemas of arguments have no keyword that hosts refuse', async () => {
    const { json } = await post('application/json');
    const refused = /^(?:\$schema|\$ref|\$defs|anyOf|oneOf|allOf|not|const|additionalProperties)$/;
    const walk = (value: unknown, path: string): string[] => {
      if (typeof value !== 'object' || value === null) return [];
      return Object.entries(value).flatMap(([key, inner]) => {
        const isBad =
          refused.test(key) ||
          (key === 'format' && inner !== 'date-time') ||
          (key === 'type' && Array.isArray(inner)) ||
          (key === 'enum' && inner.some((one: unknown) => typeof one !== 'string'));
        return [...(isBad ? [`${path}/${key}`] : []), ...walk(inner, `${path}/${key}`)];
      });
    };
    for (const { name, inputSchema } of json.result.tools)
      expect(walk(inputSchema, name)).toEqual([]);
  });
});

describe('permissions', () => {
  const post = (key: string | null, headers: Record<string, string> = {}) =>
    server.call('POST', '/mcp', {
      key,
      headers: { accept: 'application/json, text/event-stream', ...headers },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    });

  test('5.3 no key and a wrong key are refused with 401', async () => {
    expect([(await post(null)).status, (await post('tk_wrong')).status]).toEqual([401, 401]);
  });

  test('5.4 a key without these permissions is refused with 403', async () => {
    const { key } = await server.makeKey('powerless', []);
    const { status, json } = await post(key);
    expect(status).toBe(403);
    expect(json.detail).toContain('search, fetch, read');
  });

  test('5.4 each tool needs its own permission', async () => {
    const { key } = await server.makeKey('searchers', ['search']);
    const searcher = await overHttp({ url: server.url, key });
    const found = await callOn(searcher, 'web_search', { query: 'a', include: ['exa'] });
    const read = await callOn(searcher, 'web_fetch', { urls: ['https://news.example.com/a'] });
    await searcher.close();
    expect(found.isError).toBeFalsy();
    expect(read.isError).toBe(true);
    expect(textOf(read)).toMatch(/403.*"fetch"[\s\S]*trawl keys create --permissions/);
  });

  test('a request from another site is refused', async () => {
    expect((await post(server.key, { origin: 'https://elsewhere.example' })).status).toBe(403);
    expect((await post(server.key, { origin: server.url })).status).toBe(200);
  });
});

describe('problems', () => {
  test('without a key the tools are listed, and a call says what to set', async () => {
    const keyless = await overStdio({ url: server.url });
    expect((await keyless.listTools()).tools).toHaveLength(3);
    const result = await callOn(keyless, 'web_search', { query: 'a' });
    await keyless.close();
    expect([result.isError, textOf(result)]).toEqual([
      true,
      expect.stringMatching(/^SERVICE_API_KEY is not set: .*keys create[\s\S]* env block /),
    ]);
    expect(textOf(result)).not.toContain('connectionSettings');
    expect(keyless.faults).toEqual([]);
  });

  test('a server that is down is named with a remedy', async () => {
    const result = await callOn(lost, 'web_search', { query: 'a' });
    expect(textOf(result)).toMatch(/http:\/\/127\.0\.0\.1:9 was not reached: start it/);
  });

  test('settings of the client apply when a call does not set them, and what arrived at its time limit is returned', async () => {
    const settings = { SERVICE_PROVIDERS_INCLUDE: 'brave' };
    const client = await overStdio(server, 'auto', settings, ['--timeout', '1.5']);
    const plain = await callOn(client, 'web_search', { query: 'a' });
    expect(textOf(plain)).toContain('<results provider="brave" query="a">');
    const args = { query: 'a [[exa:latency=15000]]', include: ['exa', 'brave'] };
    const result = await callOn(client, 'web_search', args);
    await client.close();
    expect(textOf(result)).toContain('<results provider="brave"');
    expect(textOf(result)).toContain('The time limit was reached');
  });
});
