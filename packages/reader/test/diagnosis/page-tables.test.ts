import { builtInRows } from '@trawl/base';
import { ROW_ERRORS } from '@trawl/contract';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { pageFamilies, pageFamilyRows } from '../../src/diagnosis/page-families.ts';
import familiesTable from '../../src/diagnosis/page-families.tsv?raw';
import { RULE } from '../../src/diagnosis/page-rules.ts';
import rulesTable from '../../src/diagnosis/page-rules.tsv?raw';

const PAGE_RULES = { row: RULE, maxRows: 10_000 };

const count = z.string().regex(/^\d{1,3}$/);
const FAMILY = z.object({
  family: z.string().regex(/^[a-z_]+$/),
  code: z.string().refine((code) => Object.hasOwn(ROW_ERRORS, code)),
  reason: z.string().regex(/^[a-z\d_]+$/),
  max_words: count,
  max_total: count,
  needs_label: z.enum(['yes', 'no']),
  meaning: z.string(),
});

test('every row of the built-in tables fits its format', () => {
  const families = builtInRows('page-families.tsv', familiesTable, { row: FAMILY, maxRows: 100 });
  expect(families.length).toBe(12);
  expect(pageFamilyRows()).toEqual(
    families.map(({ max_words, max_total, needs_label, ...row }) => ({
      ...row,
      ...{ maxWords: Number(max_words), maxTotal: Number(max_total) },
      needsLabel: needs_label === 'yes',
    })),
  );
  expect(builtInRows('page-rules.tsv', rulesTable, PAGE_RULES).length).toBeGreaterThan(1_300);
});

test('a wrong row is named by file, line and column', () => {
  const lines = rulesTable.split('\n');
  const wrong = lines.toSpliced(99, 0, 'parked_domain\tphrase\tGerman\tzu verkaufen').join('\n');
  expect(() => builtInRows('page-rules.tsv', wrong, PAGE_RULES)).toThrow(
    'page-rules.tsv has a wrong line 100: language must be a language code such as de, or any',
  );
});

test('every rule is in each of its families, as it is written', () => {
  const families = pageFamilies([]);
  const texts = families.flatMap((family) =>
    Object.values(family).flatMap((value) => (Array.isArray(value) ? value : [])),
  );
  const rows = builtInRows('page-rules.tsv', rulesTable, PAGE_RULES);
  expect(texts.toSorted()).toEqual(
    rows
      .flatMap(({ family, text }) => family.split(',').map(() => text.replaceAll('␣', ' ')))
      .toSorted(),
  );
});
