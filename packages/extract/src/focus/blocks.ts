import { fenceAfter } from '@trawl/providers/markdown-links';

/** A block of a text in markdown, such as a paragraph, a list, a table or code. */
export interface TextBlock {
  /** The place of its first character, in UTF-16 units. */
  readonly start: number;
  /** The place after its last character. */
  readonly end: number;
  /** From 1 to 6 for a heading; 0 for any other block. */
  readonly level: number;
}

const HEADING = /^ {0,3}(#{1,6})(?:[ \t]|$)/;
const UNDERLINE = /^ {0,3}(?:=+|-{2,})[ \t]*$/;

/** Longer beginnings of a line say nothing about its kind. */
const LINE_START = 200;

/**
 * The blocks of a text. Blank lines and headings separate them; fenced code is one block with its
 * blank lines. A plain text is read the same way.
 */
export function blocksOf(content: string): readonly TextBlock[] {
  const blocks: TextBlock[] = [];
  let open: { start: number; end: number; lines: number } | undefined;
  let fence: string | null = null;
  const close = (level = 0): void => {
    if (open) blocks.push({ start: open.start, end: open.end, level });
    open = undefined;
  };
  for (let at = 0; at < content.length; ) {
    const feed = content.indexOf('\n', at);
    const end = feed < 0 ? content.length : feed;
    const line = content.slice(at, Math.min(end, at + LINE_START));
    const heading = fence === null ? HEADING.exec(line) : null;
    if (heading) {
      close();
      blocks.push({ start: at, end, level: heading[1]?.length ?? 0 });
    } else if (fence === null && line.trim() === '' && end - at <= LINE_START) {
      close();
    } else if (fence === null && open?.lines === 1 && UNDERLINE.test(line)) {
      open.end = end;
      close(line.includes('=') ? 1 : 2);
    } else {
      open = { start: open?.start ?? at, end, lines: (open?.lines ?? 0) + 1 };
      fence = fenceAfter(fence, line);
    }
    at = end + 1;
  }
  close();
  return blocks;
}

/** Ends of sentences, also in scripts without spaces. */
const SENTENCE_END = /[.!?…][)\]"'”’»]?\s|[。！？]/g;

/**
 * A block in parts of at most this many UTF-16 units, cut where lines end, or else sentences,
 * words, and characters.
 */
export function partsOf(
  content: string,
  { start, end }: TextBlock,
  most: number,
): readonly TextBlock[] {
  const parts: TextBlock[] = [];
  let from = start;
  while (end - from > most) {
    const to = from + cutAt(content.slice(from, from + most));
    parts.push({ start: from, end: to, level: 0 });
    from = to;
    while (from < end && /\s/.test(content.charAt(from))) from += 1;
  }
  if (from < end) parts.push({ start: from, end, level: 0 });
  return parts;
}

/** Where to cut a text that goes on, in its second half where that is possible. */
function cutAt(text: string): number {
  const half = text.length / 2;
  const line = text.lastIndexOf('\n');
  if (line > half) return line;
  let sentence = 0;
  for (const match of text.matchAll(SENTENCE_END)) {
    sentence = match.index + match[0].trimEnd().length;
  }
  if (sentence > half) return sentence;
  const blank = text.lastIndexOf(' ');
  if (blank > half) return blank;
  const isPair = (text.charCodeAt(text.length - 1) & 0xfc00) === 0xd800;
  return text.length - (isPair && text.length > 1 ? 1 : 0);
}

/** Code points of a part of a text. Places are in UTF-16 units. */
export function pointsBetween(content: string, start: number, end: number): number {
  let count = end - start;
  for (let at = start; at < end; at += 1) {
    if ((content.charCodeAt(at) & 0xfc00) === 0xd800) count -= 1;
  }
  return count;
}
