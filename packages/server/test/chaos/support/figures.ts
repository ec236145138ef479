import { appendFileSync, readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { it } from 'vitest';

/** `short` is part of `npm test`; `full` is `npm run chaos`. */
export const FORM: 'short' | 'full' = process.env.CHAOS_FORM === 'full' ? 'full' : 'short';

/** The size of a test in the form that is run. */
export const sized = <T>(sizes: { readonly short: T; readonly full: T }): T => sizes[FORM];

/** A time limit for an idle machine, made longer by the other work on this one. */
export const patient = (ms: number): number =>
  ms * Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());

/** A test that only exists in the full form; in the short form it is left out, not skipped. */
export const itInFull: typeof it | (() => void) = FORM === 'full' ? it : () => {};

const ROWS = readFileSync(new URL('../figures.tsv', import.meta.url), 'utf8')
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t')[0]);

/**
 * Adds a measured value to a row of the table. Does nothing where no report is asked for
 * (CHAOS_REPORT names the file).
 * @param row its name in `figures.tsv`
 * @param unit such as `ms` or `MB`; empty for a count
 */
export function figure(row: string, name: string, value: number | string, unit = ''): void {
  if (!ROWS.includes(row)) throw new Error(`figures.tsv lacks the row "${row}"`);
  const path = process.env.CHAOS_REPORT;
  if (path === undefined) return;
  appendFileSync(path, `${JSON.stringify({ row, name, value: shown(value), unit })}\n`);
}

function shown(value: number | string): string {
  if (typeof value === 'string') return value;
  const digits = Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0;
  return value.toLocaleString('en', { maximumFractionDigits: digits });
}

/** The value below which this share (0 to 1) of them lies; NaN for an empty list. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** How often each value occurs, most frequent first: `{"200": 40, "503": 2}`. */
export function tally(values: readonly (string | number)[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}
