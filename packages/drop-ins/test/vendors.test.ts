import { describe, expect, it } from 'vitest';
import type { Fetched, FoundPage, FoundRows, Sent } from '../src/declaration/declaration.ts';
import { DROP_INS } from '../src/registry.ts';

const TODAY = '2026-03-10';
const SERVER = 'https://trawl.example.com';

const prepared = (slug: string, path: string, sent: Sent, method = 'POST') => {
  const dropIn = DROP_INS.find((one) => one.slug === slug);
  const route = dropIn?.routes.find(
    (one) => one.path === path && (one.method === method || one.method === 'GET'),
  );
  if (route === undefined) throw new Error(`${slug} has no ${path}`);
  return route.prepare(sent, TODAY);
};
const search = (slug: string, path: string, sent: Sent) => {
  const read = prepared(slug, path, sent);
  if (read.kind !== 'search') throw new Error(JSON.stringify(read));
  return { ...read, answer: (rows: FoundRows) => read.answer(rows, SERVER) };
};
const load = (slug: string, path: string, sent: Sent) => {
  const read = prepared(slug, path, sent);
  if (read.kind !== 'fetch') throw new Error(JSON.stringify(read));
  return read;
};

const row = (name: string, given: Partial<FoundPage> = {}): FoundPage => ({
  url: `https://${name}.example/p?q=1`,
  title: `T ${name}`,
  summary: `S ${name}`,
  excerpt: `E1 ${name}\n\nE2 ${name}`,
  full_content: `F ${name}`,
  publish_date: '2026-01-02T03:04:05.000Z',
  thumbnail: 'thumb',
  favicon: 'icon',
  author: 'Ada',
  enrichments: {},
  score: 0.5,
  finds: [
    { provider: 'you', rank: 4 },
    { provider: 'exa', rank: 2 },
  ],
  ...given,
});
const bare = (name: string) =>
  row(name, {
    ...{ title: null, summary: null, excerpt: null, full_content: null, publish_date: null },
    ...{ thumbnail: null, favicon: null, author: null, score: 0.25, finds: [] },
  });
const found = (given: Partial<FoundRows> = {}): FoundRows => ({
  id: '01a21ddb-2f1d-779c-94fb-2f086c1956e6',
  seconds: 1.5,
  completedAt: '2026-03-10T00:00:00.000Z',
  costUsd: 0.007,
  query: 'tides',
  pages: [row('a'), bare('b'), row('c')],
  answer: 'in words',
  related: ['more', 'less'],
  held: 3,
  images: ['pic'],
  ownUnits: { credits: 3 },
  failed: [{ provider: 'brave', code: 'timeout' }],
  ...given,
});
const page = (name: string, given: object = {}) => ({
  ...{ url: `https://${name}.example/`, canonical_url: null, status: 'succeeded', error: null },
  ...{ title: `T ${name}`, content: `C ${name}`, content_format: 'markdown', images: ['i'] },
  ...given,
});
const lost = (name: string, code = 'not_found') =>
  page(name, { status: 'failed', error: { code, message: 'gone' }, http_status: 404 });
const fetched = (...rows: object[]): Fetched => ({
  ...{ id: 'i-d', seconds: 2, completedAt: '', costUsd: null },
  rows: rows as unknown as Fetched['rows'],
});
// biome-ignore lint/suspicious/noExplicitAny: bodies have the vendors' names
type Body = any;
const bodyOf = (answer: { readonly body: unknown }): Body => answer.body;

