import { describe, expect, test } from 'vitest';
import { startSandbox } from '../src/index.ts';
import { contentIn, FETCHERS, fetchPage, valueAt } from './fetch-support.ts';
import { exaSearch, rowsAt, useSandbox } from './support.ts';

const sandbox = useSandbox();
const URL_OF_A_PAGE = 'https://atlas.example.org/wiki/tidal-energy-a-practical-guide';
const page = (vendor: string, url: string) => fetchPage(sandbox(), vendor, url);
const content = async (vendor: string, url: string) => contentIn(vendor, await page(vendor, url));

/** The words of a text, without its markup. */
const wordsOf = (text: string) =>
  text
    .replace(/!\[(Image \d+: )?/g, '![')
    .replace(/^# .*\n|^Tidal energy: a practical guide\n/, '')
    .trim();

describe('a fetched page', () => {
  test('is the same page for all vendors', async () => {
    const texts = await Promise.all(FETCHERS.map((vendor) => content(vendor, URL_OF_A_PAGE)));
    expect(new Set(texts.map((text) => wordsOf(text ?? ''))).size).toBe(1);
  });

  test.each(FETCHERS)(
    'has headings, a list, a table, code, an image and links at %s',
    async (vendor) => {
      const text = (await content(vendor, URL_OF_A_PAGE)) ?? '';
      expect(text).toMatch(/^## Background$/m);
      expect(text).toMatch(/^- Collect$/m);
      expect(text).toMatch(/^\| Year \| Cases \| Share \|\n\| --- \|/m);
      expect(text).toMatch(/^```js\n/m);
      expect(text).toMatch(/!\[[^\]]*Cover: tidal energy\]\(https:\/\/atlas\.example\.org\//);
      expect(text).toMatch(/\[Further reading 1\]\(https:\/\/[a-z-]+\.example\./);
      expect(text).not.toMatch(/\{\w+\}|undefined/);
    },
  );

  test.each(FETCHERS)(
    'is given in the same bytes again by %s, also from another sandbox',
    async (vendor) => {
      const other = await startSandbox();
      const [first, second, third] = [
        await page(vendor, URL_OF_A_PAGE),
        await page(vendor, URL_OF_A_PAGE),
        await fetchPage(other, vendor, URL_OF_A_PAGE),
      ];
      expect([second.text, third.text]).toEqual([first.text, first.text]);
      await other.stop();
    },
  );

  test('is identified by its address, whatever tracking parameter or directive is added', async () => {
    const dressed = [
      `${URL_OF_A_PAGE}?utm_source=search&utm_medium=organic`,
      `${URL_OF_A_PAGE}/`,
      URL_OF_A_PAGE.replace('https://', 'https://www.'),
      `${URL_OF_A_PAGE}?[[brave:status=500]]`,
    ];
    const plain = await content('tinyfish', URL_OF_A_PAGE);
    for (const url of dressed) expect(await content('tinyfish', url)).toBe(plain);
    expect(await content('tinyfish', `${URL_OF_A_PAGE}?page=2`)).not.toBe(plain);
  });

  test('found by a search has the title of the search result', async () => {
    const found = await exaSearch(sandbox(), { query: 'tidal energy', numResults: 60 });
    const rows = rowsAt(found.body, 'results').filter((row) => !/[–,?]/.test(String(row.title)));
    const titles = await Promise.all(
      rows.map(async ({ url }) =>
        valueAt(JSON.parse((await page('tinyfish', String(url))).text), 'results', 0, 'title'),
      ),
    );
    const matches = rows.map((row, index) => row.title === titles[index]);
    expect(matches.filter(Boolean).length / matches.length).toBeGreaterThan(0.85);
  });

  test('does not exist outside the reserved domains', async () => {
    const { body } = await page('tinyfish', 'https://www.trawl.invalid/');
    expect(body).toMatchObject({ results: [], errors: [{ error: 'target_unreachable' }] });
  });
});

describe('directives in the URL of a fetch', () => {
  const withDirective = (text: string) => `${URL_OF_A_PAGE}?x=${text}`;

  test.each(FETCHERS)(
    'are read by %s, escaped and not, and the call is recorded',
    async (vendor) => {
      const directive = `[[${vendor}:status=429,retry-after=2]]`;
      for (const text of [directive, encodeURIComponent(directive), `${directive}#part`]) {
        const { status, headers } = await page(vendor, withDirective(text));
        expect([status, headers.get('retry-after')]).toEqual([429, '2']);
      }
      expect(sandbox().calls).toHaveLength(3);
      expect(sandbox().calls[0]).toMatchObject({ vendor, method: 'POST' });
      expect(sandbox().calls[0]?.body).toContain(directive);
    },
  );

  test.each(FETCHERS)('for another vendor do not concern %s', async (vendor) => {
    const answer = await page(vendor, withDirective('[[brave:status=500]]'));
    expect(answer.status).toBe(200);
    expect(contentIn(vendor, answer)).toContain('Further reading');
  });

  test.each(FETCHERS)('that make no sense are an error of the sandbox: %s', async (vendor) => {
    const { headers } = await page(vendor, withDirective(`[[${vendor}:explode]]`));
    expect(headers.get('x-sandbox-error')).toContain('explode');
  });

  test.each(FETCHERS)('empty: %s returns nothing about the page', async (vendor) => {
    const answer = await page(vendor, withDirective(`[[${vendor}:empty]]`));
    expect(answer.status).toBe(200);
    expect(contentIn(vendor, answer) ?? '').toBe('');
    expect(answer.text).not.toMatch(/"(failed_results|errors|statuses)":\[\{/);
  });

  const KEYED = FETCHERS.filter((vendor) => vendor !== 'jina');
  test.each(KEYED)('echo-key: %s quotes the key in the page and in an error', async (vendor) => {
    const { text } = await page(vendor, withDirective(`[[${vendor}:echo-key]]`));
    expect(text.replace(withDirective(''), '')).toContain('test-key');
    const failed = await page(vendor, withDirective(`[[${vendor}:echo-key,status=500]]`));
    expect(failed.text).toContain('test-key');
  });

  test('fail-first counts the calls for one URL', async () => {
    const url = withDirective('[[exa:fail-first=1,status=503]]');
    expect((await page('exa', url)).status).toBe(503);
    expect((await page('exa', url)).status).toBe(200);
  });
});
