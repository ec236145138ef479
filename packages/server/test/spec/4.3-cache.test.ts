import { describe, expect, test, vi } from 'vitest';
import {
  fetchPages,
  fieldsOf,
  ledgerOf,
  type Options,
  pageAt,
  type Row,
  saidOf,
  sha256,
  stepsOf,
  TIERS,
} from './support/fetch-tables.ts';
import { useServer } from './support/search-runs.ts';

const server = useServer();
const off = useServer({ env: { PAGE_CACHE_TTL_SECONDS: '0' } });

const EXTENDED = { tier: 'extended' } as const;
const calls = () => server().sandbox.calls.length;
const get = async (url: string, options: Options = {}): Promise<Row> =>
  (await fetchPages(server(), url, options)).row;

describe('4.3 the page cache', () => {
  test('4.3 cache: a second fetch of a page asks no provider; only the origin in the row differs', async () => {
    const url = pageAt('', '[[tinyfish:status=503]]');
    const first = await get(url, EXTENDED);
    const { row, answer } = await fetchPages(server(), url, EXTENDED);
    expect(calls()).toBe(2);
    expect(row).toMatchObject({ cache_state: 'hit', provider: 'firecrawl' });
    expect(stepsOf(row)).toEqual(['cache answered']);
    const { cache_state, provider_chain, latency_ms, warnings, warning, usage, ...same } = row;
    expect(first).toMatchObject(same);
    expect(saidOf(row, 'provider_error')).toEqual([]);
    expect(await ledgerOf(server(), answer.interaction_id)).toEqual(['firecrawl 0 succeeded']);
    const [booked] = await server().server.store.reader.ledger(
      server().projectId,
      answer.interaction_id,
    );
    expect(booked?.costMicros).toBe(0);
  });

  test('4.3 cache: of two suitable copies the younger one is served', async () => {
    const url = pageAt();
    const oneFails = () => server().sandbox.inject('tinyfish', 'status=503', { times: 1 });
    oneFails();
    const asked = [
      await get(url, { tier: 'max' }),
      await get(url, { max_age_seconds: 0 }),
      await get(url),
    ];
    expect(asked.map(({ provider }) => provider)).toEqual(['firecrawl', 'tinyfish', 'tinyfish']);
    expect(asked[2]?.cache_state).toBe('hit');
    oneFails();
    const renewed = [await get(url, { ...EXTENDED, max_age_seconds: 0 }), await get(url)];
    expect(renewed.map(({ provider }) => provider)).toEqual(['firecrawl', 'firecrawl']);
    expect(renewed[1]?.cache_state).toBe('hit');
  });

  test('4.3 cache: a page that is shown often is read back as it was answered each time', async () => {
    const url = pageAt();
    const { content } = await get(url);
    for (let hit = 0; hit < 6; hit += 1) {
      // which also reads the answer back
      const row = await get(url);
      expect(row).toMatchObject({ cache_state: 'hit', content });
    }
    // a shorter text is written anew each time
    expect(content?.length).toBeGreaterThan(1_000);
  });

  test('4.3 cache: a hit has no gap of cache_state', async () => {
    const url = pageAt();
    expect(saidOf(await get(url), 'capability_gap').join()).toContain('cache_state');
    const row = await get(url);
    expect(row.cache_state).toBe('hit');
    expect(saidOf(row, 'capability_gap').join()).not.toContain('cache_state');
  });

  test.each([
    ['tracking parameters', (url: string) => `${url}?utm_source=mail&gclid=5`],
    ['a fragment', (url: string) => `${url}#part`],
    ['scheme and host in capitals', (url: string) => url.replace(/^https:..news/, 'HTTPS://NEWS')],
    ['the default port', (url: string) => url.replace('.com/', '.com:443/')],
    ['a text fragment', (url: string) => `${url}#:~:text=tides`],
    ['the dot at the end of the host', (url: string) => url.replace('.com/', '.com./')],
  ])(
    '4.3 cache: pages are distinguished by their normalized URL: the same page except for %s',
    async (_, other) => {
      const url = pageAt();
      await get(url);
      const row = await get(other(url));
      expect([row.cache_state, row.url]).toEqual(['hit', other(url)]);
      expect(calls()).toBe(1);
    },
  );

  test.each([
    ['a trailing slash', (url: string) => `${url}/`],
    ['another parameter', (url: string) => `${url}?page=2`],
    ['www', (url: string) => url.replace('news', 'www.news')],
    ['http', (url: string) => url.replace('https', 'http')],
    ['a page of an app', (url: string) => `${url}#/settings`],
    ['a page of an older app', (url: string) => `${url}#!settings`],
  ])('4.3 cache: another page: %s', async (_, other) => {
    const url = pageAt('deep');
    await get(url);
    expect((await get(other(url))).cache_state).not.toBe('hit');
    expect(calls()).toBe(2);
  });

  test('4.3 cache: each format of a page is cached separately', async () => {
    const url = pageAt();
    await get(url, { content_format: 'markdown' });
    expect((await get(url, { content_format: 'text' })).cache_state).not.toBe('hit');
    expect(calls()).toBe(2);
  });

  test('4.3 cache: a project does not see what another one fetched', async () => {
    const url = pageAt();
    await get(url);
    const { key } = await server().makeKey('neighbour');
    const { row } = await fetchPages(server(), url, {}, {}, { key });
    expect(row.cache_state).not.toBe('hit');
    expect(calls()).toBe(2);
  });

  test('4.3 cache: two keys of one project share it', async () => {
    const url = pageAt();
    await get(url);
    const { key } = await server().makeKey('main', ['fetch', 'read']);
    const { row } = await fetchPages(server(), url, {}, {}, { key });
    expect(row.cache_state).toBe('hit');
  });

  test('2.8 providers: a pinned provider never serves from the cache', async () => {
    const url = pageAt();
    await get(url);
    for (let nth = 0; nth < 2; nth += 1) {
      const row = await get(url, { ...EXTENDED, providers: ['tinyfish'] });
      expect([row.cache_state, stepsOf(row)]).toEqual([null, ['tinyfish answered']]);
    }
    expect(calls()).toBe(3);
  });

  test('2.8 no_cache: the cache is not read', async () => {
    const url = pageAt();
    await get(url);
    expect((await get(url, { no_cache: true })).cache_state).not.toBe('hit');
    expect(calls()).toBe(2);
  });

  test('2.8 no_cache: the cache is not written', async () => {
    const url = pageAt();
    await get(url, { no_cache: true });
    expect((await get(url)).cache_state).not.toBe('hit');
    expect(calls()).toBe(2);
  });

  test('2.8 no_cache: it wins over max_age_seconds', async () => {
    const url = pageAt();
    await get(url);
    const row = await get(url, { no_cache: true, max_age_seconds: 3_600 });
    expect(row.cache_state).not.toBe('hit');
  });

  test('2.8 no_cache: false counts as absent', async () => {
    const url = pageAt();
    await get(url, { no_cache: false });
    expect((await get(url, { no_cache: false })).cache_state).toBe('hit');
  });

  test('2.8 max_age_seconds: 0 does not read the cache, but writes it', async () => {
    const url = pageAt();
    await get(url);
    expect((await get(url, { max_age_seconds: 0 })).cache_state).not.toBe('hit');
    expect(calls()).toBe(2);
    const other = pageAt();
    await get(other, { max_age_seconds: 0 });
    expect((await get(other)).cache_state).toBe('hit');
    expect(calls()).toBe(3);
  });

  test('2.8 max_age_seconds: a younger page is served', async () => {
    const url = pageAt();
    await get(url);
    expect((await get(url, { max_age_seconds: 3_600 })).cache_state).toBe('hit');
  });

  test('2.8 max_age_seconds: an older page is not', async () => {
    const url = pageAt();
    await get(url);
    await vi.waitFor(
      async () => expect((await get(url, { max_age_seconds: 1 })).cache_state).not.toBe('hit'),
      { timeout: 20_000, interval: 100 },
    );
    expect(calls()).toBe(2);
    expect((await get(url, { max_age_seconds: 1 })).cache_state).toBe('hit');
  });

  test('2.8 max_age_seconds is passed on to providers that have such a control', async () => {
    const url = pageAt();
    await get(url, { max_age_seconds: 60, providers: ['firecrawl'] });
    expect(server().sandbox.calls[0]?.json()).toMatchObject({ maxAge: 60_000 });
  });

  test.each(TIERS)('4.3 cache: a page of tier max serves tier %s with its fields', async (tier) => {
    const url = pageAt();
    await get(url, { tier: 'max' });
    const row = await get(url, { tier });
    expect(row.cache_state).toBe('hit');
    expect(Object.keys(row).sort()).toEqual(fieldsOf(tier).sort());
    expect(calls()).toBe(1);
  });

  test('4.3 cache: a page of a low tier does not serve a higher one', async () => {
    const url = pageAt();
    await get(url, { tier: 'default' });
    const row = await get(url, { tier: 'max' });
    expect([row.cache_state, row.links.length > 0]).toEqual([null, true]);
  });

  test('4.3 cache: whole bodies are kept; each answer is cut separately', async () => {
    const url = pageAt('long');
    const cut = await get(url, { inline_max_chars: 10 });
    const whole = await get(url, { inline_max_chars: 1_000_000 });
    expect([whole.cache_state, whole.truncated]).toEqual(['hit', false]);
    expect(whole.content).toHaveLength(cut.content_length);
    expect(sha256(whole.content)).toBe(cut.content_sha256);
    const without = await get(url, { inline_content: false });
    expect(without.cache_state).toBe('hit');
    expect((await get(url)).content).toHaveLength(20_000);
    expect(calls()).toBe(1);
  });

  test.each(['missing', 'gone', 'blocked', 'empty', 'shell', 'soft-404', 'paywall'])(
    '4.3 cache: a failed page is not kept: /%s',
    async (word) => {
      const url = pageAt(word);
      await get(url);
      const before = calls();
      await get(url);
      expect(calls()).toBe(2 * before);
    },
  );

  test('4.3 cache: a page that failed because of the providers is not kept', async () => {
    const url = pageAt();
    server().sandbox.inject('*', 'status=503');
    expect((await get(url)).status).toBe('failed');
    server().sandbox.clearFaults();
    expect((await get(url)).status).toBe('succeeded');
  });

  test('4.3 cache: a value in a cached page is not a gap, even if the tier would not have asked for it', async () => {
    const busy = ['tinyfish', 'firecrawl', 'parallel', 'tavily'];
    const url = pageAt('', busy.map((name) => `[[${name}:status=503]]`).join(' '));
    await get(url, { tier: 'max' });
    const row = await get(url, EXTENDED);
    expect(row).toMatchObject({ cache_state: 'hit', provider: 'exa', summary: expect.any(String) });
    const gaps = saidOf(row, 'capability_gap').join();
    for (const field of ['summary', 'links', 'images']) expect(gaps).not.toContain(`${field}:`);
    expect(gaps).toContain('http_status');
  });

  test('4.3 cache: PAGE_CACHE_TTL_SECONDS=0 switches it off', async () => {
    const url = pageAt();
    await fetchPages(off(), url);
    const { row } = await fetchPages(off(), url);
    expect(row.cache_state).toBeNull();
    expect(off().sandbox.calls).toHaveLength(2);
  });
});
