import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { beforeAll, describe, expect, test } from 'vitest';
import { find } from '../scripts/docs-site/browser/find.mjs';
import { SEARCH_OPTIONS } from '../scripts/docs-site/search-options.mjs';
import { ROOT } from '../scripts/source-files.mjs';

describe('a search of the documentation finds the section', () => {
  let index: MiniSearch;
  beforeAll(() => {
    // a run of tests builds it first
    const folder = join(ROOT, 'dist/docs');
    const { routes } = JSON.parse(readFileSync(join(folder, 'site.json'), 'utf8'));
    const files = Object.values<{ file: string }>(routes).map(({ file }) => file);
    const name = files.find((file) => /^search-\w+\.json$/.test(file)) ?? '';
    index = MiniSearch.loadJSON(readFileSync(join(folder, 'files', name), 'utf8'), SEARCH_OPTIONS);
  });

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
