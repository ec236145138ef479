import { expect, test } from 'vitest';
import { fetchPage, gapsOfRow, PAGE, pageOf, useStubFor } from './support/fetched-pages.ts';
import { bodiesTo, callsTo, useServer } from './support/search-runs.ts';

const server = useServer();
const stub = useStubFor('tinyfish');
const TIME = { per_url_timeout_ms: expect.any(Number) };
const BASIC = { urls: [PAGE], format: 'markdown', ttl: 0, ...TIME };
const LINKED = { ...BASIC, links: true, image_links: true, page_metadata: true };

test('2.9 tinyfish: markdown with title, description, language, author and publish date', async () => {
  const { row } = await pageOf(server(), 'tinyfish', PAGE, { tier: 'extended' });
  expect(row).toMatchObject({
    content_format: 'markdown',
    title: 'Solar kilns',
    description: 'An article about solar kilns on Example.',
    language: 'en',
    author: expect.stringMatching(/\S/),
    publish_date: expect.stringMatching(/^\d{4}-\d\d-\d\d/),
  });
});

test.each([
  ['minimalist', BASIC],
  ['default', BASIC],
  ['extended', LINKED],
  ['max', LINKED],
] as const)('2.9 tinyfish: links and images from extended: %s', async (tier, body) => {
  const { row } = await pageOf(server(), 'tinyfish', PAGE, { tier });
  expect(bodiesTo(server(), 'tinyfish')).toEqual([body]);
  const isLinked = tier === 'extended' || tier === 'max';
  expect([(row.links ?? []).length > 0, (row.images ?? []).length > 0]).toEqual([
    isLinked,
    isLinked,
  ]);
});

