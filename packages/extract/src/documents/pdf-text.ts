import { linesOf, type PdfLine } from './pdf-lines.ts';
import type { PdfContent } from './pdf-pages.ts';
import { tableAt } from './pdf-tables.ts';
import { tableOf, writeTagged } from './pdf-tags.ts';

/** Lines that are further apart than this many line heights belong to different paragraphs. */
const PARAGRAPH_GAP = 1.75;
/** Larger lines are headings, in parts of the usual size. */
const HEADING_SIZE = 1.2;
const HEADING_LENGTH = 150;

/** A paragraph or a heading of a PDF. */
export interface PdfBlock {
  readonly text: string;
  /** Of a heading; 0 = it is not one. */
  readonly level: number;
  /** It may go on with the block before, which is in another column or on another page. */
  readonly isTop: boolean;
}

/** Writes pages as paragraphs and headings: by their tags, or else by positions and sizes. */
export function writePdf(pages: readonly PdfContent[], format: 'markdown' | 'text'): string {
  const read = pages.map((page) => {
    const tagged = writeTagged(page, format);
    return tagged
      ? { ...tagged, lines: linesOf(tagged.left, page.fields) }
      : { blocks: [], lines: linesOf(page.items, page.fields) };
  });
  const pagesOfLines = read.map(({ lines }) => lines);
  const body = commonSize(pagesOfLines.flat());
  const texts = withoutRunningHeads(pagesOfLines, body);
  const blocks = read.flatMap(({ blocks: tagged }, page) => {
    const untagged = blocksOf(texts[page] ?? [], body, format);
    const [first, ...others] = [...tagged, ...untagged];
    return first ? [{ ...first, isTop: true }, ...others] : [];
  });
  return goneOn(blocks)
    .map(({ text, level }) =>
      level > 0 && format === 'markdown'
        ? `${'#'.repeat(level)} ${text.replaceAll('\n', ' ')}`
        : unhyphenated(text),
    )
    .join('\n\n')
    .trim();
}

function commonSize(lines: readonly PdfLine[]): number {
  const characters = new Map<number, number>();
  for (const { size, text } of lines) {
    const rounded = Math.round(size * 2) / 2;
    characters.set(rounded, (characters.get(rounded) ?? 0) + text.length);
  }
  return [...characters].reduce((best, next) => (next[1] > best[1] ? next : best), [0, 0])[0];
}

function blocksOf(
  lines: readonly PdfLine[],
  body: number,
  format: 'markdown' | 'text',
): readonly PdfBlock[] {
  const blocks: { text: string; level: number; isTop: boolean }[] = [];
  let before: PdfLine | undefined;
  /** Where the table ends, and up to where lines are known not to be one. */
  let tableEnd = 0;
  let checkedTo = 0;
  for (const [at, line] of lines.entries()) {
    if (at < tableEnd) continue;
    const table = at < checkedTo ? undefined : tableAt(lines, at);
    if (table) checkedTo = at + table.lines;
    if (table && table.rows.length > 0) {
      blocks.push({ text: tableOf(table.rows, format === 'markdown'), level: 0, isTop: false });
      before = undefined;
      tableEnd = checkedTo;
      continue;
    }
    const isHeading = line.size >= body * HEADING_SIZE && line.text.length <= HEADING_LENGTH;
    const level = isHeading ? 2 : 0;
    const last = blocks.at(-1);
    const belongs =
      before &&
      last &&
      last.level === level &&
      Math.abs(before.size - line.size) < 1 &&
      isNext(before, line);
    if (belongs) last.text = `${last.text}\n${line.text}`;
    else blocks.push({ text: line.text, level, isTop: line.isTop ?? false });
    before = line;
  }
  return blocks;
}

function isNext(before: PdfLine, line: PdfLine): boolean {
  const gap = before.y - line.y;
  return gap > 0 && gap < Math.max(before.size, line.size) * PARAGRAPH_GAP;
}

