/** A row of a table, and the line of the file on which it begins. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * Reads comma-separated values (RFC 4180): a cell in quotation marks may hold commas, line ends and
 * doubled quotation marks. Lines without any text are skipped.
 * @throws Error naming the line of a cell that is never closed
 */
export function csvRows(text: string): readonly CsvRow[] {
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let [line, start, at] = [1, 1, 0];
  const endRow = () => {
    if (cells.some((cell) => cell.trim() !== '')) rows.push({ line: start, cells });
    cells = [];
  };
  while (at < text.length) {
    const isQuoted = text[at] === '"';
    const [cell, end] = isQuoted ? quotedCell(text, at, line) : plainCell(text, at);
    line += isQuoted ? cell.split('\n').length - 1 : 0;
    cells.push(cell);
    at = end;
    if (text[at] === ',') {
      at += 1;
      if (at === text.length) cells.push('');
      continue;
    }
    endRow();
    if (text[at] === '\r') at += 1;
    if (text[at] === '\n') at += 1;
    line += 1;
    start = line;
  }
  endRow();
  return rows;
}

type Cell = readonly [text: string, end: number];

function plainCell(text: string, at: number): Cell {
  let end = at;
  while (end < text.length && text[end] !== ',' && text[end] !== '\n' && text[end] !== '\r') {
    end += 1;
  }
  return [text.slice(at, end), end];
}

function quotedCell(text: string, at: number, line: number): Cell {
  const parts: string[] = [];
  let from = at + 1;
  for (;;) {
    const end = text.indexOf('"', from);
    if (end < 0) throw new Error(`line ${line} has a quotation mark that is never closed`);
    parts.push(text.slice(from, end));
    if (text[end + 1] !== '"') {
      const rest = plainCell(text, end + 1);
      if (rest[0].trim() !== '') {
        throw new Error(
          `line ${line} has text behind a closing quotation mark; double the marks inside of a cell`,
        );
      }
      return [parts.join(''), rest[1]];
    }
    parts.push('"');
    from = end + 2;
  }
}
