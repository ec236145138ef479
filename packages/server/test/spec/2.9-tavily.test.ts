import { expect, test } from 'vitest';
import { fetchPage, gapsOfRow, PAGE, pageOf, useStubFor } from './support/fetched-pages.ts';
import { bodiesTo, callsTo, useServer } from './support/search-runs.ts';

const server = useServer();
const stub = useStubFor('tavily');

test('2.9 tavily: one URL in, one document out: two URLs are two calls', async () => {
  const urls = [PAGE, 'https://www.example.com/guides/rope-walks'];
  const { rows } = await fetchPage(server(), urls, { providers: ['tavily'] });
  expect(rows.map(({ title }) => title)).toEqual(['Solar kilns', 'Rope walks']);
  const asked = (bodiesTo(server(), 'tavily') as { urls: string[] }[]).map((body) => body.urls);
  expect(asked.sort()).toEqual(urls.map((url) => [url]).sort());
  expect(callsTo(server(), 'tavily').map(({ path }) => path)).toEqual(['/extract', '/extract']);
});

test('2.9 tavily: title, favicon and images', async () => {
  const { row } = await pageOf(server(), 'tavily', PAGE, { tier: 'extended' });
  expect([row.title, row.favicon]).toEqual(['Solar kilns', 'https://example.com/favicon.ico']);
  expect(row.images?.length).toBe(2);
});

test('2.9 tavily: it reports no upstream status', async () => {
  const { row } = await pageOf(server(), 'tavily');
  expect([row.http_status, gapsOfRow(row).includes('http_status')]).toEqual([null, true]);
});

test.each(['missing', 'blocked', 'error', 'slow', 'unknown-host'])(
  '2.9 tavily: a failed URL (/%s) is reported as a warning, without a status',
  async (word) => {
    const { row, warnings } = await fetchPage(server(), `https://www.example.com/${word}`, {
      providers: ['tavily'],
    });
    expect([row.status, row.http_status]).toEqual(['failed', null]);
    expect(warnings).toEqual([expect.stringMatching(/^provider_error .*tavily/)]);
    expect(row.warning).toMatch(/tavily/);
  },
);

const RELATIVE = 'https://www.example.com/relative/solar-kilns';

test('2.9 tavily: site-relative links in the markdown are flagged and not rewritten', async () => {
  const { row, warnings } = await pageOf(server(), 'tavily', RELATIVE);
  expect(warnings.filter((line) => line.startsWith('relative_links '))).toHaveLength(1);
  expect(row.content).toMatch(/\]\(\/[^/]/);
  expect(row.content).not.toMatch(/\]\(https?:\/\/www\.example\.com/);
  expect(row.warning).toEqual(expect.any(String));
});

test('2.9 tavily: a page with only absolute links is not flagged', async () => {
  const { row, warnings } = await pageOf(server(), 'tavily');
  expect(row.content).toMatch(/\]\(https:\/\//);
  expect(warnings.filter((line) => line.startsWith('relative_links'))).toEqual([]);
  expect(row.warning).toBeNull();
});

const TEXT = 'The kiln dries wood in the sun. '.repeat(40);
const page = (raw_content: string, more: object = {}) => ({
  body: {
    results: [{ url: PAGE, title: null, raw_content, ...more }],
    failed_results: [],
    request_id: 'r1',
  },
});

test.each([
  ['[prices](/prices)', true],
  ['![a kiln](/media/kiln.png)', true],
  ['[prices](prices/today)', true],
  ['[up](../index.html "Up")', true],
  ['[prices](https://www.example.com/prices)', false],
  ['[other](//cdn.example.net/a)', false],
  ['[write](mailto:kiln@example.com)', false],
  ['[below](#costs)', false],
  ['`[prices](/prices)`', false],
])('2.9 tavily: %s is site-relative: %s', async (link, expected) => {
  stub().respond(() => page(`${TEXT}\n\nSee ${link} here.`));
  const { row, warnings } = await pageOf(stub(), 'tavily');
  expect(warnings.some((line) => line.startsWith('relative_links '))).toBe(expected);
  expect(row.content).toContain(link);
});

test('2.9 rule 6: title falls back to the one known for the URL when it sends none', async () => {
  stub().respond(() => page(TEXT));
  const unknown = await pageOf(stub(), 'tavily');
  expect(unknown.row.title).toBeNull();
  expect(gapsOfRow(unknown.row)).not.toContain('title');
  await pageOf(stub(), 'firecrawl');
  expect((await pageOf(stub(), 'tavily')).row.title).toBe('Solar kilns');
  stub().respond(() => page(TEXT, { title: 'A newer title' }));
  expect((await pageOf(stub(), 'tavily')).row.title).toBe('A newer title');
  stub().respond(() => page(TEXT, { title: '  ' }));
  expect((await pageOf(stub(), 'tavily')).row.title).toBe('A newer title');
});