/** Joins the parts of a sentence that a new column or page divides. */
function goneOn(blocks: readonly PdfBlock[]): readonly PdfBlock[] {
  const joined: { text: string; level: number; isTop: boolean }[] = [];
  for (const block of blocks) {
    const before = joined.at(-1);
    const goesOn =
      before?.level === 0 &&
      block.level === 0 &&
      block.isTop &&
      /[\p{Ll},;\u2010-]$/u.test(before.text.slice(-2)) &&
      /^\p{Ll}/u.test(block.text);
    if (goesOn) before.text += `\n${block.text}`;
    else joined.push({ ...block });
  }
  return joined;
}

/** Joins words that were hyphenated at a line end. */
const unhyphenated = (text: string): string =>
  text.replace(/(\p{Ll})[-\u2010]\n(?=\p{Ll})/gu, '$1');

/** On fewer pages, what is there again may be text. */
const PAGES_MIN = 3;
/** Rows of a head. */
const ROWS_MAX = 3;
/** In line heights: the space between a head and the text. */
const SPACE = 1.75;
/** Numbers in a line of which one may be that of the page. */
const NUMBERS_MAX = 3;

/**
 * Removes running heads and numbers of pages: lines apart from the text, at the top or at the end
 * of a page, that are there on most pages, or on most of the pages of one side. Numbers in them may
 * grow with the pages.
 * @param body the usual size of letters
 */
function withoutRunningHeads(
  pages: readonly (readonly PdfLine[])[],
  body: number,
): readonly (readonly PdfLine[])[] {
  if (pages.length < PAGES_MIN) return pages;
  const edges = pages.map((lines) => edgesOf(lines, body));
  const counts = new Map<string, [number, number]>();
  for (const [page, lines] of edges.entries())
    for (const key of new Set([...lines].flatMap((line) => keysOf(line, page)))) {
      const count = counts.get(key) ?? [0, 0];
      count[page % 2 === 0 ? 0 : 1] += 1;
      counts.set(key, count);
    }
  const onMost = (count: number, of: number): boolean => count >= PAGES_MIN && count > of / 2;
  const isRepeated = (key: string): boolean => {
    const [front, back] = counts.get(key) ?? [0, 0];
    return (
      onMost(front + back, pages.length) ||
      onMost(front, Math.ceil(pages.length / 2)) ||
      onMost(back, Math.floor(pages.length / 2))
    );
  };
  return pages.map((lines, page) => {
    const edge = edges[page];
    return lines.filter((line) => !edge?.has(line) || !keysOf(line, page).some(isRepeated));
  });
}

/** The lines at both ends of a page that are apart from what is between them. */
function edgesOf(lines: readonly PdfLine[], body: number): ReadonlySet<PdfLine> {
  const sorted = [...lines].sort((one, other) => other.y - one.y);
  return new Set(
    [...edgeOf(sorted), ...edgeOf(sorted.reverse())].filter(
      ({ size }) => size < body * HEADING_SIZE,
    ),
  );
}

/** @param lines from the edge inwards */
function edgeOf(lines: readonly PdfLine[]): readonly PdfLine[] {
  let rows = 1;
  for (const [at, line] of lines.entries()) {
    const next = lines[at + 1];
    const gap = next ? Math.abs(line.y - next.y) : 0;
    const size = Math.max(line.size, next?.size ?? 0);
    // more than a half is the text itself
    if (gap > size * SPACE) return at + 1 > lines.length / 2 ? [] : lines.slice(0, at + 1);
    if (gap > size * 0.5) rows += 1;
    if (rows > ROWS_MAX) return [];
  }
  return [];
}

/** The text of a line, with each of its numbers as it is, or as its distance from the page. */
function keysOf({ text }: PdfLine, page: number): readonly string[] {
  const parts = text.split(/(\d{1,9})/);
  if (parts.length > NUMBERS_MAX * 2 + 1) return [text];
  return parts.reduce<readonly string[]>(
    (keys, part, at) =>
      keys.flatMap((key) =>
        at % 2 === 0 ? [key + part] : [key + part, `${key}\0${Number(part) - page}\0`],
      ),
    [''],
  );
}
