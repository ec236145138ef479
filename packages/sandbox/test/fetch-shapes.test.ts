import { describe, expect, test } from 'vitest';
import { fetchPage } from './fetch-support.ts';
import { post, rowsAt, useSandbox } from './support.ts';

const sandbox = useSandbox();
const u = 'https://atlas.example.org/wiki/tidal-energy-a-practical-guide';
const missing = 'https://atlas.example.org/wiki/missing';
const xKey = { 'x-api-key': 'test-key' };
const bearer = { authorization: 'Bearer test-key' };
const text = expect.any(String);

describe('exa', () => {
  const contents = async (body: object) => (await post(sandbox(), 'exa/contents', body, xKey)).body;

  test('gives a row for each fetched page and a status for each URL', async () => {
    const body = await contents({ urls: [u, missing], text: true });
    expect(body).toEqual({
      requestId: text,
      results: [
        {
          id: u,
          url: u,
          title: 'Tidal energy: a practical guide',
          publishedDate: expect.stringMatching(/Z$/),
          author: text,
          image: text,
          favicon: 'https://atlas.example.org/favicon.ico',
          text: expect.stringMatching(/^Tidal energy: a practical guide\n/),
        },
      ],
      statuses: [
        expect.objectContaining({ id: u, status: 'success' }),
        {
          id: missing,
          status: 'error',
          error: { tag: 'CRAWL_NOT_FOUND', httpStatusCode: 404 },
        },
      ],
      costDollars: { total: 0.001, contents: { text: 0.001 } },
    });
  });

  test('gives other contents only when they are requested, and charges each kind', async () => {
    const body = await contents({
      urls: [u],
      text: true,
      highlights: true,
      summary: {},
      extras: { links: 5, imageLinks: 2 },
      maxAgeHours: 0,
    });
    const [row] = rowsAt(body, 'results');
    expect(row).toMatchObject({ highlights: expect.any(Array), summary: text });
    expect(row?.extras).toEqual({ links: expect.any(Array), imageLinks: expect.any(Array) });
    expect(body.costDollars).toMatchObject({ total: 0.003 });
    expect(body.statuses).toEqual([{ id: u, status: 'success', source: 'crawled' }]);
    const [only] = rowsAt(await contents({ urls: [u], highlights: true }), 'results');
    expect(only).not.toHaveProperty('text');
  });

  test('drops an empty page unless the request keeps it', async () => {
    const empty = 'https://atlas.example.org/empty';
    expect(rowsAt(await contents({ urls: [empty] }), 'results')).toEqual([]);
    const kept = await contents({ urls: [empty], filterEmptyResults: false });
    expect(rowsAt(kept, 'results')).toMatchObject([{ text: '' }]);
  });
});

describe('firecrawl', () => {
  const scrape = async (body: object) =>
    (await post(sandbox(), 'firecrawl/v2/scrape', body, bearer)).body;

  test('gives markdown and metadata by default', async () => {
    const body = await scrape({ url: u });
    expect(body).toMatchObject({ success: true });
    expect(Object.keys(Object(body.data))).toEqual(['markdown', 'metadata']);
    expect(Object(body.data).metadata).toMatchObject({
      title: 'Tidal energy: a practical guide',
      sourceURL: u,
      statusCode: 200,
      contentType: 'text/html; charset=utf-8',
      cacheState: expect.stringMatching(/^(hit|miss)$/),
      scrapeId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      creditsUsed: 1,
      ogSiteName: ['Open Atlas', 'Open Atlas'],
    });
  });

  test('gives every format that is asked for, JSON at its price', async () => {
    const schema = { type: 'object', properties: { year: { type: 'number' } } };
    const names = ['markdown', 'html', 'rawHtml', 'links', 'images', 'summary', 'screenshot'];
    const { data } = await scrape({
      url: u,
      formats: [...names, { type: 'json', schema }],
      maxAge: 0,
    });
    expect(data).toMatchObject({
      html: expect.stringMatching(/^<h1>/),
      rawHtml: expect.stringMatching(/^<!doctype html>/),
      links: expect.arrayContaining([text]),
      images: expect.arrayContaining([text]),
      screenshot: expect.stringMatching(/^https:/),
      json: { year: expect.any(Number) },
      metadata: { cacheState: 'miss', creditsUsed: 5 },
    });
  });

  test('takes a dead page for a page, and counts those of a document', async () => {
    const dead = await scrape({ url: missing });
    expect(dead).toMatchObject({
      success: true,
      data: { markdown: expect.stringContaining('does not exist'), metadata: { statusCode: 404 } },
    });
    expect(await scrape({ url: 'https://atlas.example.org/pdf' })).toMatchObject({
      data: {
        metadata: { numPages: 3, totalPages: 3, creditsUsed: 3, contentType: 'application/pdf' },
      },
    });
  });
});

