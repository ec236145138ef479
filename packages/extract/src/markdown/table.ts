import type { PageElement } from '../dom/dom.ts';
import { HEADING } from '../dom/tags.ts';
import { lineIn } from './inline.ts';
import type { Writing } from './writing.ts';

interface Cell {
  readonly text: string;
  readonly isHeading: boolean;
  readonly columns: number;
  readonly rows: number;
}

const MAX_COLUMNS = 200;
/** Above this number, empty cells are left out. */
const MAX_CELLS = 1_000_000;

/** The rows of this table, not those of a table within it. */
export function rowsOf(table: PageElement): PageElement[] {
  return [...table.children].flatMap((child) => {
    if (child.localName === 'tr') return [child];
    return ['thead', 'tbody', 'tfoot'].includes(child.localName)
      ? [...child.children].filter((row) => row.localName === 'tr')
      : [];
  });
}

export function cellsOf(row: PageElement): PageElement[] {
  return [...row.children].filter(({ localName }) => localName === 'td' || localName === 'th');
}

/** Whether a table is used for layout; its cells are then read one after the other. */
export function isLayout(table: PageElement): boolean {
  const role = table.getAttribute('role');
  if (role === 'presentation' || role === 'none') return true;
  if (table.querySelector('table')) return true;
  const rows = rowsOf(table);
  const cells = rows.flatMap(cellsOf);
  if (rows.length === 0 || cells.length <= 1) return true;
  if (rows.every((row) => cellsOf(row).length <= 1)) return true;
  if (table.querySelector('th, caption')) return false;
  return cells.some((cell) => isLarge(cell));
}

/** Whether a cell holds more than a data cell does. */
function isLarge(cell: PageElement): boolean {
  let paragraphs = 0;
  for (const element of cell.querySelectorAll('p, h1, h2, h3, h4, pre, blockquote, ul')) {
    if (HEADING.has(element.localName) || element.localName === 'pre') return true;
    paragraphs += 1;
    if (paragraphs > 2) return true;
  }
  return cell.textContent.length > 1500;
}

/** Writes a data table as a GFM table or as lines of cells. */
export function tableOf(table: PageElement, writing: Writing): string {
  const rows = rowsOf(table)
    .map((row) => cellsOf(row).map((cell) => readCell(cell, writing)))
    .filter((cells) => cells.some(({ text }) => text !== ''));
  const grid = spread(rows);
  const width = widthOf(grid);
  if (width === 0) return '';
  const caption = [...table.children].find(({ localName }) => localName === 'caption');
  const title = caption ? lineIn(caption.childNodes, writing) : '';
  const body = writing.isMarkdown
    ? gfmTable(hasHead(rows) ? grid : [Array<string>(width).fill(''), ...grid])
    : filled(grid)
        .map((row) => row.join(' | '))
        .join('\n');
  return title === '' ? body : `${title}\n\n${body}`;
}

/** A table without heading cells usually has its headings in the first row. */
function hasHead(rows: readonly (readonly Cell[])[]): boolean {
  const hasHeadings = rows[0]?.every(({ isHeading, text }) => isHeading || text === '') ?? false;
  return hasHeadings || !rows.some((row) => row.some(({ isHeading }) => isHeading));
}

type Rows = readonly (readonly string[])[];

/** Rows of escaped cells as a table; the first row is its head. */
export function gfmTable(rows: Rows): string {
  const [head, ...rest] = filled(rows);
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = Array<string>(widthOf(rows)).fill('---');
  return head ? [line(head), line(rule), ...rest.map(line)].join('\n') : '';
}

const widthOf = (rows: Rows): number => rows.reduce((most, row) => Math.max(most, row.length), 0);

/** Makes all rows as wide as the widest. One wide row must not widen a hundred thousand others. */
function filled(rows: Rows): Rows {
  const width = widthOf(rows);
  if (rows.length * width > MAX_CELLS) return rows;
  return rows.map((row) => [...row, ...Array<string>(width - row.length).fill('')]);
}

/** The text of a cell of a table in markdown. */
export const escapeCell = (text: string): string => text.replaceAll('|', '\\|');

function readCell(cell: PageElement, writing: Writing): Cell {
  const text = lineIn(cell.childNodes, writing);
  return {
    text: writing.isMarkdown ? escapeCell(text) : text,
    isHeading: cell.localName === 'th',
    columns: span(cell, 'colspan'),
    rows: span(cell, 'rowspan'),
  };
}

function span(cell: PageElement, name: string): number {
  const value = Number.parseInt(cell.getAttribute(name) ?? '1', 10);
  return value >= 1 ? Math.min(value, MAX_COLUMNS) : 1;
}

/** Adds empty cells after cells that span several columns or rows, so that columns stay aligned. */
function spread(rows: readonly Cell[][]): string[][] {
  const taken = new Map<number, number>();
  let cellsLeft = MAX_CELLS;
  return rows.map((cells) => {
    const line: string[] = [];
    const skip = (): void => {
      for (let left = taken.get(line.length); left; left = taken.get(line.length)) {
        taken.set(line.length, left - 1);
        line.push('');
      }
    };
    for (const cell of cells) {
      skip();
      if (line.length >= MAX_COLUMNS) break;
      const columns = cellsLeft > 0 ? cell.columns : 1;
      cellsLeft -= columns;
      for (let column = 0; column < columns; column += 1) {
        if (cell.rows > 1) taken.set(line.length, cell.rows - 1);
        line.push(column === 0 ? cell.text : '');
      }
    }
    skip();
    return line;
  });
}