test('2.9 tinyfish: favicon, thumbnail and metadata come with page_metadata, free of charge', async () => {
  const { row } = await pageOf(server(), 'tinyfish', PAGE, { tier: 'extended' });
  expect(row).toMatchObject({
    favicon: 'https://example.com/favicon.ico',
    thumbnail: expect.stringMatching(/^https:\/\//),
    metadata: { og: { title: 'Solar kilns' } },
  });
  expect(gapsOfRow(row)).not.toContain('metadata');
});

test.each([
  ['as a list', { og: { image: ['/a.png', '/b.png'] } }],
  ['as an object', { og: { image: { url: '/a.png' } } }],
  ['with its prefix', { og: { 'og:image': '/a.png' } }],
  ['of twitter only', { twitter: { image: '/a.png' }, og: 'none' }],
])('2.9 tinyfish: a preview image %s is read', async (_form, page_metadata) => {
  const result = { url: PAGE, text: '# Kilns\n\nA kiln dries wood.', page_metadata };
  stub().respond(() => ({ body: { results: [result], errors: [] } }));
  const { row } = await pageOf(stub(), 'tinyfish', PAGE, { tier: 'extended' });
  expect([row.thumbnail, row.favicon]).toEqual([new URL('/a.png', PAGE).href, null]);
});

test('2.9 tinyfish: where page_metadata is refused, the page comes without it and says so', async () => {
  stub().respond(({ body }) =>
    body.includes('page_metadata')
      ? {
          status: 400,
          body: { error: { code: 'INVALID_INPUT', details: [{ path: ['page_metadata'] }] } },
        }
      : { body: { results: [{ url: PAGE, text: '# Kilns\n\nA kiln dries wood.' }], errors: [] } },
  );
  const { row } = await pageOf(stub(), 'tinyfish', PAGE, { tier: 'extended' });
  expect([row.status, row.metadata]).toEqual(['succeeded', null]);
  expect(gapsOfRow(row)).toEqual(expect.arrayContaining(['favicon', 'thumbnail', 'metadata']));
});

const failed = (error: string, status?: number) => ({
  body: { results: [], errors: [{ url: PAGE, error, ...(status ? { status } : {}) }] },
});

test.each([
  ['bot_blocked', 403, 'blocked'],
  ['bot_blocked', undefined, 'blocked'],
  ['timeout', undefined, 'timeout'],
  ['empty_content', 200, 'empty_page'],
  ['target_http_error', 500, 'target_error'],
  ['target_unreachable', undefined, undefined],
  ['proxy_error', undefined, undefined],
  ['invalid_url', undefined, undefined],
  ['invalid_redirect_url', undefined, undefined],
  ['a_code_of_next_year', undefined, undefined],
  ['BOT_BLOCKED', undefined, 'blocked'],
])(
  '2.9 tinyfish: %s (%s) is a provider_error naming the code, and the chain moves on',
  async (reason, status, code) => {
    stub().respond(() => failed(reason, status));
    const { row, warnings } = await fetchPage(stub(), PAGE, {
      providers: ['tinyfish', 'firecrawl'],
      tier: 'extended',
    });
    expect([row.status, row.provider]).toEqual(['succeeded', 'firecrawl']);
    expect(warnings[0]).toMatch(new RegExp(`^provider_error .*tinyfish.*${reason}`, 'i'));
    if (status) expect(warnings[0]).toContain(String(status));
    expect(row.provider_chain?.map(({ provider, outcome }) => [provider, outcome])).toEqual([
      ['tinyfish', 'failed'],
      ['firecrawl', 'answered'],
    ]);
    if (code) expect(row.provider_chain?.[0]?.code).toBe(code);
  },
);

test.each([
  ['page_not_found', undefined],
  ['page_not_found', 404],
  ['target_http_error', 404],
  ['target_http_error', 410],
])(
  '2.9 tinyfish: %s (%s) means that the page does not exist: a failed row of a 200',
  async (reason, status) => {
    stub().respond(() => failed(reason, status));
    const { row, warnings } = await fetchPage(stub(), PAGE, { providers: ['tinyfish'] });
    expect([row.status, row.error?.code, row.http_status]).toEqual([
      'failed',
      'not_found',
      status ?? null,
    ]);
    expect(warnings).toEqual([expect.stringMatching(new RegExp(`^provider_error .*${reason}`))]);
  },
);

test.each(['missing', 'gone', 'blocked', 'error', 'slow', 'unknown-host', 'empty'])(
  '2.9 tinyfish: a page that it cannot fetch (/%s) still answers 200',
  async (word) => {
    const { row, warnings } = await fetchPage(server(), `https://www.example.com/${word}`, {
      providers: ['tinyfish'],
    });
    expect(row.status).toBe('failed');
    expect(warnings).toEqual([expect.stringMatching(/^provider_error .*tinyfish/)]);
    expect(callsTo(server(), 'tinyfish')).toHaveLength(1);
  },
);

test('2.9 tinyfish: neither a result nor an error is a failure too', async () => {
  stub().respond(() => ({ body: { results: [], errors: [] } }));
  const { row } = await fetchPage(stub(), PAGE, { providers: ['tinyfish', 'firecrawl'] });
  expect(row.provider).toBe('firecrawl');
});

test('2.9 tinyfish: a page without text is not a page', async () => {
  stub().respond(() => ({
    body: { results: [{ url: PAGE, title: 'Kilns', text: null }], errors: [] },
  }));
  const { row } = await fetchPage(stub(), PAGE, { providers: ['tinyfish'] });
  expect([row.status, row.error?.code]).toEqual(['failed', 'empty_page']);
});

test('2.9 tinyfish: status, cache state and request id are gaps: it reports none', async () => {
  const { row } = await pageOf(server(), 'tinyfish');
  expect([row.http_status, row.cache_state, row.request_id, row.js_rendered]).toEqual([
    null,
    null,
    null,
    null,
  ]);
  expect(gapsOfRow(row)).toEqual(
    expect.arrayContaining(['http_status', 'cache_state', 'request_id', 'js_rendered']),
  );
});
