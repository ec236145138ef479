const ESCAPE = String.raw`\u001b`;
/** Control characters but tab and line feed, and colours, which only a style makes. */
const CONTROLS = new RegExp(String.raw`(${ESCAPE}\[[\d;]{0,20}m)|[^\P{Cc}\n\t]`, 'gu');

/** Writes a text. A terminal gets no character that it would obey, whatever the text is of. */
function write(stream: NodeJS.WriteStream, text: string): void {
  stream.write(stream.isTTY ? text.replace(CONTROLS, '$1') : text);
}

export const print = (text: string): void => write(process.stdout, text);
export const note = (text: string): void => write(process.stderr, text);
export const printJson = (value: unknown): void => print(`${JSON.stringify(value)}\n`);

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

/**
 * The lines of columns as wide as their longest cell, the head first. Nothing is cut: a narrow
 * terminal wraps the lines.
 */
export function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const head = rows[0] ?? [];
  const widths = head.map((_, index) => Math.max(...rows.map((row) => (row[index] ?? '').length)));
  return rows.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
