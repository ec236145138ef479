import { INVISIBLE } from '../dom/dom.ts';
import type { PdfField } from './pdf-fields.ts';

/**
 * A run of text with its position on the page, turned so that it runs from left to right; y grows
 * upwards.
 */
export interface PdfItem {
  readonly str: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly fontSize: number;
  readonly hasEOL: boolean;
  /** How many quarters the page is turned to read it. */
  readonly turns?: number;
  /** What it belongs to in the structure of the document. */
  readonly mark?: string | undefined;
}

/** A piece of a line that may be the cell of a table. */
export interface PdfCell {
  readonly text: string;
  readonly x: number;
  readonly right: number;
}

/** A line, or a part of one before a wide gap. */
export interface PdfLine extends PdfCell {
  /** The pieces between gaps that are wider than those of words; empty = unknown. */
  readonly cells: readonly PdfCell[];
  readonly y: number;
  readonly size: number;
  /** It goes on in the line before it. */
  readonly isContinued: boolean;
  /** The text goes on from here, at the top of a column or page. */
  readonly isTop?: boolean;
}

/**
 * The lines of a page in the order in which they are read: those that run like most of its text,
 * then others.
 */
export function linesOf(items: readonly PdfItem[], fields: readonly PdfField[] = []): PdfLine[] {
  const byTurns = new Map<number, PdfItem[]>();
  for (const item of items) {
    const turns = item.turns ?? 0;
    const group = byTurns.get(turns);
    if (group) group.push(item);
    else byTurns.set(turns, [item]);
  }
  const characters = (group: readonly PdfItem[]) =>
    group.reduce((sum, { str }) => sum + str.length, 0);
  const groups = [...byTurns.values()].sort((one, other) => characters(other) - characters(one));
  const [first = [], ...others] = groups.map((group) => partsOf(withoutRepeats(group)));
  return [withFields(first, fields), ...others].flatMap(inReadingOrder);
}

/**
 * A copy this near, in parts of the size of the letters, is there to look bold or to have a shadow.
 */
const COPY_NEAR = 0.25;

/** Drops text that is drawn again at nearly the same place. */
function withoutRepeats(items: readonly PdfItem[]): readonly PdfItem[] {
  const drawn = new Map<string, Set<number>>();
  return items.map((item) => {
    const { str, x, y, fontSize, width } = item;
    if (str.trim() === '') return item;
    // narrow letters may follow each other this closely
    const reach = Math.max(0.01, Math.min(fontSize * COPY_NEAR, width * 0.5));
    const place = Math.round(x / reach) * ROW + Math.round(y / reach);
    const places = drawn.get(str) ?? new Set();
    const isCopy = NEIGHBOURS.some((by) => places.has(place + by));
    places.add(place);
    drawn.set(str, places);
    return isCopy ? { ...item, str: '' } : item;
  });
}

/** Places of one column are numbers in a row. */
const ROW = 2 ** 24;
const NEIGHBOURS = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => dx * ROW + dy));

/** Between two words there is less, in parts of the size of the letters. */
const WIDE_GAP = 1.4;

/** The parts of lines, in the order in which they are drawn. */
function partsOf(items: readonly PdfItem[]): PdfLine[] {
  const parts: PdfLine[] = [];
  let run: PdfItem[] = [];
  let isContinued = false;
  let end = 0;
  const flush = (continues: boolean): void => {
    const [first] = run;
    const text = joined(run);
    if (first && text !== '') {
      const size = largestSize(run);
      const cells = cellsOf(run);
      parts.push({ text, x: first.x, right: end, y: first.y, size, isContinued, cells });
      isContinued = continues;
    } else isContinued &&= continues;
    run = [];
  };
  for (const item of items) {
    const [first] = run;
    if (first && item.str.trim() !== '') {
      if (Math.abs(item.y - first.y) > first.fontSize * 0.6) flush(false);
      else if (item.x - end > item.fontSize * WIDE_GAP) flush(true);
    }
    if (item.str !== '') {
      if (item.str.trim() !== '' || run.length > 0) run.push(item);
      if (item.str.trim() !== '')
        end = Math.max(run.length === 1 ? item.x : end, item.x + item.width);
    }
    if (item.hasEOL) flush(false);
  }
  flush(false);
  return parts;
}

/** The gap between two cells, in parts of the size of the letters. */
const CELL_GAP = 0.6;

