import { linesOf, type PdfLine } from './pdf-lines.ts';
import type { PdfContent } from './pdf-pages.ts';
import { withoutRunningHeads } from './pdf-running-heads.ts';
import { tableAt } from './pdf-tables.ts';
import { tableOf, writeTagged } from './pdf-tags.ts';

/** Lines that are further apart than this many line heights belong to different paragraphs. */
const PARAGRAPH_GAP = 1.75;
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
