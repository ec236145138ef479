import { systemClock } from '@trawl/base';
import type { Permission } from '@trawl/contract';
import { type Answer, startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueKey } from '../../src/admin/key-admin.ts';

const QUERY = { user_input: { query: 'tidal power plants' } };
const PAGE = 'https://www.example.com/guides/rope-walks';

describe('a key that may only use some providers', () => {
  let server: TestServer;
  let key: string;
  beforeAll(async () => {
    server = await startTestServer({
      env: { DEFAULT_SEARCH_PROVIDERS: 'exa,brave', FETCH_CHAIN: 'firecrawl,jina,tavily' },
    });
    key = await keyFor(['brave', 'tavily']);
  });
  afterAll(() => server.stop());

  async function keyFor(
    allowedProviders: readonly string[] | null,
    permissions: readonly Permission[] = ['search', 'fetch', 'read'],
  ): Promise<string> {
    const made = await issueKey(server.server.store.keys, systemClock, {
      projectId: server.projectId,
      name: 'narrow',
      permissions,
      expiresAt: null,
      allowedProviders,
    });
    return made.key;
  }

  const search = (body: object, path = '/v1/search', bearer = key): Promise<Answer> =>
    server.call('POST', path, { key: bearer, body: { ...QUERY, ...body } });
  const fetchPage = (options: object, bearer = key, url = PAGE): Promise<Answer> =>
    server.call('POST', '/v1/fetch', { key: bearer, body: { urls: [url], options } });
  const ranOn = ({ json }: Answer): string[] =>
    json.preprocessor_runs.map((run: { preprocessor_name: string }) => run.preprocessor_name);
  const chainOf = ({ json }: Answer): string[] =>
    json.preprocessor_runs[0].request_payload.options.providers;
  const callsSoFar = (): number => server.sandbox.calls.length;
  const recorded = async (): Promise<number> =>
    (await server.call('GET', '/v1/sessions?limit=200')).json.sessions.length;

  it('searches with those of the default set, and others with the whole set', async () => {
    expect(ranOn(await search({}))).toEqual(['brave']);
    expect(ranOn(await search({}, '/v1/search', await keyFor(null)))).toEqual(['exa', 'brave']);
    expect(ranOn(await search({ search: { providers: { include: ['tavily'] } } }))).toEqual([
      'tavily',
    ]);
  });

  it('is refused for others by name, wherever a search names them, with the names that it may use', async () => {
    const [calls, sessions] = [callsSoFar(), await recorded()];
    const refused = [
      [await search({ search: { providers: { include: ['exa', 'brave'] } } }), 'exa'],
      [await search({ preprocessor_names: ['exa', 'brave'] }, '/v1/interactions'), 'exa'],
      [await search({ search: { providers: { include: ['exa'] } } }, DRY), 'exa'],
      [await search({ search: { fallback: ['tavily', 'exa'] } }), 'exa'],
      [await search({ search: { fallback: ['exa'] } }, DRY), 'exa'],
      [await search({ search: { provider_overrides: { exa: { type: 'fast' } } } }), 'exa'],
      [await search({ search: { fallback: ['exa'] } }, '/v1/interactions'), 'exa'],
    ] as const;
    for (const [{ status, json }, name] of refused) {
      expect(status).toBe(403);
      expect(json.detail).toMatch(
        new RegExp(`this API key may not use ${name}; it may use: brave, tavily$`),
      );
    }
    const places = refused.map(([{ json }]) => json.detail.split(':')[0]);
    expect(places).toEqual([
      'search.providers.include',
      'preprocessor_names',
      'search.providers.include',
      'search.fallback',
      'search.fallback',
      'search.provider_overrides',
      'search.fallback',
    ]);
    expect(callsSoFar()).toBe(calls);
    expect(await recorded()).toBe(sessions);
  });

  it('may exclude a provider that it may not use', async () => {
    expect(ranOn(await search({ search: { providers: { exclude: ['exa'] } } }))).toEqual(['brave']);
  });

  it('is refused when it may use none that would run', async () => {
    const narrow = await keyFor(['tavily']);
    for (const answer of [
      await search({}, '/v1/search', narrow),
      await search({}, DRY, narrow),
      await search({ search: { providers: { exclude: ['tavily'] } } }, '/v1/search', narrow),
    ]) {
      expect([answer.status, answer.json.detail]).toEqual([
        403,
        'search.providers: this API key may use none of the providers that would run; it may use: tavily',
      ]);
    }
    // without the key's limits nothing would run either, so the request is at fault
    const excluded = { search: { providers: { exclude: ['exa', 'brave'] } } };
    expect((await search(excluded, '/v1/search', narrow)).status).toBe(400);
  });

  it('is refused after faults of the request that any key would be refused for', async () => {
    const include = (names: string[]) => ({ search: { providers: { include: names } } });
    expect((await search(include(['exa', 'no-such']))).status).toBe(400);
    expect(
      (await search({ search: { num_results: 0, providers: { include: ['exa'] } } })).status,
    ).toBe(422);
    expect((await fetchPage({ providers: ['firecrawl', 'no-such'] })).status).toBe(400);
  });

  it('probes only those', async () => {
    const probe = (name: string, path = '') =>
      server.call('POST', `/v1/providers/${name}/probe${path}`, {
        key: managing,
        body: { operation: 'search' },
      });
    const managing = await keyFor(['brave'], ['manage']);
    const calls = callsSoFar();
    for (const refused of [await probe('exa'), await probe('exa', '?dry_run=true')]) {
      expect([refused.status, refused.json.detail]).toEqual([
        403,
        'probe: this API key may not use exa; it may use: brave',
      ]);
    }
    expect(callsSoFar()).toBe(calls);
    expect((await probe('brave')).status).toBe(200);
  });

  it('auto-routes only to those', async () => {
    const answer = await search({ search: { auto_routing: 'accuracy' } });
    expect(answer.status).toBe(200);
    for (const name of ranOn(answer)) expect(['brave', 'tavily']).toContain(name);
    expect(ranOn(answer).length).toBeGreaterThan(0);
  });

  it('fetches with those of the default chain', async () => {
    expect(chainOf(await fetchPage({ no_cache: true }))).toEqual(['tavily']);
    expect(chainOf(await fetchPage({ no_cache: true }, await keyFor(null)))).toEqual([
      'firecrawl',
      'jina',
      'tavily',
    ]);
  });

  it('is refused for a pinned provider, or an empty chain, in the typed envelope', async () => {
    const [calls, sessions] = [callsSoFar(), await recorded()];
    const pinned = await fetchPage({ providers: ['tavily', 'jina'] });
    expect([pinned.status, pinned.json.error]).toEqual([
      403,
      expect.objectContaining({
        code: 'forbidden',
        param: 'options.providers[1]',
        message: expect.stringMatching(/may not use jina; it may use: brave, tavily$/),
      }),
    ]);
    const none = await fetchPage({}, await keyFor(['brave']));
    expect([none.status, none.json.error.code]).toEqual([403, 'forbidden']);
    const dry = await server.call('POST', '/v1/fetch?dry_run=true', {
      key,
      body: { urls: [PAGE], options: { providers: ['jina'] } },
    });
    expect(dry.status).toBe(403);
    expect(callsSoFar()).toBe(calls);
    expect(await recorded()).toBe(sessions);
  });

  it('gets no page from the cache that another provider fetched', async () => {
    const url = 'https://www.example.com/guides/solar-kilns';
    const wide = await keyFor(null);
    const chain = async (bearer: string) => {
      const { json } = await fetchPage({ tier: 'max' }, bearer, url);
      const [row] = json.preprocessor_runs[0].output_payload.fetched_results;
      return row.provider_chain.map(({ provider }: { provider: string }) => provider);
    };
    expect([await chain(wide), await chain(wide)]).toEqual([['firecrawl'], ['cache']]);
    expect([await chain(key), await chain(key)]).toEqual([['tavily'], ['cache']]);
  });

  it('gets a repeat from the record, although the key may not use its providers any more', async () => {
    const made = await issueKey(server.server.store.keys, systemClock, {
      projectId: server.projectId,
      name: 'repeats',
      permissions: ['search'],
      expiresAt: null,
    });
    const headers = { 'idempotency-key': 'once' };
    const send = () => server.call('POST', '/v1/search', { key: made.key, body: QUERY, headers });
    const first = await send();
    await server.server.store.keys.changeKey(made.record.id, { allowedProviders: ['tavily'] });
    await expect.poll(async () => (await search({}, '/v1/search', made.key)).status).toBe(403);
    const repeat = await send();
    expect(repeat.headers.get('idempotency-replayed')).toBe('true');
    expect(repeat.text).toBe(first.text);
  });
});

const DRY = '/v1/search?dry_run=true';