function cellsOf(run: readonly PdfItem[]): readonly PdfCell[] {
  const groups: PdfItem[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const item of run) {
    if (item.str.trim() === '') continue;
    const group = groups.at(-1);
    if (group && item.x - end <= item.fontSize * CELL_GAP) group.push(item);
    else groups.push([item]);
    end = item.x + item.width;
  }
  return groups.flatMap((group) => {
    const [first] = group;
    const last = group.at(-1);
    return first && last ? [{ text: joined(group), x: first.x, right: last.x + last.width }] : [];
  });
}

const SOFT_HYPHEN_AT_END = /\u00ad\s*$/;

/** Joins the runs of one line; a gap between two runs becomes a space. */
function joined(run: readonly PdfItem[]): string {
  let text = '';
  let end: number | undefined;
  let before = '';
  for (const { str, x, width, fontSize } of run) {
    if (end !== undefined && x - end > fontSize * 0.2 && !before.endsWith(' ')) text += ' ';
    text += str;
    // reading the end of the whole text would copy it each time
    if (str !== '') before = str;
    end = x + width;
  }
  // one at the end of a line is shown
  const shown = SOFT_HYPHEN_AT_END.test(before) ? `${text.trimEnd()}\u2010` : text;
  return shown.replace(INVISIBLE, '').replace(/\s+/g, ' ').trim();
}

const largestSize = (run: readonly PdfItem[]): number =>
  run.reduce((largest, { fontSize }) => Math.max(largest, fontSize), Number.NEGATIVE_INFINITY);

/** How many parts are looked at to find the label of a field. */
const LABELS_MAX = 200;

/** Puts the values of fields next to their labels, or with their names after the text. */
function withFields(parts: readonly PdfLine[], fields: readonly PdfField[]): readonly PdfLine[] {
  if (fields.length === 0) return parts;
  const rows = new Map<number, number[]>();
  const rowOf = (y: number) => Math.round(y / 8);
  for (const [at, { y }] of parts.entries()) {
    const row = rows.get(rowOf(y));
    if (row) row.push(at);
    else rows.set(rowOf(y), [at]);
  }
  const texts = parts.map(({ text }) => text);
  const alone: PdfLine[] = [];
  for (const field of fields) {
    const { name, text, isBox, x, y, right, height } = field;
    const near = [0, -1, 1].flatMap((by) => rows.get(rowOf(y + height / 2) + by) ?? []);
    const distance = (at: number) => {
      const part = parts[at];
      if (!part || part.y < y - height || part.y > y + height) return Number.POSITIVE_INFINITY;
      const away = isBox ? part.x - right : x - part.right;
      return away > -height ? Math.abs(away) : Number.POSITIVE_INFINITY;
    };
    const label = near
      .slice(0, LABELS_MAX)
      .reduce<{ at: number; away: number } | null>((best, at) => {
        const away = distance(at);
        return away < (best?.away ?? LABEL_FAR) ? { at, away } : best;
      }, null);
    if (label)
      texts[label.at] = isBox ? `${text} ${texts[label.at]}` : `${texts[label.at]} ${text}`;
    else {
      const line = name === '' ? text : `${name}: ${text}`;
      const size = Math.min(height, 12);
      alone.push({ text: line, x, right, y, size, isContinued: false, cells: [] });
    }
  }
  const labelled = parts.map((part, at) => {
    const { [at]: text = '' } = texts;
    return text === part.text ? part : { ...part, text, cells: [] };
  });
  return [...labelled, ...alone];
}

/** A label is not further away, in points. */
const LABEL_FAR = 200;

/** Columns one after the other, if the page has some; else as it was drawn. */
function inReadingOrder(parts: readonly PdfLine[]): readonly PdfLine[] {
  const gutters = guttersOf(parts);
  if (gutters.length === 0) return wholeLines(parts);
  const ordered: PdfLine[] = [];
  let band: PdfLine[][] = [];
  const flush = (): void => {
    for (const column of band)
      for (const [at, line] of (column ?? []).entries())
        ordered.push(at === 0 ? { ...line, isTop: true } : line);
    band = [];
  };
  for (const line of wholeLines(inRows(parts, gutters))) {
    const column = columnOf(line, gutters);
    if (column === undefined) {
      flush();
      ordered.push(line);
    } else if (band[column]) band[column].push(line);
    else band[column] = [line];
  }
  flush();
  return ordered;
}

