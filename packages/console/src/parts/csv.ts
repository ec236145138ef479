export type Cell = string | number | null;

/** Rows as CSV (RFC 4180) under a header. Unknown values stay empty. */
export function csvText(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [header, ...rows]
    .map((row) => row.map(cellText).join(','))
    .join('\r\n')
    .concat('\r\n');
}

/** A text that a spreadsheet would run as a formula gets an apostrophe in front. */
function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
