import { zipSync } from 'fflate';
import { Parser } from 'htmlparser2';
import type { CellValue, Sheet } from 'hucre/xlsx';
import { cutLine } from '../dom/dom.ts';
import { localName } from '../dom/parse-xml.ts';
import { beyondLimit, counted, PAGE_LIMITS } from '../input/page-limits.ts';
import { escapeLineStart } from '../markdown/escape.ts';
import { escapeCell, gfmTable } from '../markdown/table.ts';
import type { Writing } from '../markdown/writing.ts';
import {
  elementAt,
  elementsOf,
  relationIn,
  relationsOf,
  targetsOf,
  textOf,
  treeOf,
} from './parts.ts';
import type { ArchiveParts } from './unpack.ts';

type Row = readonly string[];

/**
 * The sheets of a workbook (xlsx) that are shown: a heading and its tables each. Rows that are
 * empty divide a sheet into tables; hidden rows and columns are left out.
 * @param main the name of the part of the workbook
 * @throws the error of a page above a limit: too many cells, or too much text in them
 */
export async function readWorkbook(
  parts: ArchiveParts,
  main: string,
  writing: Writing,
): Promise<string> {
  const { readXlsx, parseCellRef } = await import('hucre/xlsx');
  const shown = sheetsShown(parts, main);
  checkSheets(
    [...shown.keys()].map((name) => textOf(parts, name)),
    parseCellRef,
  );
  const is1904 = TRUE.has(elementAt(treeOf(parts, main), 'workbookPr')?.getAttribute('date1904'));
  const { sheets } = await readXlsx(plainWorkbook(parts, main, [...shown.keys()], is1904));
  const names = [...shown.values()];
  const textIn = createCellText(is1904);
  return sheets
    .flatMap((sheet, at) => {
      const tables = tablesOf(shownIn(sheet).map((row) => row.map(textIn)));
      const name = cutLine(names[at] ?? '');
      const heading = writing.isMarkdown ? `## ${writing.escape(name)}` : name;
      return tables.length > 0 ? [heading, ...tables.map((rows) => tableOf(rows, writing))] : [];
    })
    .join('\n\n');
}

const TRUE: ReadonlySet<unknown> = new Set(['1', 'true']);

/** The worksheets that are shown, each once: the names of their parts, and their own. */
function sheetsShown(parts: ArchiveParts, main: string): ReadonlyMap<string, string> {
  const relations = relationsOf(parts, main);
  const shown = new Map<string, string>();
  for (const sheet of elementsOf(treeOf(parts, main), 'sheet')) {
    const { type, target = '' } = relationIn(sheet, relations) ?? {};
    const isShown = (sheet.getAttribute('state') ?? 'visible') === 'visible';
    // a chart may be a sheet too
    if (type === 'worksheet' && isShown && parts.bytes.has(target) && !shown.has(target))
      shown.set(target, sheet.getAttribute('name') ?? '');
  }
  return shown;
}

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** A workbook of these sheets alone: the library reads everything that a workbook refers to. */
function plainWorkbook(
  parts: ArchiveParts,
  main: string,
  sheets: readonly string[],
  is1904: boolean,
): Uint8Array {
  const relations = relationsOf(parts, main);
  const files: Record<string, Uint8Array> = {};
  const encoder = new TextEncoder();
  const add = (name: string, text: string): void => {
    files[name] = encoder.encode(text);
  };
  const related = [
    ...sheets.map((name) => ['worksheet', name] as const),
    ...['sharedStrings', 'styles'].flatMap((type) =>
      targetsOf(relations, type)
        .slice(0, 1)
        .map((name) => [type, name] as const),
    ),
  ].map(([type, name], at) => {
    add(`part${at}`, textOf(parts, name).replace(FORMAT_CODE, shortCode));
    return relationTo(`part${at}`, type);
  });
  const named = sheets.map((_, at) => `<sheet name="${at}" r:id="part${at}"/>`).join('');
  add('[Content_Types].xml', '<Types/>');
  add('_rels/.rels', `<Relationships>${relationTo('workbook', 'officeDocument')}</Relationships>`);
  add('_rels/workbook.rels', `<Relationships>${related.join('')}</Relationships>`);
  const properties = `<workbookPr date1904="${is1904}"/>`;
  add('workbook', `<workbook>${properties}<sheets>${named}</sheets></workbook>`);
  return zipSync(files, { level: 0 });
}