describe('tavily', () => {
  const extract = async (body: object) =>
    (await post(sandbox(), 'tavily/extract', body, bearer)).body;

  test('separates fetched pages from failed ones', async () => {
    expect(await extract({ urls: [u, missing] })).toEqual({
      results: [{ url: u, title: text, raw_content: expect.stringMatching(/^# Tidal/) }],
      failed_results: [{ url: missing, error: text }],
      response_time: expect.any(Number),
      request_id: text,
    });
  });

  test('gives text, chunks, images, favicon and usage when they are asked for', async () => {
    const body = await extract({
      urls: [u],
      format: 'text',
      include_images: true,
      include_favicon: true,
      include_usage: true,
    });
    const [row] = rowsAt(body, 'results');
    expect(row).toMatchObject({ images: expect.arrayContaining([text]), favicon: text });
    expect(row?.raw_content).not.toMatch(/^#|\]\(/m);
    expect(body.usage).toEqual({ credits: 0 });
    const [chunked] = rowsAt(await extract({ urls: u, query: 'tides' }), 'results');
    expect(String(chunked?.raw_content).split(' [...] ')).toHaveLength(3);
  });
});

describe('parallel', () => {
  const extract = async (body: object) =>
    (await post(sandbox(), 'parallel/v1/extract', body, xKey)).body;

  test('gives excerpts always, the whole page when asked, and a warning without an objective', async () => {
    const settings = { advanced_settings: { full_content: true } };
    const body = await extract({ urls: [u, missing], ...settings });
    expect(body).toEqual({
      extract_id: expect.stringMatching(/^extract_[0-9a-f]{32}$/),
      session_id: expect.stringMatching(/^session_/),
      results: [
        {
          url: u,
          title: text,
          publish_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
          excerpts: [text],
          full_content: expect.stringMatching(/^# Tidal/),
        },
      ],
      errors: [{ url: missing, error_type: 'fetch_error', http_status_code: 404, content: null }],
      warnings: [{ type: 'warning', message: text, detail: null }],
      usage: [
        { name: 'sku_extract_excerpts', count: 1 },
        { name: 'sku_extract_full_content', count: 1 },
      ],
    });
    const focused = await extract({ urls: [u], objective: 'tides' });
    expect(focused).toMatchObject({ warnings: null, results: [{ full_content: null }] });
  });
});

describe('linkup', () => {
  test('gives neither title nor address, and raw content only when asked', async () => {
    const plain = await post(sandbox(), 'linkup/v1/fetch', { url: u }, bearer);
    expect(Object.keys(plain.body)).toEqual(['markdown', 'favicon']);
    expect((await fetchPage(sandbox(), 'linkup', u)).body).toEqual({
      markdown: text,
      favicon: text,
      rawContent: expect.stringMatching(/^<!doctype html>/),
      contentType: 'text/html',
      images: expect.arrayContaining([{ alt: text, url: text }]),
    });
  });
});

describe('you', () => {
  test('gives one entry a URL, in their order, without text where the fetch failed', async () => {
    const formats = ['markdown', 'html', 'metadata'];
    const answer = await post(sandbox(), 'you/v1/contents', { urls: [missing, u], formats }, xKey);
    expect(JSON.parse(answer.text)).toEqual([
      { url: missing, title: '', markdown: '', html: null, metadata: null },
      {
        url: u,
        title: text,
        markdown: expect.stringMatching(/^# Tidal/),
        html: expect.stringMatching(/^<!doctype html>/),
        metadata: { site_name: 'Open Atlas', favicon_url: text, opengraph: expect.any(Object) },
      },
    ]);
    expect(answer.headers.get('x-ratelimit-limit')).toBe('10');
  });
});

describe('tinyfish', () => {
  const body = { urls: [u, missing], links: true, image_links: true };

  test.each(['/v1/fetch', '/'] as const)(
    'answers at %s, with pages and errors apart',
    async (path) => {
      const answer = await post(sandbox(), `tinyfish${path}`, body, xKey);
      expect(answer.body).toEqual({
        results: [
          {
            url: u,
            final_url: u,
            title: text,
            description: text,
            language: 'en',
            author: text,
            published_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
            format: 'markdown',
            text: expect.stringMatching(/^# Tidal/),
            links: expect.arrayContaining([text]),
            image_links: expect.arrayContaining([text]),
            latency_ms: expect.any(Number),
          },
        ],
        errors: [{ url: missing, error: 'page_not_found', status: 404 }],
      });
    },
  );

  test('refuses an invalid or forbidden address, for that URL alone', async () => {
    const urls = ['ftp://files.example.org/a', 'tides', 'http://127.0.0.1/', 'http://localhost/'];
    const answer = await post(sandbox(), 'tinyfish/v1/fetch', { urls }, xKey);
    expect(answer.body).toEqual({
      results: [],
      errors: urls.map((url) => ({ url, error: 'invalid_url' })),
    });
  });
});
