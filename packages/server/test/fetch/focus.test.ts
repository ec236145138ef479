import { startTestServer } from '@trawl/test-support/harness';
import { serveHttp } from '@trawl/test-support/loopback';
import { afterAll, describe, expect, test } from 'vitest';
import { fetchPages, pageAt, saidOf } from '../spec/support/fetch-tables.ts';
import { useServer } from '../spec/support/search-runs.ts';

const filler = 'Harbours, gulls and boats that wait for the wind fill this paragraph. '.repeat(8);
const ANSWER = 'The first pump ran in May 1987, below the old bridge.';
const BODY = [filler, filler, `<h2>History</h2><p>${ANSWER}</p>`, filler, filler]
  .map((part) => (part.startsWith('<') ? part : `<p>${part}</p>`))
  .join('');
const PAGE = `<!doctype html><title>Tidal power</title><article><h1>Tidal power</h1>${BODY}</article>`;

const vendors = useServer();
const site = await startTestServer({
  env: { FETCH_ALLOW_PRIVATE_HOSTS: '127.0.0.1', FETCH_CHAIN: 'direct' },
});
afterAll(() => site.stop());

const serve = () =>
  serveHttp((response, { url }) => {
    const status = url === '/gone' ? 404 : 200;
    response.writeHead(status, { 'content-type': 'text/html' }).end(PAGE);
  });

const focus = { query: 'When did the first pump run?', max_chars: 200 };
const PASSAGE = `## History\n\n${ANSWER}`;

describe('passages', () => {
  test('are parts of the content, with offsets in all of it', async () => {
    const { url } = await serve();
    const whole = (await fetchPages(site, url, { tier: 'max', focus })).row;
    expect(whole.passages).toEqual([{ text: PASSAGE, offset: whole.content.indexOf(PASSAGE) }]);
    expect([whole.chunks, whole.excerpt]).toEqual([[PASSAGE], PASSAGE]);
    expect(saidOf(whole, 'capability_gap').join()).not.toMatch(/chunks|excerpt/);
    const options = { tier: 'extended', inline_max_chars: 10, no_cache: true, focus } as const;
    const cut = (await fetchPages(site, url, options)).row;
    expect(cut).toMatchObject({ truncated: true, passages: whole.passages });
    expect(cut).not.toHaveProperty('excerpt');
    const without = (await fetchPages(site, url, { ...options, inline_content: false })).row;
    expect(without).not.toHaveProperty('content');
    expect(without.passages).toEqual(whole.passages);
  });

  test('are found in a cached page for another query, without a fetch', async () => {
    const { url, received } = await serve();
    const first = (await fetchPages(site, url, { tier: 'extended', focus })).row;
    const other = { query: 'gulls', max_chars: 1_000 };
    const second = (await fetchPages(site, url, { tier: 'extended', focus: other })).row;
    expect([first.cache_state, second.cache_state]).toEqual(['miss', 'hit']);
    expect(second.passages[0].text).toContain('gulls');
    const plain = (await fetchPages(site, url, { tier: 'extended' })).row;
    expect(plain.chunks).toEqual([]);
    expect(plain).not.toHaveProperty('passages');
    expect(received).toHaveLength(1);
  });

  test('are those of each caller that shares a fetch', async () => {
    const { url, received } = await serve();
    const rows = await Promise.all(
      ['first pump', 'gulls', 'zebra'].map(
        async (query) => (await fetchPages(site, url, { tier: 'extended', focus: { query } })).row,
      ),
    );
    expect(rows.map(({ passages }) => passages.length > 0)).toEqual([true, true, false]);
    expect(rows[0].passages).not.toEqual(rows[1].passages);
    expect(received).toHaveLength(1);
  });

  test.each(['tinyfish', 'exa', 'parallel', 'jina', 'firecrawl', 'tavily', 'linkup', 'you'])(
    'of a page from %s are parts of its content',
    async (provider) => {
      const options = { providers: [provider], tier: 'max', inline_max_chars: 1_000_000 } as const;
      const { content } = (await fetchPages(vendors(), pageAt(), options)).row;
      const [word = ''] = [...content.matchAll(/\p{L}{6,}/gu)].map(([found]) => found);
      const asked = { ...options, focus: { query: word, max_chars: 500 } };
      const { row } = await fetchPages(vendors(), pageAt(), asked);
      expect(row.passages.length).toBeGreaterThan(0);
      for (const { text, offset } of row.passages) {
        expect([...row.content].slice(offset, offset + [...text].length).join('')).toBe(text);
      }
      expect(row.excerpt).toBe(row.chunks.join('\n\n'));
      expect(row.excerpt.length).toBeLessThanOrEqual(500);
    },
  );

  test('of a failed page are missing', async () => {
    const { url } = await serve();
    const { row } = await fetchPages(site, `${url}/gone`, { tier: 'extended', focus });
    expect(row).toMatchObject({ status: 'failed', passages: [], chunks: [] });
  });

  test.each(['minimalist', 'default'] as const)('tier %s has none, and says so', async (tier) => {
    const { url } = await serve();
    const { row } = await fetchPages(site, url, { tier, focus });
    expect(row).not.toHaveProperty('passages');
    expect(saidOf(row, 'focus_ignored')).toEqual([
      `focus: it has no effect at tier ${tier}; send options.tier extended or max for passages`,
    ]);
  });

  test('the request is recorded with its default', async () => {
    const { url } = await serve();
    const options = { tier: 'extended', focus: { query: 'pump' } } as const;
    const { run } = await fetchPages(site, url, options);
    expect(run.request_payload.options.focus).toEqual({ query: 'pump', max_chars: 4_000 });
  });
});

describe('a focus that cannot be used', () => {
  test.each([
    ['query', { query: '' }],
    ['query', { query: '  ' }],
    ['query', { query: '?! …' }],
    ['query', { query: 'tide '.repeat(200_000) }],
    ['query', { query: 7 }],
    ['query', {}],
    ['max_chars', { query: 'tide', max_chars: 0 }],
    ['max_chars', { query: 'tide', max_chars: 20_001 }],
    ['max_chars', { query: 'tide', max_chars: '9' }],
    ['words', { query: 'tide', words: 5 }],
  ])('is refused at %s: %o', async (field, value) => {
    const options = { tier: 'extended', focus: value };
    const answer = await site.fetch({ urls: ['https://mill.example/'], options });
    expect(answer.status).toBe(422);
    expect(answer.json.error).toMatchObject({
      code: 'invalid_request',
      param: `options.focus.${field}`,
    });
    expect(answer.text.length).toBeLessThan(5_000);
  });

  test('of the wrong kind is refused, and null is absent', async () => {
    const ask = (value: unknown) =>
      site.fetch({ urls: ['http://127.0.0.2/'], options: { focus: value } });
    expect((await ask('tide')).json.error.param).toBe('options.focus');
    expect((await ask(null)).status).toBe(200);
  });
});
