import { statSync } from 'node:fs';
import type { z } from 'zod';
import { readFault, readTextFile } from './text-file.ts';

/** How a table is read. */
export interface TableFormat<Row extends z.ZodObject> {
  /** Its keys are the columns, in order. It parses the text of each cell. */
  readonly row: Row;
  readonly maxRows: number;
}

export type TableRead<Row extends z.ZodObject> =
  | { readonly rows: readonly z.output<Row>[] }
  | { readonly problem: string };

/** Enough for a thousand rows; a larger file is not a table. */
const MAX_FILE_BYTES = 1024 * 1024;

/**
 * Reads a table: a line with the column names, then one row per line, with tabs between the cells.
 * Empty lines and lines that start with `#` are skipped. Cells are plain text without quotes.
 * @returns the first problem, as the end of a sentence about the file. It names line, column and
 * fix, and never repeats a cell
 */
export function readTable<Row extends z.ZodObject>(
  text: string,
  { row, maxRows }: TableFormat<Row>,
): TableRead<Row> {
  const columns = Object.keys(row.shape);
  const rows: z.output<Row>[] = [];
  let hasHeader = false;
  for (const { number, cells } of tableLines(text)) {
    const at = `line ${number}`;
    if (!hasHeader) {
      if (cells.join() !== columns.join()) {
        return {
          problem: `has a wrong ${at}; write the columns, with tabs between them: ${columns.join(', ')}`,
        };
      }
      hasHeader = true;
      continue;
    }
    if (rows.length === maxRows) return { problem: `has more than ${maxRows} rows; shorten it` };
    const read = readRow(cells, columns, row);
    if ('problem' in read) return { problem: `has a wrong ${at}: ${read.problem}` };
    rows.push(read.value);
  }
  if (!hasHeader) return { problem: `is empty; begin it with the columns: ${columns.join(', ')}` };
  return { rows };
}

/** The header and the rows of a table, unchecked. Lines are counted from 1. */
export function* tableLines(
  text: string,
): Generator<{ readonly number: number; readonly cells: readonly string[] }> {
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    if (line.startsWith('#') || line.trim() === '') continue;
    yield { number: index + 1, cells: line.replace(/\r$/, '').split('\t') };
  }
}

function readRow<Row extends z.ZodObject>(
  cells: readonly string[],
  columns: readonly string[],
  schema: Row,
): { readonly value: z.output<Row> } | { readonly problem: string } {
  if (cells.length !== columns.length) {
    return {
      problem: `it has ${cells.length} cells; write ${columns.length}, with tabs between them`,
    };
  }
  const quoted = cells.findIndex((cell) => /^".*"$/.test(cell));
  if (quoted >= 0) return { problem: `${columns[quoted]} is in quotes; leave them out` };
  const parsed = schema.safeParse(
    Object.fromEntries(columns.map((column, index) => [column, cells[index]])),
  );
  if (parsed.success) return { value: parsed.data };
  const [issue] = parsed.error.issues;
  return { problem: `${String(issue?.path[0])} ${issue?.message}` };
}

/** Like `readTable`, for a file of the operator. */
export function readTableFile<Row extends z.ZodObject>(
  path: string,
  format: TableFormat<Row>,
): TableRead<Row> {
  try {
    if (statSync(path).size > MAX_FILE_BYTES) return { problem: 'is larger than 1 MB; shorten it' };
    return readTable(readTextFile(path), format);
  } catch (error) {
    return { problem: readFault(error) };
  }
}

/**
 * The rows of a table that ships with the program.
 * @throws where it is wrong, naming the file, the line and the column
 */
export function builtInRows<Row extends z.ZodObject>(
  name: string,
  text: string,
  format: TableFormat<Row>,
): readonly z.output<Row>[] {
  const read = readTable(text, format);
  if ('problem' in read) throw new Error(`${name} ${read.problem}`);
  return read.rows;
}
