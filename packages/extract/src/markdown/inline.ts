import type { PageNode } from '../dom/dom.ts';
import { markdownOf } from './emphasis.ts';
import { escapeLineStart } from './escape.ts';
import { type Piece, piecesOf, STRONG } from './pieces.ts';
import type { Writing } from './writing.ts';

/** Inline content as paragraphs; two line breaks in a row separate them, as on old pages. */
export function paragraphsOf(nodes: Iterable<PageNode>, writing: Writing): readonly string[] {
  const pieces = piecesOf(nodes, writing);
  // most lines between blocks are only blanks
  if (pieces.length === 0) return [];
  const parts = pieces.some(({ kind }) => kind === 'break') ? splitAtEmptyLines(pieces) : [pieces];
  return parts.flatMap((part) => {
    const text = written(withOuterLink(part, writing, false), writing);
    if (text === '') return [];
    return [writing.isMarkdown ? escapeLineStarts(text) : text];
  });
}

const escapeLineStarts = (text: string): string =>
  text.includes('\n') ? text.split('\n').map(escapeLineStart).join('\n') : escapeLineStart(text);

/** Inline content on one line. */
export function lineIn(nodes: Iterable<PageNode>, writing: Writing): string {
  return oneLine(piecesOf(nodes, writing), writing);
}

/** The text of a heading: bold as a whole anyway. */
export function headingLine(nodes: Iterable<PageNode>, writing: Writing): string {
  const pieces = piecesOf(nodes, { ...writing, marks: 0 });
  const isStrong = pieces.every(({ marks, text }) => marks & STRONG || text.trim() === '');
  const plain = isStrong
    ? pieces.map((piece) => ({ ...piece, marks: piece.marks & ~STRONG }))
    : pieces;
  return oneLine(withOuterLink(plain, writing, true), writing);
}

function oneLine(pieces: readonly Piece[], writing: Writing): string {
  const hasBreaks = pieces.some(({ kind }) => kind === 'break');
  const line = hasBreaks
    ? pieces.map(
        (piece): Piece => (piece.kind === 'break' ? { ...piece, kind: 'text', text: ' ' } : piece),
      )
    : pieces;
  return written(line, writing).replace(/\s\s+/g, ' ');
}

function written(pieces: readonly Piece[], { isMarkdown }: Writing): string {
  if (isMarkdown) return markdownOf(pieces);
  const text = pieces.map((piece) => (piece.kind === 'break' ? '\n' : piece.text)).join('');
  return text.replace(/ ?\n ?/g, '\n').trim();
}

function splitAtEmptyLines(pieces: readonly Piece[]): readonly (readonly Piece[])[] {
  const parts: Piece[][] = [[]];
  let isLineEmpty = true;
  for (const piece of pieces) {
    const isBreak = piece.kind === 'break';
    if (isBreak && isLineEmpty) parts.push([]);
    else if (isBreak || piece.text !== ' ' || !isLineEmpty) parts.at(-1)?.push(piece);
    isLineEmpty = isBreak || (isLineEmpty && piece.text === ' ');
  }
  return parts;
}

/**
 * Puts the link around the blocks on these pieces, if it is not written yet and they show
 * anything.
 */
function withOuterLink(
  pieces: readonly Piece[],
  { outer }: Writing,
  isHeading: boolean,
): readonly Piece[] {
  if (!outer || outer.isWritten || outer.isForHeading !== isHeading) return pieces;
  if (!pieces.some(({ text }) => text.trim() !== '')) return pieces;
  outer.isWritten = true;
  return pieces.map((piece) => ({ ...piece, link: outer.link }));
}
