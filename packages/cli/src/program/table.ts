import { oneLine, type Style } from '@trawl/client/terminal/style';

const MOST_WIDTH = 140;
/** What a column shows: its head, its width and, if its cells may take several lines, `wraps`. */
export type TableColumn = readonly [head: string, width: number, wraps?: 'wraps'];

/** Least width of a column that takes a share. */
const LEAST_SHARE = 12;

/**
 * A table as wide as the terminal, without lines between its rows. If the terminal is too narrow,
 * each cell gets its own line.
 * @param columns head and width of each; a width below 1 is a share of the remaining space
 */
async function table(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
): Promise<string> {
  // a terminal that does not report its size has undefined or 0 columns
  const width = Math.min(process.stdout.columns || MOST_WIDTH, MOST_WIDTH);
  const borders = columns.length + 1;
  const left = columns.reduce((rest, [, wide]) => rest - (wide >= 1 ? wide : 0), width - borders);
  const widths = columns.map(([, wide]) => (wide >= 1 ? wide : Math.floor(left * wide)));
  const isTooNarrow = columns.some(([, wide]) => wide < 1 && left * wide < LEAST_SHARE);
  if (left < 0 || isTooNarrow) return records(columns, rows);
  // loaded here, since only a terminal needs it
  const { default: Table } = await import('cli-table3');
  const made = new Table({
    head: columns.map(([head]) => head),
    colWidths: widths,
    chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
    style: { head: [], border: [] },
  });
  const cellOf = (content: string, index: number) =>
    columns[index]?.[2] ? { content, wordWrap: true } : content;
  made.push(...rows.map((row) => row.map(cellOf)));
  return made.toString();
}

/** Cuts nothing: the terminal wraps long lines. */
function records(columns: readonly TableColumn[], rows: readonly (readonly string[])[]): string {
  const longest = Math.max(...columns.map(([head]) => head.length));
  const recordOf = (row: readonly string[]) =>
    columns.map(([head], index) => `${head.padEnd(longest)}  ${row[index] ?? ''}`.trimEnd());
  return rows.map((row) => recordOf(row).join('\n')).join('\n\n');
}

/** A table on a terminal; elsewhere the same rows in full, as cells separated by tabs. */
export async function rowsText(
  { isTerminal }: Pick<Style, 'isTerminal'>,
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
): Promise<string> {
  const clean = rows.map((row) => row.map(oneLine));
  if (!isTerminal) return clean.map((row) => `${row.join('\t')}\n`).join('');
  return `${await table(columns, clean)}\n`;
}
