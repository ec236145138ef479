import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { FETCH_PROVIDERS, SEARCH_PROVIDERS } from '@trawl/providers';
import { describe, expect, test } from 'vitest';
import { ALL_TABLES } from '../scripts/docs-tables/all-tables.ts';

const DOCS = new URL('../docs/', import.meta.url);
const PAPERS = ['../README.md', '../ARCHITECTURE.md', '../CONTRIBUTING.md', '../SECURITY.md'];
const pages = readdirSync(DOCS, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.md'),
);
const read = (name: string): string => readFileSync(new URL(name, DOCS), 'utf8');

describe('generated tables', () => {
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
