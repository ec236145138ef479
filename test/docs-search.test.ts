import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import MiniSearch from 'minisearch';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { find } from '../scripts/docs-site/browser/find.mjs';
import { buildSite } from '../scripts/docs-site/build-site.mjs';
import { SEARCH_OPTIONS } from '../scripts/docs-site/search-options.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

describe('a search of the documentation finds the section', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-search-'));
  let index: MiniSearch;
  beforeAll(async () => {
    await buildSite({ root: ROOT, folder });
    const files = join(folder, 'files');
    const name = readdirSync(files).find((file) => /^search-\w+\.json$/.test(file)) ?? '';
    index = MiniSearch.loadJSON(readFileSync(join(files, name), 'utf8'), SEARCH_OPTIONS);
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** The question, and a page or section that is among the first five results. */
  test.each([
    ['budgte', '/docs/billing'],
    ['montly budget', '/docs/billing'],
    ['merge results', '/docs/recipes#one-merged-list'],
    ['deduplicate', '/docs/recipes#one-merged-list'],
    ['rerank', '/docs/recipes#one-merged-list'],
    ['how do I add a key', '/docs/operations'],
    ['docker', '/docs/deployment'],
    ['metrics', '/docs/operations'],
    ['prometheus', '/docs/operations'],
    ['preprocessor run', '/docs/glossary'],
    ['agent with citations', '/docs/recipes#an-agent-with-citations'],
    ['rate limit', '/docs/billing'],
    ['langchain', '/docs/frameworks'],
  ])('%s', (question, expected) => {
    const urls = find(index, question)
      .slice(0, 5)
      .map(({ url }) => String(url));
    expect(urls.filter((url) => url.startsWith(expected)).length, urls.join(' ')).toBeGreaterThan(
      0,
    );
  });

  test('and finds nothing for a word that is on no page', () => {
    expect(find(index, 'qqzzqq')).toEqual([]);
  });
});
