import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FAULT_NAMES } from '../src/index.ts';
import { SITE_PAGES } from '../src/site/pages.ts';
import { ODD_PAGES } from '../src/web/odd-pages.ts';
import { MADE_PAGES } from './site/made-pages.ts';

const REFERENCE = readFileSync(new URL('../REFERENCE.md', import.meta.url), 'utf8');
const FAULTS = readFileSync(new URL('../../../docs/fault-injection.md', import.meta.url), 'utf8');
const missing = (names: readonly string[], text = REFERENCE) =>
  names.filter((name) => !new RegExp(`\`${name}[\`=[]`).test(text));

test('the documentation names every fault', () => {
  expect(missing(FAULT_NAMES, FAULTS)).toEqual([]);
});

test('REFERENCE.md names every word that makes a page odd', () => {
  expect(missing(Object.keys(ODD_PAGES))).toEqual([]);
});

test('REFERENCE.md names every page of the site, the steps of its redirects aside', () => {
  const entrances = [...SITE_PAGES, ...MADE_PAGES]
    .map(({ path }) => path)
    .filter((path) => !/^\/charset-|^\/redirect-(end|[^/]+\/)/.test(path));
  expect(missing(entrances)).toEqual([]);
});