const relationTo = (name: string, type: string): string =>
  `<Relationship Id="${name}" Type="${OFFICE}/${type}" Target="${name}"/>`;

/** The library reads the format of a number again for each cell. Excel's have 255 characters. */
const FORMAT_CODE = /formatCode="([^"]*)"/g;
const FORMAT_CHARACTERS = 2_000;
const shortCode = (whole: string, code: string): string =>
  code.length > FORMAT_CHARACTERS ? 'formatCode=""' : whole;

type CellPlace = (name: string) => { readonly row: number; readonly col: number };

/** Of a sheet, from 0. */
const LAST_ROW = 1_048_575;
const LAST_COLUMN = 16_383;

/**
 * Checks how many cells the library will make: it fills each row up to the last column of all. A
 * cell without a place follows the one before it.
 * @throws the error of a page above a limit, or of a sheet that is not possible
 */
function checkSheets(sheets: readonly string[], placeOf: CellPlace): void {
  let cells = 0;
  for (const sheet of sheets) {
    let [row, column, lastRow, lastColumn, columns] = [-1, -1, -1, -1, 0];
    const onopentag = (name: string, { r, min, max }: Readonly<Record<string, string>>): void => {
      switch (localName(name)) {
        case 'col':
          columns += Math.max(0, Number(max) - Number(min) + 1) || 0;
          // each has one description
          if (columns > 2 * LAST_COLUMN) throw new Error('too many columns');
          return;
        case 'row':
          row = r ? Number(r) - 1 : row + 1;
          column = -1;
          return;
        case 'c': {
          const place = r ? placeOf(r) : { row, col: column + 1 };
          column = place.col;
          if (!(place.row >= 0 && place.row <= LAST_ROW && column >= 0 && column <= LAST_COLUMN))
            throw new Error('a cell outside of the sheet');
          lastRow = Math.max(lastRow, place.row);
          lastColumn = Math.max(lastColumn, column);
        }
      }
    };
    new Parser({ onopentag }, { xmlMode: true }).end(sheet);
    cells += (lastRow + 1) * (lastColumn + 1);
    if (cells > PAGE_LIMITS.sheetCells)
      throw beyondLimit(`more than ${counted(PAGE_LIMITS.sheetCells)} cells`);
  }
}

/** Without hidden rows and columns. */
function shownIn({ rows, rowDefs, columns }: Sheet): readonly (readonly CellValue[])[] {
  return rows
    .filter((_, at) => rowDefs?.get(at)?.hidden !== true)
    .map((row) => row.filter((_, at) => columns?.[at]?.hidden !== true));
}

/** Creates the text of cells. All of it is bounded: many cells may share one long text. */
function createCellText(is1904: boolean): (value: CellValue) => string {
  let left = PAGE_LIMITS.archiveMebibytes * 1024 * 1024;
  return (value) => {
    if (value === null || value === undefined) return '';
    if (value instanceof Date) return dateText(value, is1904);
    const text = String(value);
    left -= text.length;
    if (left < 0)
      throw beyondLimit(`more than ${PAGE_LIMITS.archiveMebibytes} MiB of text in its cells`);
    return text.replace(/\s+/g, ' ').trim();
  };
}

/** What Excel shows for a date that it does not have. */
const NO_DATE = '########';
const LAST_YEAR = 9_999;

/** A date, a time, or both, as ISO 8601 writes them; without a zone, since workbooks have none. */
function dateText(date: Date, is1904: boolean): string {
  const near = new Date(Math.round(date.getTime() / 1000) * 1000);
  if (Number.isNaN(near.getTime()) || near.getUTCFullYear() > LAST_YEAR) return NO_DATE;
  const [day = '', clock = ''] = near.toISOString().split(/[TZ.]/);
  const time = clock.replace(/:00$/, '');
  // a time alone counts from the first day of all
  if (day === (is1904 ? '1904-01-01' : '1899-12-31')) return time;
  return clock === '00:00:00' ? day : `${day}T${time}`;
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
function tableOf(rows: readonly Row[], writing: Writing): string {
  const isColumn = rows.every(({ length }) => length === 1);
  if (!writing.isMarkdown) return rows.map((row) => row.join('\t')).join('\n');
  return isColumn
    ? rows.map(([text = '']) => escapeLineStart(writing.escape(text))).join('\n\n')
    : gfmTable(rows.map((row) => row.map((text) => escapeCell(writing.escape(text)))));
}
