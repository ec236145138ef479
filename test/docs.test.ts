import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { FETCH_PROVIDERS, SEARCH_PROVIDERS } from '@trawl/providers';
import { describe, expect, test } from 'vitest';
import { ERROR_TABLES } from './docs/error-tables.ts';
import { FETCH_TABLES, fetchFacts } from './docs/fetch-tables.ts';
import { METHOD_TABLES } from './docs/method-tables.ts';
import { MIGRATION_TABLES } from './docs/migration/tables.ts';
import { ROUTE_TABLES } from './docs/route-tables.ts';
import { providerFacts, TABLES } from './docs/tables.ts';
import { TOOL_TABLES } from './docs/tool-tables.ts';

const DOCS = new URL('../docs/', import.meta.url);
const PAPERS = ['../README.md', '../ARCHITECTURE.md', '../CONTRIBUTING.md', '../SECURITY.md'];
const pages = readdirSync(DOCS, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.md'),
);
const read = (name: string): string => readFileSync(new URL(name, DOCS), 'utf8');

const MARKED = /<!-- generated: ([\w-]+) -->\n[\s\S]*?<!-- end -->/g;

const ALL_TABLES = {
  ...TABLES,
  ...FETCH_TABLES,
  ...ROUTE_TABLES,
  ...ERROR_TABLES,
  ...MIGRATION_TABLES,
  ...METHOD_TABLES,
  ...TOOL_TABLES,
};

function render(name: string): string {
  const search = SEARCH_PROVIDERS.find(({ slug }) => name === `facts-${slug}`);
  const fetching = FETCH_PROVIDERS.find(({ slug }) => name === `fetch-facts-${slug}`);
  const facts = (search && providerFacts(search)) ?? (fetching && fetchFacts(fetching));
  const text = facts ?? ALL_TABLES[name]?.();
  if (text === undefined) throw new Error(`docs name an unknown table: ${name}`);
  return text;
}

const regenerated = (page: string): string =>
  page.replace(
    MARKED,
    (_all, name: string) => `<!-- generated: ${name} -->\n${render(name)}\n<!-- end -->`,
  );

describe('generated tables say what the code says (npm run docs renews them)', () => {
  test.each(pages)('%s', (name) => {
    const page = read(name);
    if (process.env.UPDATE_DOCS === '1') writeFileSync(new URL(name, DOCS), regenerated(page));
    else expect(page).toBe(regenerated(page));
  });

  test('every table stands in some page, and every provider has its own', () => {
    const all = pages.map(read).join('\n');
    for (const name of Object.keys(ALL_TABLES))
      expect(all).toContain(`<!-- generated: ${name} -->`);
    for (const { slug } of SEARCH_PROVIDERS) expect(pages).toContain(`providers/${slug}.md`);
    for (const { slug } of FETCH_PROVIDERS) {
      expect(read(`providers/${slug}.md`)).toContain(`<!-- generated: fetch-facts-${slug} -->`);
    }
  });
});

test.each([...pages, ...PAPERS])('every relative link of %s leads to a file', (name) => {
  const links = [...read(name).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(
    ([, target]) => target ?? '',
  );
  const missing = links.filter((target) => !existsSync(new URL(target, new URL(name, DOCS))));
  expect(missing).toEqual([]);
});
