import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readRows, tableLines } from '../scripts/chaos-table.mjs';

test('the table shows each figure next to the old one, and marks what was not measured', () => {
  const rows = readRows('row\ttest\texpected\told\na\tFirst\tfew\t9 | 8\nb\tSecond\tnone\t1\n');
  const figures = [
    { row: 'a', name: 'p99', value: '12.5', unit: 'ms' },
    { row: 'a', name: 'lost', value: '0', unit: '' },
  ];
  expect(tableLines(rows, figures).slice(2)).toEqual([
    '| First | few | 9 \\| 8 | p99 12.5 ms; lost 0 |',
    '| Second | none | 1 | not measured in this run |',
  ]);
});

test('each row of the chaos suite has a unique name and all cells', () => {
  const path = new URL('../packages/server/test/chaos/figures.tsv', import.meta.url);
  const rows = readRows(readFileSync(path, 'utf8'));
  expect(rows.length).toBeGreaterThan(30);
  expect(new Set(rows.map(({ row }) => row)).size).toBe(rows.length);
  for (const row of rows) expect(Object.values(row).every((cell) => cell?.length > 0)).toBe(true);
});