describe('tavily', () => {
  const ask = (sent: Sent) => search('tavily', '/search', { query: 'tides', ...sent }).ask;
  const answer = (sent: Sent, given: Partial<FoundRows> = {}) =>
    bodyOf(search('tavily', '/search', { query: 'tides', ...sent }).answer(found(given)));

  it('asks for what is wanted', () => {
    expect(ask({})).toMatchObject({
      numResults: 5,
      fields: ['publish_date'],
      filters: {},
      own: {},
    });
    expect(ask({ max_results: '0' }).numResults).toBe(1);
    expect(
      ask({
        ...{
          max_results: 7,
          topic: 'news',
          include_answer: 'advanced',
          include_raw_content: 'text',
        },
        ...{
          include_domains: ['a.example'],
          country: 'Germany',
          safe_search: true,
          end_date: '2026-03-01',
        },
        ...{ include_images: true, include_usage: true, time_range: 'w', start_date: '2026-02-02' },
      }),
    ).toEqual({
      ...{ query: 'tides', numResults: 7, fields: ['publish_date', 'full_content', 'answer'] },
      ownFields: ['enrichments', 'verticals', 'usage'],
      filters: {
        ...{ include_domains: ['a.example'], published_after: '2026-02-02', country: 'DE' },
        ...{ published_before: '2026-03-01', safe_search: 'moderate' },
      },
      own: { topic: 'news', include_raw_content: 'text', include_answer: 'advanced' },
    });
    expect(ask({ time_range: 'w' }).filters).toEqual({ published_after: '2026-03-03' });
    expect(ask({ days: 3 }).filters).toEqual({ published_after: '2026-03-07' });
    expect(ask({ days: 3, time_range: 'month' }).filters).toEqual({
      published_after: '2026-02-08',
    });
  });

  it('answers with rows and scores, its own where all rows have one', () => {
    const body = answer({ include_raw_content: true, include_favicon: true, include_usage: true });
    expect(body).toMatchObject({
      ...{ query: 'tides', answer: null, images: [], response_time: 1.5, usage: { credits: 3 } },
      results: [
        { content: 'S a', score: 0.5, raw_content: 'F a', favicon: 'icon' },
        { content: '', score: 0.25, raw_content: null },
        { content: 'S c', score: 0.5 },
      ],
    });
    expect(body.results[1]).not.toHaveProperty('published_date');
    const scored = (score: unknown) => row('x', { enrichments: { score } as never });
    const scores = (pages: FoundPage[]) =>
      answer({}, { pages }).results.map((one: Body) => one.score);
    expect(scores([scored(0.9), scored(0.8), scored(0.1)])).toEqual([0.9, 0.8, 0.1]);
    expect(scores([scored(0.9), scored(null), scored(0.1)])).toEqual([0.5, 0.5, 0.5]);
    expect(answer({ max_results: 0 }).results).toEqual([]);
    expect(answer({ include_answer: true, include_images: true })).toMatchObject({
      ...{ answer: 'in words', images: ['pic'] },
    });
  });

  it('adds up the credits of pages that it read itself', () => {
    const usage = (credits: number | null) => ({ usage: { units: { credits } } });
    const read = load('tavily', '/extract', { urls: ['a', 'b', 'c'], include_usage: true });
    expect(read.ask).toEqual({
      urls: ['a', 'b', 'c'],
      contentFormat: 'markdown',
      tier: 'extended',
    });
    const rows = [
      page('a', { provider: 'tavily', ...usage(2) }),
      page('b', { provider: 'exa', ...usage(50) }),
      page('c', { provider: 'tavily', ...usage(3) }),
      lost('d'),
    ];
    const body = bodyOf(read.answer(fetched(...rows)));
    expect(body).toMatchObject({ usage: { credits: 5 }, response_time: 2, request_id: 'i-d' });
    expect(body.results.map((one: Body) => one.raw_content)).toEqual(['C a', 'C b', 'C c']);
    expect(body.failed_results).toEqual([{ url: 'https://d.example/', error: 'not_found: gone' }]);
    expect(load('tavily', '/extract', { urls: 'a' }).ask.tier).toBe('default');
  });
});

describe('brave', () => {
  const ask = (sent: Sent) => search('brave', '/res/v1/web/search', { q: 'tides', ...sent }).ask;

  it('asks for a page, a span of days or a range, and a language in its words', () => {
    expect(ask({})).toMatchObject({ numResults: 20, filters: {}, own: {}, isLaterPage: false });
    expect(ask({ count: '3', offset: '2', goggles: 'g' })).toMatchObject({
      ...{ numResults: 3, own: { offset: 2, goggles: 'g' }, isLaterPage: true },
    });
    expect(ask({ offset: 0 })).toMatchObject({ own: {}, isLaterPage: false });
    expect(ask({ freshness: 'pw', country: 'ALL', search_lang: 'jp' }).filters).toEqual({
      ...{ published_after: '2026-03-03', language: 'ja' },
    });
    expect(
      ask({ freshness: '2026-01-01to2026-02-01', country: 'DE', search_lang: 'pt-br' }).filters,
    ).toEqual({
      ...{
        published_after: '2026-01-01',
        published_before: '2026-02-01',
        country: 'DE',
        language: 'pt',
      },
    });
    expect(ask({ extra_snippets: 'true' }).fields).toContain('excerpt');
  });

  it('answers with snippets and the parts of addresses', () => {
    const read = search('brave', '/res/v1/web/search', { q: 'x', extra_snippets: true });
    const [first, second] = bodyOf(read.answer(found())).web.results;
    expect(first).toEqual({
      ...{
        type: 'search_result',
        title: 'T a',
        url: 'https://a.example/p?q=1',
        description: 'S a',
      },
      ...{ page_age: '2026-01-02T03:04:05.000Z', thumbnail: { src: 'thumb' } },
      extra_snippets: ['E1 a', 'E2 a'],
      meta_url: {
        scheme: 'https',
        netloc: 'a.example',
        hostname: 'a.example',
        favicon: 'icon',
        path: '/p',
      },
    });
    expect(Object.keys(second)).toEqual(['type', 'title', 'url', 'meta_url']);
  });
});

