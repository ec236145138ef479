import type { PdfCell, PdfLine } from './pdf-lines.ts';

/** Rows of cells, and how many lines they are. */
export interface PdfTable {
  /** Empty = a list or columns of prose. */
  readonly rows: readonly (readonly string[])[];
  readonly lines: number;
}

/** This many rows have to agree in where their cells are. */
const ROWS_MIN = 3;
/** More are no table that anybody reads, and each cell is compared with each column. */
const COLUMNS_MAX = 100;
/** In points: cells of one column begin, end or have their middle this near to each other. */
const ALIGNED_WITHIN = 3;
/** In line heights: rows are no further apart. */
const ROW_GAP = 4;
/** In line heights: the head of a table is nearer to it. */
const HEAD_GAP = 2.5;
/** In line heights: a line this near goes on with the cell above. */
const WRAP_GAP = 1.75;
/** Rows with cells left out, one after the other. */
const SPARSE_MAX = 8;
/** On average; columns of longer texts are prose. */
const CELL_CHARACTERS = 60;
/** A first column of these is a list; fonts of signs have any character for a bullet. */
const LIST_MARK = /^(?:[^\p{L}\p{N}]|[([]?[\da-z]{1,4}[.)\]]{1,2})?$/iu;

type Cells = readonly PdfCell[];

/** What begins in aligned cells with this line; undefined = nothing does. */
export function tableAt(lines: readonly PdfLine[], at: number): PdfTable | undefined {
  const whole = rowsFrom(lines, at);
  if (whole) return whole;
  // a head may be placed unlike the rows below it
  const head = lines[at];
  const body = head && isBelow(head, lines[at + 1], HEAD_GAP) ? rowsFrom(lines, at + 1) : undefined;
  const columns = lines[at + 1]?.cells ?? [];
  if (!head || !body || body.rows.length === 0 || head.cells.length !== columns.length)
    return undefined;
  if (!head.cells.every((cell, column) => overlap(cell, columns[column]))) return undefined;
  return { rows: [textsOf(head.cells), ...body.rows], lines: body.lines + 1 };
}

function rowsFrom(lines: readonly PdfLine[], start: number): PdfTable | undefined {
  const first = lines[start];
  if (!first || first.cells.length < 2 || first.cells.length > COLUMNS_MAX) return undefined;
  const width = first.cells.length;
  const rows: string[][] = [textsOf(first.cells)];
  /** The place of each column, by what all its cells share. */
  let edges = first.cells.map(edgesOf);
  /** From the first to the last cell of each column. */
  let bands: Cells = first.cells;
  let agreed = 1;
  let sparse = 0;
  let at = start + 1;
  for (; ; at += 1) {
    const line = lines[at];
    if (!isBelow(lines[at - 1], line, ROW_GAP)) break;
    const { cells } = line;
    const shared = edges.map((edge, column) => common(edge, cells[column]));
    if (cells.length === width && shared.every((edge) => edge.some((place) => place !== null))) {
      edges = shared;
      bands = bands.map((band, column) => widened(band, cells[column]));
      rows.push(textsOf(cells));
      agreed += 1;
      sparse = 0;
      continue;
    }
    if (cells.length >= width) break;
    const columns = cells.map((cell) => columnOf(cell, bands));
    const isInColumns = columns.every((column, index) => column > (columns[index - 1] ?? -1));
    const row = rows.at(-1);
    sparse += 1;
    if (!isInColumns || !row || sparse > SPARSE_MAX) break;
    const texts = textsOf(bands.map((_, column) => cells[columns.indexOf(column)] ?? EMPTY));
    if (cells.length > 1) rows.push(texts);
    else if (isBelow(lines[at - 1], line, WRAP_GAP) && columns[0] !== 0)
      for (const [column, text] of texts.entries()) row[column] = `${row[column]} ${text}`.trim();
    else break;
  }
  return agreed >= ROWS_MIN ? { rows: isTable(rows) ? rows : [], lines: at - start } : undefined;
}

function isTable(rows: readonly (readonly string[])[]): boolean {
  if (rows.every(([first = '']) => LIST_MARK.test(first))) return false;
  const cells = rows.flat();
  return cells.reduce((sum, text) => sum + text.length, 0) <= cells.length * CELL_CHARACTERS;
}

/** @param within in line heights */
function isBelow(
  before: PdfLine | undefined,
  line: PdfLine | undefined,
  within: number,
): line is PdfLine {
  if (!before || !line || line.isTop) return false;
  const gap = before.y - line.y;
  return gap > 0 && gap < Math.max(before.size, line.size) * within;
}

/** Where it begins, ends and has its middle; null = the cells of its column do not share that. */
type Edges = readonly (number | null)[];

const edgesOf = ({ x, right }: PdfCell): Edges => [x, right, (x + right) / 2];

function common(edges: Edges, cell: PdfCell | undefined): Edges {
  const own = cell ? edgesOf(cell) : [];
  return edges.map((edge, at) => {
    const place = own[at] ?? null;
    return edge !== null && place !== null && Math.abs(edge - place) <= ALIGNED_WITHIN
      ? edge
      : null;
  });
}

const EMPTY: PdfCell = { text: '', x: 0, right: 0 };

const overlap = (one: PdfCell, other: PdfCell | undefined): boolean =>
  other !== undefined && one.x < other.right && one.right > other.x;

const widened = (band: PdfCell, cell: PdfCell = band): PdfCell => ({
  text: '',
  x: Math.min(band.x, cell.x),
  right: Math.max(band.right, cell.right),
});

/** The only column that a cell is in; -1 = none or several. */
function columnOf(cell: PdfCell, bands: Cells): number {
  const found = bands.flatMap((band, column) => (overlap(cell, band) ? column : []));
  return found.length === 1 ? (found[0] ?? -1) : -1;
}

const textsOf = (cells: Cells): string[] => cells.map(({ text }) => text);
