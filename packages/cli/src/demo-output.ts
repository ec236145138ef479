import { styleText } from 'node:util';
import Table from 'cli-table3';

const MICROS = 1_000_000;

/** Not on a terminal without colours: a dumb one, or one with `NO_COLOR`. */
export const bold = (text: string): string =>
  process.stdout.isTTY && process.stdout.hasColors() ? styleText('bold', text) : text;
export const print = (text: string): void => void process.stdout.write(text);

/** What a call cost, as the ledger has it. */
export interface Cost {
  readonly costMicros: number | null;
  readonly costSource: string | null;
}

export function costText(cost: Cost | undefined): string {
  if (cost?.costMicros == null) return 'cost unknown';
  const source = cost.costSource === 'reported' ? 'reported by the provider' : 'by its price list';
  return `$${(cost.costMicros / MICROS).toFixed(4)} ${source}`;
}

const BORDERS = 5;
const LEAST_WIDTH = 80;
const MOST_WIDTH = 140;

/**
 * A table as wide as the terminal, without lines between its rows.
 * @param columns head and width of each; a width below 1 is a share of what the others leave
 */
export function table(
  columns: readonly (readonly [head: string, width: number])[],
  rows: readonly (readonly string[])[],
): string {
  const terminal = process.stdout.columns ?? MOST_WIDTH;
  const width = Math.max(LEAST_WIDTH, Math.min(terminal, MOST_WIDTH));
  const fixed = columns.reduce((sum, [, wide]) => sum + (wide >= 1 ? wide : 0), BORDERS);
  const made = new Table({
    head: columns.map(([head]) => head),
    colWidths: columns.map(([, wide]) => (wide >= 1 ? wide : Math.floor((width - fixed) * wide))),
    chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
    style: { head: [], border: [] },
  });
  made.push(...rows.map((row) => [...row]));
  return made.toString();
}