describe('exa', () => {
  const read = (sent: Sent) => search('exa', '/search', { query: 'tides', ...sent });

  it('asks for texts by its options, and days of times', () => {
    expect(read({}).ask).toMatchObject({ numResults: 10, own: {}, ownFields: [] });
    expect(
      read({
        ...{ numResults: 3, startPublishedDate: '2026-01-01T23:00:00-05:00', moderation: false },
        contents: { text: true, highlights: { query: 'q' }, extras: { links: 2 }, maxAgeHours: 2 },
      }).ask,
    ).toMatchObject({
      numResults: 3,
      fields: expect.arrayContaining(['full_content', 'excerpt']),
      ownFields: ['enrichments'],
      filters: { published_after: '2026-01-02', safe_search: 'off' },
      own: { contents: { highlights: { query: 'q' }, extras: { links: 2 }, maxAgeHours: 2 } },
    });
  });

  it('cuts texts, keeps whole highlights as long as they fit, and has time in ms', () => {
    const contents = {
      text: { maxCharacters: 2 },
      highlights: { maxCharacters: 9 },
      summary: true,
    };
    const body = bodyOf(read({ contents }).answer(found()));
    expect(body).toMatchObject({
      ...{
        requestId: '01a21ddb2f1d779c94fb2f086c1956e6',
        searchTime: 1_500,
        costDollars: { total: 0.007 },
      },
      results: [
        { text: 'F ', highlights: ['E1 a', 'E2 a'], summary: 'S a', author: 'Ada' },
        {},
        {},
      ],
    });
    expect(body.results[1]).not.toHaveProperty('text');
    const highlights = (maxCharacters: number) =>
      bodyOf(read({ contents: { highlights: { maxCharacters } } }).answer(found())).results[0]
        .highlights;
    expect([highlights(7), highlights(3)]).toEqual([['E1 a'], ['E1 ']]);
    expect(bodyOf(read({}).answer(found({ costUsd: null })))).not.toHaveProperty('costDollars');
  });

  it('reads pages of an age in hours, and says how each ended', () => {
    const contents = load('exa', '/contents', {
      urls: ['a', 'b'],
      text: true,
      maxAgeHours: 2,
      extras: { links: 1 },
    });
    expect(contents.ask).toMatchObject({ urls: ['a', 'b'], maxAgeSeconds: 7_200 });
    const rows = [
      page('a', { links: ['l1', 'l2'], cache_state: 'hit' }),
      lost('b', 'blocked'),
      lost('c', 'odd'),
    ];
    expect(bodyOf(contents.answer(fetched(...rows)))).toMatchObject({
      requestId: 'id',
      results: [{ id: 'https://a.example/', text: 'C a', extras: { links: ['l1'] } }],
      statuses: [
        { status: 'success', source: 'cached' },
        { status: 'error', error: { tag: 'SOURCE_NOT_AVAILABLE', httpStatusCode: 404 } },
        { status: 'error', error: { tag: 'CRAWL_UNKNOWN_ERROR' } },
      ],
    });
  });
});

