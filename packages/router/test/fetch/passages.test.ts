import { EMPTY_PAGE } from '@trawl/providers';
import { expect, test } from 'vitest';
import { fetchRow } from '../../src/fetch/normalize.ts';

const RESULT = {
  kind: 'page',
  provider: 'exa',
  page: { ...EMPTY_PAGE, content: 'The pump ran.', chunks: ['The pump'], excerpt: 'The pump' },
  steps: [],
  warnings: [],
  findings: [],
  measure: null,
  quality: null,
  isCached: true,
  cost: {},
};
const OPTIONS = { fields: new Set(['passages', 'chunks', 'excerpt']), inlineContent: true };

const rowWith = (passages: unknown) =>
  fetchRow(
    { target: { url: 'https://site.example/' }, result: RESULT, passages } as never,
    OPTIONS as never,
    { fetchProviders: new Map() } as never,
  );

test("passages take the place of a provider's chunks, and one without any has none", () => {
  const found = [{ text: 'ran.', offset: 9 }];
  expect(rowWith(found)).toMatchObject({ passages: found, chunks: ['ran.'], excerpt: 'ran.' });
  expect(rowWith([])).toMatchObject({ passages: [], chunks: [], excerpt: null });
});

test("where they could not be found in time, the provider's chunks stay", () => {
  const row = rowWith(null);
  expect(row).toMatchObject({ passages: [], chunks: ['The pump'], excerpt: 'The pump' });
  expect(row.warnings.map(({ code }) => code)).toContain('focus_ignored');
});
