import { expect, test } from 'vitest';
import { booked, fetchPage, gapsOfRow, PAGE, pageOf, useStubFor } from './support/fetched-pages.ts';
import { bodiesTo, callsTo, useServer } from './support/search-runs.ts';

const server = useServer();
const inChain = useServer({ env: { FETCH_CHAIN: 'firecrawl' } });
const stub = useStubFor('firecrawl');
const PDF = 'https://www.example.com/pdf/solar-kilns';
const FORMS = ['markdown', 'html', 'rawHtml', 'links', 'images', 'summary', 'screenshot'];

test('2.9 firecrawl: a browser render with HTML, links, images, summary and screenshot next to the markdown', async () => {
  const { row } = await pageOf(server(), 'firecrawl', PAGE, { tier: 'extended' });
  expect(row.raw_html).toMatch(/^<!doctype html>/);
  expect(row.html).toContain('<h2>Background</h2>');
  expect(row.links?.length).toBeGreaterThan(0);
  expect(row.images?.length).toBeGreaterThan(0);
  expect(row.summary).toEqual(expect.any(String));
  expect(row.screenshot).toMatch(/^https:\/\//);
  expect(row.content).toMatch(/^# Solar kilns/);
});

test('2.9 firecrawl: structured is only asked for at max, and costs extra', async () => {
  const extended = await pageOf(server(), 'firecrawl', PAGE, { tier: 'extended' });
  expect(extended.row).not.toHaveProperty('structured');
  expect(extended.row.usage?.units).toEqual({ credits: 1 });
  server().sandbox.clearCalls();
  const max = await pageOf(server(), 'firecrawl', PAGE, { tier: 'max' });
  const [body] = bodiesTo(server(), 'firecrawl') as { formats: unknown[] }[];
  expect(body?.formats).toEqual([...FORMS, expect.objectContaining({ type: 'json' })]);
  expect(max.row.structured).toMatchObject({ title: 'Solar kilns' });
  expect(max.row.usage?.units).toEqual({ credits: 5 });
  const costs = [await booked(server(), extended), await booked(server(), max)].flat();
  expect(costs.map(({ costMicros }) => costMicros)).toEqual([1_000, 5_000]);
});

test.each([
  ['https://x.com/example_archive', 'default', 30_000],
  ['https://twitter.com/example_archive/status/1', 'max', 34_000],
  ['https://mobile.twitter.com/example_archive', 'default', 30_000],
  ['https://archive.example.com/x.com', 'default', 1_000],
] as const)(
  '2.9 firecrawl: %s at %s is planned at the price that is then booked',
  async (url, tier, micros) => {
    const options = { providers: ['firecrawl'], tier };
    const plan = await server().call('POST', '/v1/fetch?dry_run=true', {
      body: { urls: [url], options },
    });
    expect(plan.json.calls[0].cost_usd).toBeCloseTo(micros / 1e6, 9);
    const found = await fetchPage(server(), url, options);
    expect((await booked(server(), found)).map(({ costMicros }) => costMicros)).toEqual([micros]);
  },
);

test.each([[['a', 'b']], ['text'], [5]])(
  '2.9 firecrawl: structured is an object; %j is kept in enrichments',
  async (json) => {
    const markdown = 'The kiln dries wood in the sun. '.repeat(40);
    stub().respond(() => ({ body: { success: true, data: { markdown, json, metadata: {} } } }));
    const { row } = await pageOf(stub(), 'firecrawl', PAGE, { tier: 'max' });
    expect([row.structured, row.enrichments]).toEqual([null, { json }]);
  },
);

test('2.9 firecrawl: a PDF is parsed, billed by the page, and its pages are counted', async () => {
  const fetched = await pageOf(server(), 'firecrawl', PDF, { tier: 'extended' });
  expect(fetched.row).toMatchObject({
    pdf_mode: 'parsed',
    page_count: 3,
    content_type: 'application/pdf',
    usage: { units: { credits: 3 }, cost_usd: 0.003 },
  });
  expect((await booked(server(), fetched)).map(({ costMicros }) => costMicros)).toEqual([3_000]);
});

test('2.9 firecrawl: pdf_mode is null without a page count', async () => {
  const { row } = await pageOf(server(), 'firecrawl', PAGE, { tier: 'extended' });
  expect([row.pdf_mode, row.page_count]).toEqual([null, null]);
  expect(gapsOfRow(row)).not.toContain('pdf_mode');
});

test('2.9 firecrawl: status, cache state, request id, usage, page count and type come from its page metadata', async () => {
  const metadata = {
    statusCode: 203,
    cacheState: 'hit',
    scrapeId: '0199c0de-0000-7000-8000-000000000001',
    creditsUsed: 7,
    numPages: 12,
    contentType: 'application/pdf',
    title: 'Solar kilns',
    url: PAGE,
  };
  const markdown = 'The kiln dries wood in the sun. '.repeat(40);
  stub().respond(() => ({ body: { success: true, data: { markdown, metadata } } }));
  const { row } = await pageOf(stub(), 'firecrawl', PAGE, { tier: 'extended' });
  expect(row).toMatchObject({
    http_status: 203,
    cache_state: 'hit',
    request_id: '0199c0de-0000-7000-8000-000000000001',
    usage: { requests: 1, units: { credits: 7 } },
    page_count: 12,
    content_type: 'application/pdf',
    pdf_mode: 'parsed',
    metadata,
  });
});

test('2.9 firecrawl: without page metadata they are null, not invented', async () => {
  const markdown = 'The kiln dries wood in the sun. '.repeat(40);
  stub().respond(() => ({ body: { success: true, data: { markdown } } }));
  const { row } = await pageOf(stub(), 'firecrawl', PAGE, { tier: 'extended' });
  expect(row).toMatchObject({
    http_status: null,
    cache_state: null,
    request_id: null,
    page_count: null,
    content_type: null,
    pdf_mode: null,
    js_rendered: true,
  });
});

test('2.9 firecrawl: in the default chain, without an age, its own default applies', async () => {
  await fetchPage(inChain(), PAGE, {});
  expect(bodiesTo(inChain(), 'firecrawl')[0]).not.toHaveProperty('maxAge');
});

test.each([
  ['missing', 404, 'not_found'],
  ['gone', 410, 'not_found'],
  ['blocked', 403, 'blocked'],
  ['error', 500, 'target_error'],
])(
  '2.9 firecrawl: /%s comes with status 200: the row fails with the status in its page metadata',
  async (word, status, code) => {
    const { row } = await fetchPage(server(), `https://www.example.com/${word}`, {
      providers: ['firecrawl'],
    });
    expect([row.status, row.http_status, row.error?.code]).toEqual(['failed', status, code]);
    expect(callsTo(server(), 'firecrawl')).toHaveLength(1);
  },
);