describe('firecrawl', () => {
  it('searches, with texts where a format is named', () => {
    const read = search('firecrawl', '/v2/search', { query: 'x', tbs: 'qdr:d', country: 'DE' });
    expect(read.ask).toMatchObject({
      ...{ numResults: 5, fields: [], filters: { country: 'DE', published_after: '2026-03-09' } },
    });
    const { web } = bodyOf(read.answer(found())).data;
    expect(web).toEqual([
      { url: row('a').url, title: 'T a', description: 'S a' },
      { url: row('b').url },
      { url: row('c').url, title: 'T c', description: 'S c' },
    ]);
    const withText = search('firecrawl', '/v2/search', {
      query: 'x',
      scrapeOptions: { formats: ['markdown'] },
    });
    expect(withText.ask.fields).toEqual(['full_content']);
    expect(bodyOf(withText.answer(found())).data.web[2]).toMatchObject({ markdown: 'F c' });
  });

  it('reads a page of an age in milliseconds, in the formats that are named', () => {
    const read = load('firecrawl', '/v2/scrape', {
      url: 'a.example',
      maxAge: 1_500,
      formats: ['markdown', 'links'],
    });
    expect(read.ask).toMatchObject({
      urls: ['http://a.example'],
      maxAgeSeconds: 2,
      tier: 'extended',
    });
    const body = bodyOf(
      read.answer(fetched(page('a', { links: ['l'], html: '<p>', http_status: 200 }))),
    );
    expect(body.data).toMatchObject({
      markdown: 'C a',
      links: ['l'],
      metadata: { statusCode: 200, scrapeId: 'i-d' },
    });
    expect(body.data).not.toHaveProperty('html');
    expect(load('firecrawl', '/v2/scrape', { url: 'https://a.example' }).ask).toMatchObject({
      tier: 'default',
    });
    const ends = ['timeout', 'not_found', 'odd'].map((code) =>
      read.answer(fetched(lost('a', code))),
    );
    expect(ends.map(({ status, body: { code } = {} as Body }: Body) => [status, code])).toEqual([
      [408, 'SCRAPE_TIMEOUT'],
      [500, 'SCRAPE_SITE_ERROR'],
      [500, 'SCRAPE_ALL_ENGINES_FAILED'],
    ]);
  });
});

describe('perplexity', () => {
  const read = (sent: Sent) => search('perplexity', '/search', { query: 'tides', ...sent });

  it('asks for hosts with or without a minus, and a span where no day is named', () => {
    expect(read({}).ask).toMatchObject({ numResults: 10, filters: {} });
    expect(
      read({ max_results: 99, search_language_filter: ['de', 'fr'], search_recency_filter: 'week' })
        .ask,
    ).toMatchObject({
      ...{ numResults: 20, filters: { language: 'de', published_after: '2026-03-03' } },
    });
    const days = { search_after_date_filter: '2/1/2026', search_recency_filter: 'week' };
    expect(read(days).ask.filters).toEqual({ published_after: '2026-02-01' });
    expect(read({ search_domain_filter: ['-a.example', '-b.example'] }).ask.filters).toEqual({
      exclude_domains: ['a.example', 'b.example'],
    });
  });

  it('cuts snippets at four characters for a token', () => {
    const body = bodyOf(
      read({ max_tokens_per_page: 1, display_server_time: true }).answer(found()),
    );
    expect(body).toMatchObject({ server_time: '2026-03-10T00:00:00.000Z' });
    expect(body.results.map((one: Body) => [one.snippet, one.date])).toEqual([
      ['E1 a', '2026-01-02'],
      ['', null],
      ['E1 c', '2026-01-02'],
    ]);
  });
});

