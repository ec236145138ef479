import { builtInRows } from '@trawl/base';
import { expect, test } from 'vitest';
import familiesTable from '../../src/diagnosis/page-families.tsv?raw';
import { PAGE_FAMILIES, PAGE_RULES, pageFamilies } from '../../src/diagnosis/page-rules.ts';
import rulesTable from '../../src/diagnosis/page-rules.tsv?raw';

test('every row of the built-in tables fits its format', () => {
  expect(builtInRows('page-families.tsv', familiesTable, PAGE_FAMILIES).length).toBe(12);
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
