import Table from 'cli-table3';

export const print = (text: string): void => void process.stdout.write(text);

const MOST_WIDTH = 140;
/** Of a column that takes a share. */
const LEAST_SHARE = 12;

/**
 * A table as wide as the terminal, without lines between its rows. Where that is too narrow for it, each cell has a
 * line of its own.
 * @param columns head and width of each; a width below 1 is a share of what the others leave
 */
export function table(
  columns: readonly (readonly [head: string, width: number])[],
  rows: readonly (readonly string[])[],
): string {
  // a terminal that does not tell its size has none, or 0
  const width = Math.min(process.stdout.columns || MOST_WIDTH, MOST_WIDTH);
  const borders = columns.length + 1;
  const left = columns.reduce((rest, [, wide]) => rest - (wide >= 1 ? wide : 0), width - borders);
  const widths = columns.map(([, wide]) => (wide >= 1 ? wide : Math.floor(left * wide)));
  const isTooNarrow = columns.some(([, wide]) => wide < 1 && left * wide < LEAST_SHARE);
  if (left < 0 || isTooNarrow) return records(columns, rows);
  const made = new Table({
    head: columns.map(([head]) => head),
    colWidths: widths,
    chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
    style: { head: [], border: [] },
  });
  made.push(...rows.map((row) => [...row]));
  return made.toString();
}

/** Nothing is cut: what is long, the terminal breaks. */
function records(
  columns: readonly (readonly [head: string, width: number])[],
  rows: readonly (readonly string[])[],
): string {
  const longest = Math.max(...columns.map(([head]) => head.length));
  const recordOf = (row: readonly string[]) =>
    columns.map(([head], index) => `${head.padEnd(longest)}  ${row[index] ?? ''}`.trimEnd());
  return rows.map((row) => recordOf(row).join('\n')).join('\n\n');
}