describe('serper, searxng, jina, a reader, ollama and open-webui', () => {
  it('serper counts positions from 1, and names related searches', () => {
    const read = search('serper', '/search', {
      q: 'x',
      num: 50,
      hl: 'iw-IL',
      tbs: 'qdr:y',
      safe: 'active',
    });
    expect(read.ask).toMatchObject({
      ...{
        numResults: 20,
        filters: { language: 'he', published_after: '2025-03-10', safe_search: 'strict' },
      },
    });
    const body = bodyOf(read.answer(found()));
    expect(body.organic.map((one: Body) => [one.position, one.snippet, one.date])).toEqual([
      [1, 'S a', '2026-01-02T03:04:05.000Z'],
      [2, '', undefined],
      [3, 'S c', '2026-01-02T03:04:05.000Z'],
    ]);
    expect(body).toMatchObject({
      relatedSearches: [{ query: 'more' }, { query: 'less' }],
      credits: 1,
    });
    expect(bodyOf(search('serper', '/news', { q: 'x' }).answer(found())).news[0]).toMatchObject({
      ...{ source: 'a.example', imageUrl: 'thumb' },
    });
  });

  it('searxng has pages, engines and positions', () => {
    const read = (sent: Sent) => search('searxng', '/search', { q: 'x', format: 'json', ...sent });
    expect(
      read({ pageno: '2', language: 'en-US', safesearch: '2', time_range: 'day' }).ask,
    ).toMatchObject({
      ...{ numResults: 10, isLaterPage: true, own: { pageno: 2 } },
      filters: {
        language: 'en',
        country: 'US',
        safe_search: 'strict',
        published_after: '2026-03-09',
      },
    });
    expect(read({ pageno: 1, language: 'all' }).ask).toMatchObject({
      isLaterPage: false,
      own: {},
      filters: {},
    });
    const body = bodyOf(read({}).answer(found()));
    expect(body).toMatchObject({
      ...{ number_of_results: 3, answers: ['in words'], suggestions: ['more', 'less'] },
      unresponsive_engines: [['brave', 'timeout']],
    });
    expect(body.results[0]).toMatchObject({
      engine: 'you',
      engines: ['you', 'exa'],
      positions: [4, 2],
    });
  });

  it('jina has rows as JSON, or as numbered text', () => {
    const read = (sent: Sent) => search('jina', '/*', sent);
    expect(read({ path: 'two+words%3F' }).ask).toMatchObject({
      query: 'two words?',
      numResults: 5,
    });
    expect(
      read({ q: 'x', count: 3, num: 4, 'x-site': 'a.example', hl: 'en-GB' }).ask,
    ).toMatchObject({
      ...{ numResults: 4, filters: { language: 'en', include_domains: ['a.example'] } },
    });
    const text = String(read({ q: 'x' }).answer(found()).body);
    expect(text).toContain(
      '[3] Title: T c\n[3] URL Source: https://c.example/p?q=1\n[3] Description: S c',
    );
    expect(text).toContain('[2] Title: \n[2] URL Source: https://b.example/p?q=1\n\n[3]');
    const { data } = bodyOf(read({ q: 'x', accept: 'application/json' }).answer(found()));
    expect(data.map((one: Body) => one.content)).toEqual(['F a', '', 'F c']);
  });

  it('a reader takes an address in any encoding, and an age in seconds', () => {
    const read = (sent: Sent) => load('reader', '/*', sent);
    const urlOf = (url: string) => read({ url }).ask.urls[0];
    for (const url of [
      'https:/a.example/x',
      'https%3A%2F%2Fa.example%2Fx',
      'https://a.example/x',
    ]) {
      expect(urlOf(url)).toBe('https://a.example/x');
    }
    expect(read({ url: 'u', 'x-cache-tolerance': '60' }).ask.maxAgeSeconds).toBe(60);
    expect(
      read({ url: 'u', 'x-cache-tolerance': '60', 'x-no-cache': 'true' }).ask.maxAgeSeconds,
    ).toBe(0);
    expect(read({ url: 'u' }).answer(fetched(page('a')))).toEqual({
      ...{ body: 'C a', type: 'text/markdown; charset=utf-8' },
    });
    expect(read({ url: 'u' }).answer(fetched(lost('a')))).toMatchObject({ status: 422 });
  });

  it('ollama and open-webui have what was read', () => {
    expect(search('ollama', '/api/web_search', { query: 'x' }).ask.numResults).toBe(5);
    const results = bodyOf(
      search('ollama', '/api/web_search', { query: 'x' }).answer(found()),
    ).results;
    expect(results.map((one: Body) => one.content)).toEqual(['F a', '', 'F c']);
    expect(load('ollama', '/api/web_fetch', { url: 'a.example' }).ask.urls).toEqual([
      'https://a.example',
    ]);
    expect(search('open-webui', '/search', { query: 'x' }).ask.numResults).toBe(10);
    const documents = load('open-webui', '/load', { urls: ['a', 'b', 'a'] });
    expect(documents.ask.urls).toEqual(['a', 'b']);
    const body = bodyOf(
      documents.answer(fetched(page('a', { canonical_url: 'c' }), lost('b'), page('d'))),
    );
    expect(body.map((one: Body) => [one.page_content, one.metadata.source])).toEqual([
      ['C a', 'c'],
      ['C d', 'https://d.example/'],
    ]);
  });
});

it.each([
  ['tavily', [401, 432, 403, 400, 429, 500, 500]],
  ['exa', [401, 402, 403, 400, 429, 502, 503]],
  ['firecrawl', [401, 402, 403, 400, 429, 500, 503]],
  ['brave', [422, 402, 403, 422, 429, 502, 503]],
  ['serper', [403, 400, 400, 400, 429, 502, 503]],
  ['jina', [401, 402, 403, 422, 429, 502, 503]],
  ['perplexity', [401, 402, 403, 422, 429, 502, 503]],
  ['searxng', [401, 402, 403, 400, 429, 502, 503]],
])('%s answers a fault with its own status', (slug, statuses) => {
  const { fault } = DROP_INS.find((one) => one.slug === slug) ?? {};
  const shown = [401, 402, 403, 422, 429, 502, 503].map(
    (status) => fault?.({ status, message: 'm', requestId: 'r' }).status,
  );
  expect(shown).toEqual(statuses);
});
