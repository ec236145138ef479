import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '@trawl/base';
import { type Answer, startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueKey, type NewKey } from '../../src/admin/key-admin.ts';

const QUERY = { user_input: { query: 'tidal power plants' } };
const PAGE = 'https://www.example.com/guides/rope-walks';

let server: TestServer;
let site: Server;
let sitePort: number;

/** A site whose page /away leads to another name of the same machine. */
beforeAll(async () => {
  site = createServer((request, response) => {
    const target = `http://other.localtest.example:${sitePort}/page`;
    if (request.url === '/away') response.writeHead(302, { location: target }).end();
    else if (request.url === '/refresh') {
      response.setHeader('content-type', 'text/html');
      response.end(`<meta http-equiv="refresh" content="0; url=${target}">`);
    } else if (request.url === '/there') {
      response.writeHead(302, { location: `http://127.0.0.1:${sitePort}/page` }).end();
    } else if (request.url === '/disguised') {
      response.writeHead(302, { location: `http://127.0.0.1:${sitePort}/claims` }).end();
    } else if (request.url === '/claims') {
      response.setHeader('content-type', 'text/html');
      response.end(
        `<link rel="canonical" href="http://localhost:${sitePort}/disguised"><h1>Ropes</h1>
        <p>How a rope is laid in a walk, from yarn to strand.</p>`,
      );
    } else response.end('<h1>Ropes</h1><p>How a rope is laid in a walk, from yarn to strand.</p>');
  });
  await new Promise<void>((resolve) => {
    site.listen(0, '127.0.0.1', resolve);
  });
  sitePort = (site.address() as AddressInfo).port;
  server = await startTestServer({
    env: {
      DEFAULT_SEARCH_PROVIDERS: 'exa,searxng',
      FETCH_CHAIN: 'firecrawl,jina,direct',
      SEARCH_FALLBACK: 'auto',
      FETCH_ALLOW_PRIVATE_HOSTS: 'localhost,127.0.0.1',
    },
  });
});
afterAll(async () => {
  await server.stop();
  site.close();
});

async function keyWith(policy: Partial<NewKey>): Promise<string> {
  const made = await issueKey(server.server.store.keys, systemClock, {
    projectId: server.projectId,
    name: 'narrow',
    permissions: ['search', 'fetch', 'read'],
    expiresAt: null,
    ...policy,
  });
  return made.key;
}

const searchWith = (key: string, search: object = {}): Promise<Answer> =>
  server.search({ ...QUERY, search }, { key });
const fetchWith = (key: string, urls: string[], options: object = {}): Promise<Answer> =>
  server.fetch({ urls, options }, { key });
const rowOf = ({ json }: Answer) => json.preprocessor_runs[0].output_payload.fetched_results[0];

describe('a key that allows no training', () => {
  let key: string;
  beforeAll(async () => {
    key = await keyWith({ noTraining: true });
  });

  it('searches with those of the default set that train no models, and says which were left out', async () => {
    const { status, json } = await searchWith(key);
    expect(status).toBe(200);
    const [run, ...others] = json.preprocessor_runs;
    expect([run.preprocessor_name, others]).toEqual(['searxng', []]);
    expect(run.output_payload.warnings).toContainEqual({
      code: 'provider_skipped',
      message:
        'exa was left out: the key allows no training, and its vendor trains models on what is sent',
    });
    expect((await searchWith(server.key)).json.preprocessor_runs).toHaveLength(2);
  });

  it('is refused for others by name, before anything is sent', async () => {
    const before = server.sandbox.calls.length;
    const refused = await searchWith(key, { providers: { include: ['brave'] } });
    expect([refused.status, refused.json.detail]).toEqual([
      403,
      'search.providers.include: this API key may not use brave; it may use: searxng, direct, since it allows no training',
    ]);
    const pinned = await fetchWith(key, [PAGE], { providers: ['firecrawl'] });
    expect([pinned.status, pinned.json.error.code, pinned.json.error.param]).toEqual([
      403,
      'forbidden',
      'options.providers[0]',
    ]);
    const dry = await server.call('POST', '/v1/search?dry_run=true', { key, body: QUERY });
    expect(dry.json.calls.map((call: { provider: string }) => call.provider)).toEqual(['searxng']);
    expect(server.sandbox.calls.length).toBe(before);
  });

  it('does not fall back to others when those that it may use fail', async () => {
    const body = { user_input: { query: '[[searxng:status=500]]' } };
    const { json } = await server.search(body, { key });
    expect(json.preprocessor_runs).toHaveLength(1);
  });

  it('fetches along the rest of the chain, and each row says who was passed over', async () => {
    const row = rowOf(await fetchWith(key, [`http://localhost:${sitePort}/page`]));
    expect([row.status, row.provider]).toEqual(['succeeded', 'direct']);
    expect(row.warnings.map(({ code }: { code: string }) => code)).toEqual(
      expect.arrayContaining(['provider_skipped', 'provider_skipped']),
    );
    expect(row.warning).toContain('firecrawl was left out: the key allows no training');
  });

  it('asks no such vendor on a drop-in route either', async () => {
    const before = server.sandbox.calls.length;
    const answer = await server.call('POST', '/compat/exa/search', {
      key: null,
      headers: { 'x-api-key': key },
      body: { query: 'tidal power plants' },
    });
    expect(answer.status).toBe(200);
    const called = server.sandbox.calls.slice(before).map(({ vendor }) => vendor);
    expect([...new Set(called)]).toEqual(['searxng']);
  });
});

