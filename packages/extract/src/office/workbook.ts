import { zipSync } from 'fflate';
import type { CellValue } from 'hucre/xlsx';
import { escapeCell, gfmTable } from '../markdown/table.ts';
import type { Writing } from '../markdown/writing.ts';
import type { ArchiveParts } from './unpack.ts';

type Row = readonly string[];

/**
 * The sheets of a workbook (xlsx) that are shown: a heading and its tables each. Rows that are
 * empty divide a sheet into tables.
 */
export async function readWorkbook(parts: ArchiveParts, writing: Writing): Promise<string> {
  const { readXlsx } = await import('hucre/xlsx');
  const archive = zipSync(Object.fromEntries(parts.bytes), { level: 0 });
  const { sheets } = await readXlsx(archive, {
    sheets: ({ hidden, veryHidden }) => !hidden && !veryHidden,
  });
  return sheets
    .flatMap(({ name, rows, rowDefs }) => {
      const shown = rows.filter((_, at) => rowDefs?.get(at)?.hidden !== true);
      const tables = tablesOf(shown.map((row) => row.map((value) => textOf(value, writing))));
      const heading = writing.isMarkdown ? `## ${writing.escape(name)}` : name;
      return tables.length > 0 ? [heading, ...tables.map((rows) => tableOf(rows, writing))] : [];
    })
    .join('\n\n');
}

const MIDNIGHT = 'T00:00:00.000Z';

function textOf(value: CellValue, writing: Writing): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString().replace(MIDNIGHT, '');
  const text = String(value).replace(/\s+/g, ' ').trim();
  return writing.isMarkdown ? escapeCell(writing.escape(text)) : text;
}

/** The rows between empty ones, each without the columns that are empty in all of them. */
function tablesOf(rows: readonly Row[]): readonly (readonly Row[])[] {
  const tables: Row[][] = [];
  let isOpen = false;
  for (const row of rows) {
    const isEmpty = row.every((text) => text === '');
    if (!isEmpty && isOpen) tables.at(-1)?.push(row);
    else if (!isEmpty) tables.push([row]);
    isOpen = !isEmpty;
  }
  return tables.map((table) => {
    const used = new Set(
      table.flatMap((row) => row.flatMap((text, column) => (text === '' ? [] : column))),
    );
    return table.map((row) => row.filter((_, column) => used.has(column)));
  });
}

/** One column is a text or a list. */
function tableOf(rows: readonly Row[], { isMarkdown }: Writing): string {
  const isColumn = rows.every(({ length }) => length === 1);
  if (isColumn) return rows.map(([text = '']) => text).join(isMarkdown ? '\n\n' : '\n');
  return isMarkdown ? gfmTable(rows) : rows.map((row) => row.join('\t')).join('\n');
}