/** undefined = it goes over several. */
function columnOf({ x, right }: PdfLine, gutters: readonly number[]): number | undefined {
  const column = gutters.filter((gutter) => x >= gutter).length;
  return right > (gutters[column] ?? Number.POSITIVE_INFINITY) ? undefined : column;
}

/** From top to bottom; parts in one row of one column are one line. */
function inRows(parts: readonly PdfLine[], gutters: readonly number[]): readonly PdfLine[] {
  const rows: PdfLine[][] = [];
  for (const part of [...parts].sort((one, other) => other.y - one.y)) {
    const row = rows.at(-1);
    const [first] = row ?? [];
    if (row && first && first.y - part.y <= first.size * 0.5) row.push(part);
    else rows.push([part]);
  }
  return rows.flatMap((row) =>
    row
      .sort((one, other) => one.x - other.x)
      .map((part, at) => {
        const column = columnOf(part, gutters);
        const before = row[at - 1];
        const isSame = before !== undefined && columnOf(before, gutters) === column;
        return { ...part, isContinued: isSame && column !== undefined };
      }),
  );
}

function wholeLines(parts: readonly PdfLine[]): readonly PdfLine[] {
  const lines: (Omit<{ -readonly [Key in keyof PdfLine]: PdfLine[Key] }, 'cells'> & {
    readonly cells: PdfCell[];
  })[] = [];
  for (const part of parts) {
    const line = part.isContinued ? lines.at(-1) : undefined;
    if (line) {
      line.text += ` ${part.text}`;
      for (const cell of part.cells) line.cells.push(cell);
      line.right = Math.max(line.right, part.right);
      line.size = Math.max(line.size, part.size);
    } else lines.push({ ...part, cells: [...part.cells] });
  }
  return lines;
}

/** Points. */
const BIN = 4;
const BINS_MAX = 2_000;
/** The white space between two columns. */
const GUTTER_MIN_BINS = 2;
/** Headings and pictures go over several columns; the share of lines that may. */
const CROSSING_SHARE = 0.2;
/** More are a table. */
const COLUMNS_MAX = 6;
/**
 * What makes a column of text: the cells of tables are fewer, shorter, and do not fill their
 * column.
 */
const COLUMN_LINES = 4;
const COLUMN_CHARACTERS = 15;
const COLUMN_FILLED = 0.6;

/** Where columns of text begin, but the first; none on a page without columns. */
function guttersOf(parts: readonly PdfLine[]): readonly number[] {
  // most calls have a line or two, and columns need many
  if (parts.length < 2 * COLUMN_LINES) return [];
  const [left] = extremes(parts.map(({ x }) => x));
  const covered = new Uint32Array(BINS_MAX);
  for (const { x, right } of parts) {
    const last = Math.min(BINS_MAX, Math.ceil((right - left) / BIN));
    for (let bin = Math.max(0, Math.floor((x - left) / BIN)); bin < last; bin += 1)
      covered[bin] = (covered[bin] ?? 0) + 1;
  }
  const most = covered.reduce((highest, count) => Math.max(highest, count), 0);
  const gutters: number[] = [];
  let free = 0;
  let hasColumn = false;
  for (const [bin, count] of covered.entries()) {
    if (count <= most * CROSSING_SHARE) free += 1;
    else {
      if (hasColumn && free >= GUTTER_MIN_BINS) gutters.push(left + bin * BIN);
      hasColumn = true;
      free = 0;
    }
  }
  const isPossible = gutters.length > 0 && gutters.length < COLUMNS_MAX;
  return isPossible && areColumns(parts, gutters) ? gutters : [];
}

const extremes = (values: readonly number[]): readonly [number, number] =>
  values.reduce<readonly [number, number]>(
    ([least, most], value) => [Math.min(least, value), Math.max(most, value)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );

function areColumns(parts: readonly PdfLine[], gutters: readonly number[]): boolean {
  const columns = [undefined, ...gutters].map((_, at) =>
    parts.filter((part) => columnOf(part, gutters) === at),
  );
  return columns.every((column) => {
    const [start] = extremes(column.map(({ x }) => x));
    const [, end] = extremes(column.map(({ right }) => right));
    const filled = column.filter(
      ({ x, right, text }) =>
        right - x >= (end - start) * COLUMN_FILLED && text.length >= COLUMN_CHARACTERS,
    );
    return column.length >= COLUMN_LINES && filled.length > column.length / 2;
  });
}
