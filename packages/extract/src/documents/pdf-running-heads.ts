import type { PdfLine } from './pdf-lines.ts';

/** On fewer pages, what is there again may be text. */
const PAGES_MIN = 3;
/** Rows of a head. */
const ROWS_MAX = 3;
/** In line heights: the space between a head and the text. */
const SPACE = 1.75;
/** Larger lines are headings, in parts of the usual size. */
const HEADING_SIZE = 1.2;
/** Numbers in a line of which one may be that of the page. */
const NUMBERS_MAX = 3;

/**
 * Removes running heads and numbers of pages: lines apart from the text, at the top or at the end
 * of a page, that are there on most pages, or on most of the pages of one side. Numbers in them may
 * grow with the pages.
 * @param body the usual size of letters
 */
export function withoutRunningHeads(
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
