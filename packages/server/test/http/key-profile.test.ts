import { systemClock } from '@trawl/base';
import type { KeyProfile } from '@trawl/contract';
import { describeMainlyOn } from '@trawl/test-support/databases';
import { type Answer, startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { issueKey } from '../../src/admin/key-admin.ts';

const QUERY = { user_input: { query: 'tidal power plants' } };
const PAGE = 'https://www.example.com/guides/rope-walks';

describeMainlyOn('SQLite', 'the profile of a key', (database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({
      database,
      env: { DEFAULT_SEARCH_PROVIDERS: 'exa,brave', FETCH_CHAIN: 'firecrawl,jina,tavily' },
    });
  });
  afterAll(() => server.stop());

  async function keyWith(profile: KeyProfile | null): Promise<string> {
    const made = await issueKey(server.server.store.keys, systemClock, {
      projectId: server.projectId,
      name: 'with defaults',
      permissions: ['search', 'fetch', 'read'],
      expiresAt: null,
      profile,
    });
    return made.key;
  }

  const search = (key: string, options?: object, more: object = {}): Promise<Answer> =>
    server.call('POST', '/v1/interactions', { key, body: { ...QUERY, search: options, ...more } });
  const fetchPage = (key: string, options?: object): Promise<Answer> =>
    server.call('POST', '/v1/fetch', { key, body: { urls: [PAGE], options } });
  const ranOn = ({ json }: Answer): string[] =>
    json.preprocessor_runs.map((run: { preprocessor_name: string }) => run.preprocessor_name);
  const firstRun = ({ json }: Answer) => json.preprocessor_runs[0];
  const rowOf = (answer: Answer) => firstRun(answer).output_payload.results[0];

  it('says what runs where a search does not, on both search routes', async () => {
    const key = await keyWith({
      search: {
        providers: { include: ['tavily'] },
        tier: 'minimalist',
        filters: { country: 'DE' },
      },
    });
    const found = await search(key);
    expect(ranOn(found)).toEqual(['tavily']);
    expect(firstRun(found).output_payload.filters).toEqual({ country: 'native' });
    expect(rowOf(found)).not.toHaveProperty('publish_date');
    const same = await server.call('POST', '/v1/search', { key, body: QUERY });
    expect(ranOn(same)).toEqual(['tavily']);
    const dry = await server.call('POST', '/v1/search?dry_run=true', { key, body: QUERY });
    expect(dry.json.calls).toMatchObject([{ provider: 'tavily', filters: { country: 'native' } }]);
  });

  it('leaves out providers that the server no longer knows, and says so', async () => {
    const gone = {
      code: 'provider_skipped',
      message: 'gone is in the profile of this key but is not a known provider; it was left out',
    };
    const some = await keyWith({
      search: { providers: { include: ['gone', 'tavily'], exclude: ['gone'] }, fallback: ['gone'] },
      fetch: { providers: ['gone', 'jina'] },
    });
    const found = await search(some);
    expect([found.status, ranOn(found)]).toEqual([200, ['tavily']]);
    expect(firstRun(found).output_payload.warnings).toContainEqual(gone);
    const read = await fetchPage(some);
    const [row] = read.json.rows ?? read.json.preprocessor_runs[0].output_payload.fetched_results;
    expect([read.status, row.provider]).toEqual([200, 'jina']);
    expect(row.warnings).toContainEqual(gone);

    const all = await keyWith({
      search: { providers: { include: ['gone'] } },
      fetch: { providers: ['gone'] },
    });
    expect(ranOn(await search(all))).toEqual(['exa', 'brave']);
    expect((await fetchPage(all)).status).toBe(200);
    // what a request itself names is its own fault
    expect((await search(all, { providers: { include: ['gone'] } })).status).toBe(400);
  });

  it('does not change the requests of other keys', async () => {
    expect(ranOn(await search(await keyWith(null)))).toEqual(['exa', 'brave']);
    expect(ranOn(await search(await keyWith({})))).toEqual(['exa', 'brave']);
  });

  it('gives way to each field of a request', async () => {
    const key = await keyWith({
      search: {
        providers: { include: ['tavily', 'exa'], exclude: ['you'] },
        tier: 'minimalist',
        filters: { include_domains: ['example.com'], language: 'de' },
      },
    });
    const named = await search(key, { providers: { include: ['brave'] }, tier: 'extended' });
    expect(ranOn(named)).toEqual(['brave']);
    expect(rowOf(named)).toHaveProperty('publish_date');
    expect(ranOn(await search(key, {}, { preprocessor_names: ['brave'] }))).toEqual(['brave']);
    expect(ranOn(await search(key, { providers: { exclude: ['exa'] } }))).toEqual(['tavily']);
    const fields = await search(key, { fields: ['url', 'publish_date'] });
    expect(rowOf(fields)).toHaveProperty('publish_date');
    const filtered = await search(key, { filters: { exclude_domains: ['example.org'] } });
    expect(firstRun(filtered).output_payload.filters).toEqual({
      exclude_domains: 'native',
      language: 'native',
    });
  });

  it('refuses a search that leaves nothing of it', async () => {
    const key = await keyWith({ search: { providers: { include: ['tavily'] } } });
    const answer = await search(key, { providers: { exclude: ['tavily'] } });
    expect([answer.status, answer.json.detail]).toEqual([
      400,
      expect.stringMatching(/^search\.providers: no provider is left to run/),
    ]);
  });

  it('falls back as it says, unless the request says otherwise', async () => {
    const profile = { search: { providers: { include: ['exa'] }, fallback: ['tavily'] } };
    const key = await keyWith(profile);
    const failing = { user_input: { query: 'tides @exa:500' } };
    const plan = async (options?: object) => {
      const body = { ...failing, search: options };
      const dry = await server.call('POST', '/v1/search?dry_run=true', { key, body });
      return dry.json.calls.map((call: { provider: string }) => call.provider);
    };
    expect(await plan()).toEqual(['exa', 'tavily']);
    expect(await plan({ fallback: 'off' })).toEqual(['exa']);
  });

  it('says which chain reads pages where a fetch does not', async () => {
    const key = await keyWith({ fetch: { providers: ['tavily'], tier: 'minimalist' } });
    const optionsOf = (answer: Answer) => firstRun(answer).request_payload.options;
    expect(optionsOf(await fetchPage(key))).toMatchObject({
      providers: ['tavily'],
      tier: 'minimalist',
    });
    expect(optionsOf(await fetchPage(key, { providers: ['jina'], tier: 'max' }))).toMatchObject({
      providers: ['jina'],
      tier: 'max',
    });
    expect(optionsOf(await fetchPage(await keyWith(null))).providers).toEqual([
      'firecrawl',
      'jina',
      'tavily',
    ]);
  });

  it('takes effect in a running server, and is kept by a rotation', async () => {
    const key = await keyWith(null);
    const { keys } = server.server.store;
    expect(ranOn(await search(key))).toEqual(['exa', 'brave']);
    const found = (await keys.listKeys(server.projectId)).at(-1);
    await keys.changeKey(found?.id ?? '', {
      profile: { search: { providers: { include: ['tavily'] } } },
    });
    await expect.poll(async () => ranOn(await search(key))).toEqual(['tavily']);
    await keys.changeKey(found?.id ?? '', { profile: null });
    await expect.poll(async () => ranOn(await search(key))).toEqual(['exa', 'brave']);
  });
});
