/**
 * The table of the chaos suite. Pure except for `readFigures`: turns rows and figures into lines.
 */
import { existsSync, readFileSync } from 'node:fs';

/**
 * @typedef {{ row: string, test: string, expected: string, old: string }} Row
 * @typedef {{ row: string, name: string, value: string, unit: string }} Figure
 */

/** @param {string} tsv with a line of headings */
export function readRows(tsv) {
  const lines = tsv.split('\n').filter((line) => line !== '');
  return lines.slice(1).map((line) => {
    const [row, test, expected, old] = line.split('\t');
    return { row, test, expected, old };
  });
}

/** The figures of a report, JSON lines; none when nothing has been written. */
export function readFigures(path) {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}

export function figureText({ name, value, unit }) {
  return `${name} ${value}${unit ? ` ${unit}` : ''}`;
}

/**
 * Old and new side by side, as a table in markdown, in the order of the rows.
 * @param {readonly Row[]} rows
 * @param {readonly Figure[]} figures
 */
export function tableLines(rows, figures) {
  const line = (...cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [
    line('Test', 'Expected', 'Old', 'New'),
    '| --- | --- | --- | --- |',
    ...rows.map(({ row, test, expected, old }) => {
      const measured = figures.filter((figure) => figure.row === row).map(figureText);
      return line(test, expected, old, measured.join('; ') || 'not measured in this run');
    }),
  ];
}
