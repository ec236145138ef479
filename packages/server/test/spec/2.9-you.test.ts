import { expect, test } from 'vitest';
import { fetchPage, gapsOfRow, PAGE, pageOf, useStubFor } from './support/fetched-pages.ts';
import { bodiesTo, callsTo, useServer } from './support/search-runs.ts';

const server = useServer();
const stub = useStubFor('you');
const TEXT = 'The kiln dries wood in the sun. '.repeat(40);

test.each([
  {},
  { max_age_seconds: 3_600 },
  { max_age_seconds: 0 },
  { no_cache: true },
  { no_cache: false },
])('2.9 you: always a fresh crawl: max_age is 0 for every request (%j)', async (options) => {
  await pageOf(server(), 'you', PAGE, options);
  expect(bodiesTo(server(), 'you')).toEqual([
    { urls: [PAGE], formats: ['markdown'], crawl_timeout: expect.any(Number), max_age: 0 },
  ]);
  expect(callsTo(server(), 'you').map(({ path }) => path)).toEqual(['/v1/contents']);
});

test('2.9 you: markdown, raw HTML and metadata', async () => {
  const { row } = await pageOf(server(), 'you', PAGE, { tier: 'extended' });
  expect(row.content).toMatch(/^# Solar kilns/);
  expect(row.raw_html).toMatch(/^<!doctype html>/);
  expect(row.metadata).toMatchObject({ site_name: 'Example', favicon_url: expect.any(String) });
  expect([row.title, row.favicon]).toEqual(['Solar kilns', 'https://example.com/favicon.ico']);
});

test('2.9 you: metadata is unchanged', async () => {
  const metadata = {
    site_name: null,
    favicon_url: 'https://x.example.com/f.ico',
    jsonld: [{ a: 1 }],
  };
  stub().respond(() => ({ body: [{ url: PAGE, title: 'Kilns', markdown: TEXT, metadata }] }));
  const { row } = await pageOf(stub(), 'you', PAGE, { tier: 'extended' });
  expect(row.metadata).toEqual(metadata);
});

test('2.9 you: a description in the metadata is used', async () => {
  const metadata = { opengraph: { 'og:description': 'How a kiln dries wood.' } };
  stub().respond(() => ({ body: [{ url: PAGE, title: 'Kilns', markdown: TEXT, metadata }] }));
  const { row } = await pageOf(stub(), 'you', PAGE, { tier: 'extended' });
  expect(row.description).toBe('How a kiln dries wood.');
});

test('2.9 you: a fresh crawl reports no cache state: null and a gap', async () => {
  const { row } = await pageOf(server(), 'you', PAGE);
  expect([row.cache_state, gapsOfRow(row).includes('cache_state')]).toEqual([null, true]);
});

test.each([
  ['empty markdown', [{ url: PAGE, title: '', markdown: '', html: null, metadata: null }]],
  ['null', [{ url: PAGE, title: 'Kilns', markdown: null, html: '<p>The kiln</p>' }]],
  ['no entry at all', []],
])('2.9 you: %s is not a page, and the chain moves on', async (_how, body) => {
  stub().respond(() => ({ body }));
  const { row, warnings } = await fetchPage(stub(), PAGE, { providers: ['you', 'tavily'] });
  expect([row.status, row.provider]).toEqual(['succeeded', 'tavily']);
  expect(warnings[0]).toMatch(/^provider_error .*you/);
});

test('2.9 rule 6: a blank title falls back to the one known for the URL', async () => {
  const url = 'https://www.example.com/guides/rope-walks';
  stub().respond(() => ({ body: [{ url, title: '', markdown: TEXT }] }));
  expect((await pageOf(stub(), 'you', url)).row.title).toBeNull();
  await pageOf(stub(), 'tavily', url);
  expect((await pageOf(stub(), 'you', url)).row.title).toBe('Rope walks');
});
