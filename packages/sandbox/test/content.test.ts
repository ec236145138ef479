import { describe, expect, test } from 'vitest';
import { startSandbox } from '../src/index.ts';
import { braveSearch, exaSearch, rowsAt, useSandbox } from './support.ts';

const sandbox = useSandbox();
const QUERIES = [
  'tidal energy',
  'What is the best way to learn TypeScript?',
  '你好 世界',
  'a',
  '"exact phrase" site:example.com -word',
];
const RESERVED = /^https:\/\/([a-z0-9-]+\.)+example\.(com|org|net)\//;

const exaUrls = async (query: string, numResults = 10) =>
  rowsAt((await exaSearch(sandbox(), { query, numResults })).body, 'results').map((row) =>
    String(row.url),
  );
const braveUrls = async (q: string, count = 10) =>
  rowsAt((await braveSearch(sandbox(), { q, count: String(count) })).body, 'web', 'results').map(
    (row) => String(row.url),
  );

/** What a careful reader would compare: no tracking parameters. */
function comparable(url: string): string {
  const parsed = new URL(url);
  for (const name of [...parsed.searchParams.keys()]) {
    if (name.startsWith('utm_')) parsed.searchParams.delete(name);
  }
  return parsed.href;
}

describe('the fictional web', () => {
  test('the same request gives the same bytes, also from another sandbox', async () => {
    const other = await startSandbox();
    const body = { query: 'tidal energy', contents: { text: true, highlights: true, summary: {} } };
    const query = { q: 'tidal energy', extra_snippets: 'true' };
    const [first, second, third] = [
      await exaSearch(sandbox(), body),
      await exaSearch(sandbox(), body),
      await exaSearch(other, body),
    ];
    expect([second.text, third.text]).toEqual([first.text, first.text]);
    expect([...second.headers]).toEqual([...first.headers]);
    expect((await braveSearch(other, query)).text).toBe((await braveSearch(sandbox(), query)).text);
    await other.stop();
  });

  test('other requests give other ids, other queries other pages', async () => {
    const [a, b, c] = [
      await exaSearch(sandbox(), { query: 'tidal energy' }),
      await exaSearch(sandbox(), { query: 'tidal energy', numResults: 9 }),
      await exaSearch(sandbox(), { query: 'wind energy' }),
    ];
    expect(new Set([a, b, c].map(({ body }) => body.requestId)).size).toBe(3);
    expect(rowsAt(b.body, 'results')).toEqual(rowsAt(a.body, 'results').slice(0, 9));
    expect(rowsAt(c.body, 'results')[0]?.url).not.toBe(rowsAt(a.body, 'results')[0]?.url);
  });

  test.each(QUERIES)('lives on reserved domains only: %s', async (query) => {
    for (const url of [...(await exaUrls(query, 50)), ...(await braveUrls(query, 20))]) {
      expect(url).toMatch(RESERVED);
    }
  });

  test.each(QUERIES)('has no URL twice in one answer: %s', async (query) => {
    const urls = await exaUrls(query, 100);
    expect(new Set(urls.map(comparable)).size).toBe(100);
  });

  test.each(QUERIES)('is shared in part by the vendors: %s', async (query) => {
    const [exa, brave] = [await exaUrls(query), await braveUrls(query)];
    const common = exa.map(comparable).filter((url) => brave.map(comparable).includes(url));
    expect(common.length).toBeGreaterThanOrEqual(1);
    expect(common.length).toBeLessThan(10);
  });

  test('differs between vendors in tracking parameters, www and trailing slashes', async () => {
    const [exa, brave] = [await exaUrls('tidal energy', 100), await braveUrls('tidal energy', 20)];
    expect(exa.some((url) => url.includes('utm_source='))).toBe(true);
    expect(exa.some((url) => url.endsWith('/'))).toBe(true);
    expect(
      [...brave, ...(await braveUrls('wind energy', 20))].some((url) =>
        url.startsWith('https://www.'),
      ),
    ).toBe(true);
  });

  test('speaks about the query, without its directives', async () => {
    const answer = await exaSearch(sandbox(), {
      query: 'urban beekeeping? [[brave:status=500]]',
      contents: { text: true, highlights: true },
    });
    for (const row of rowsAt(answer.body, 'results')) {
      expect(`${row.title}`.toLowerCase()).toContain('urban beekeeping');
      expect(`${row.title} ${row.text}`).not.toMatch(/\[\[|\{\w+\}/);
    }
  });

  test('highlights are sentences of the page text', async () => {
    const answer = await exaSearch(sandbox(), {
      query: 'tidal energy',
      contents: { text: true, highlights: true },
    });
    for (const row of rowsAt(answer.body, 'results')) {
      const text = String(row.text).replaceAll('&amp;', '&').replaceAll('&#x27;', "'");
      for (const highlight of [row.highlights].flat()) expect(text).toContain(highlight);
    }
  });
});
