import { INVISIBLE } from '../dom/dom.ts';

/** A run of text with its position on the page; y grows upwards. */
export interface PdfItem {
  readonly str: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly fontSize: number;
  readonly hasEOL: boolean;
}

interface Line {
  readonly text: string;
  readonly y: number;
  readonly size: number;
}

/** Lines that are further apart than this many line heights belong to different paragraphs. */
const PARAGRAPH_GAP = 1.75;
const HEADING_SIZE = 1.2;
const HEADING_LENGTH = 150;

/**
 * Writes the text runs of pages as paragraphs and headings. A PDF has only their positions and
 * sizes.
 */
export function writePdf(
  pages: readonly (readonly PdfItem[])[],
  format: 'markdown' | 'text',
): string {
  const lines = pages.map(linesOf);
  const body = commonSize(lines.flat());
  return lines
    .flatMap((page) => paragraphs(page, body, format))
    .join('\n\n')
    .trim();
}

function linesOf(items: readonly PdfItem[]): Line[] {
  const lines: Line[] = [];
  let run: PdfItem[] = [];
  const flush = (): void => {
    const [first] = run;
    const text = joined(run).replace(INVISIBLE, '').replace(/\s+/g, ' ').trim();
    if (first && text !== '') lines.push({ text, y: first.y, size: largestSize(run) });
    run = [];
  };
  for (const item of items) {
    const [first] = run;
    if (first && item.str.trim() !== '' && Math.abs(item.y - first.y) > first.fontSize * 0.6)
      flush();
    if (item.str !== '') run.push(item);
    if (item.hasEOL) flush();
  }
  flush();
  return lines;
}

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
  return text;
}

const largestSize = (run: readonly PdfItem[]): number =>
  run.reduce((largest, { fontSize }) => Math.max(largest, fontSize), Number.NEGATIVE_INFINITY);

function commonSize(lines: readonly Line[]): number {
  const characters = new Map<number, number>();
  for (const { size, text } of lines) {
    const rounded = Math.round(size * 2) / 2;
    characters.set(rounded, (characters.get(rounded) ?? 0) + text.length);
  }
  return [...characters].reduce((best, next) => (next[1] > best[1] ? next : best), [0, 0])[0];
}

function paragraphs(lines: readonly Line[], body: number, format: 'markdown' | 'text'): string[] {
  const parts: { text: string; isHeading: boolean }[] = [];
  let before: Line | undefined;
  for (const line of lines) {
    const isHeading = line.size >= body * HEADING_SIZE && line.text.length <= HEADING_LENGTH;
    const last = parts.at(-1);
    const belongs =
      before &&
      last &&
      last.isHeading === isHeading &&
      Math.abs(before.size - line.size) < 1 &&
      isNext(before, line);
    if (belongs) last.text = `${last.text}\n${line.text}`;
    else parts.push({ text: line.text, isHeading });
    before = line;
  }
  return parts.map(({ text, isHeading }) =>
    isHeading && format === 'markdown' ? `## ${text.replaceAll('\n', ' ')}` : unhyphenated(text),
  );
}

function isNext(before: Line, line: Line): boolean {
  const gap = before.y - line.y;
  return gap > 0 && gap < Math.max(before.size, line.size) * PARAGRAPH_GAP;
}

/** Joins words that were hyphenated at a line end. */
const unhyphenated = (text: string): string =>
  text.replace(/(\p{Ll})[-\u2010]\n(?=\p{Ll})/gu, '$1');
