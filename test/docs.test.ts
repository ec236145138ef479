import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ALL_TABLES } from '../scripts/docs-tables/all-tables.ts';

const DOCS = new URL('../docs/', import.meta.url);
const PAPERS = ['../README.md', '../ARCHITECTURE.md', '../CONTRIBUTING.md', '../SECURITY.md'];
const pages = readdirSync(DOCS, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.md'),
);
const read = (name: string): string => readFileSync(new URL(name, DOCS), 'utf8');

test('every generated table is in a page', () => {
  const all = pages.map(read).join('\n');
  const missing = Object.keys(ALL_TABLES).filter(
    (name) => !all.includes(`<!-- generated: ${name} -->`),
  );
  expect(missing).toEqual([]);
});

test.each([...pages, ...PAPERS])('every relative link of %s leads to a file', (name) => {
  const links = [...read(name).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(
    ([, target]) => target ?? '',
  );
  const missing = links.filter((target) => !existsSync(new URL(target, new URL(name, DOCS))));
  expect(missing).toEqual([]);
});
