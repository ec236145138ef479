import { oneLine, type Style } from '../program/style.ts';
import { print, type TableColumn, table } from '../program/table.ts';

export { print };
export const note = (text: string): void => void process.stderr.write(text);
export const printJson = (value: unknown): void => print(`${JSON.stringify(value)}\n`);

/** A table on a terminal; elsewhere the same rows in full, as cells separated by tabs. */
export function rowsText(
  { isTerminal }: Pick<Style, 'isTerminal'>,
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
): string {
  const clean = rows.map((row) => row.map(oneLine));
  if (!isTerminal) return clean.map((row) => `${row.join('\t')}\n`).join('');
  return `${table(columns, clean)}\n`;
}

/** Dollars with four digits, or five where a price such as $0.00025 has them. */
export const costText = (usd: number | null | undefined): string =>
  usd == null ? 'unknown' : `$${usd.toFixed(5).replace(/0$/, '')}`;

/** The sum of prices in USD; null = one is not known. */
export function sumOf(prices: readonly (number | null)[]): number | null {
  let total = 0;
  for (const usd of prices) {
    if (usd === null) return null;
    total += usd;
  }
  return total;
}

/** `1 run`, `2 runs`. */
export const counted = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : nouns}`;

export const yesNo = (value: boolean): string => (value ? 'yes' : 'no');