describe('a key for the pages of some hosts', () => {
  let key: string;
  beforeAll(async () => {
    key = await keyWith({ allowedDomains: ['example.com', 'localtest.example'] });
  });

  it('fetches these and their subdomains', async () => {
    const row = rowOf(await fetchWith(key, [PAGE], { providers: ['jina'] }));
    expect([row.status, row.provider]).toEqual(['succeeded', 'jina']);
  });

  it('is refused for other hosts, before anything is sent or recorded', async () => {
    const before = server.sandbox.calls.length;
    const others = ['https://example.org/', 'https://notexample.com/', 'http://127.0.0.1/'];
    for (const url of others) {
      const { status, json } = await fetchWith(key, [PAGE, url]);
      expect([status, json.error.code, json.error.param]).toEqual([403, 'forbidden', 'urls[1]']);
      expect(json.error.message).toContain('it may fetch those of: example.com, localtest.example');
    }
    const dropIn = await server.call('POST', '/compat/tavily/extract', {
      key,
      body: { urls: ['https://example.org/'] },
    });
    expect(dropIn.status).toBe(403);
    expect(server.sandbox.calls.length).toBe(before);
  });

  it('searches without this limit', async () => {
    expect((await searchWith(key)).status).toBe(200);
  });
});

describe('a key for the pages of one host, whose pages lead to another', () => {
  it.each(['away', 'refresh'])('gets no page of the other host: /%s', async (path) => {
    const url = `http://localhost:${sitePort}/${path}`;
    const key = await keyWith({ allowedDomains: ['localhost'] });
    const row = rowOf(await fetchWith(key, [url], { providers: ['direct'] }));
    expect([row.status, row.error.code]).toEqual(['failed', 'forbidden_address']);
    expect(JSON.stringify(row)).toContain('host_not_allowed');
  });

  it.each([
    ['that led to the other one', 'there'],
    ['that led to the other one, where it claims to be of this one', 'disguised'],
  ])('gets no page from the cache of other keys %s', async (_title, path) => {
    const url = `http://localhost:${sitePort}/${path}`;
    const chain = (row: { provider_chain: { provider: string }[] }) =>
      row.provider_chain.map(({ provider }) => provider);
    const wide = async () => rowOf(await fetchWith(server.key, [url], { tier: 'max' }));
    expect((await wide()).status).toBe('succeeded');
    expect(chain(await wide())).toEqual(['cache']);
    const key = await keyWith({ allowedDomains: ['localhost'] });
    const row = rowOf(await fetchWith(key, [url], { tier: 'max' }));
    expect([row.status, row.error?.code]).toEqual(['failed', 'forbidden_address']);
    expect(JSON.stringify(row)).toContain('host_not_allowed');
  });

  it('shares the cache with keys for the same hosts', async () => {
    const url = `http://localhost:${sitePort}/shared`;
    for (const expected of ['direct', 'cache']) {
      const key = await keyWith({ allowedDomains: ['localhost', 'example.com'] });
      const { provider_chain: chain } = rowOf(await fetchWith(key, [url], { tier: 'max' }));
      expect(chain.at(-1).provider).toBe(expected);
    }
  });
});
