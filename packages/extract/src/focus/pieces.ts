import type { FetchPassage } from '@trawl/contract';
import { blocksOf, partsOf, pointsBetween, type TextBlock } from './blocks.ts';
import { countsOf, type Rated, scoresOf, termsOf } from './scores.ts';

/** A text, and the title that it is under. */
export interface TitledText {
  readonly title: string;
  readonly text: string;
}

/** A part of a text that can be taken alone, and how well it fits a query: 0 = not at all. */
export interface ScoredPiece extends FetchPassage {
  readonly score: number;
}

/** What pieces of several texts are looked for with. */
export interface PieceQuery {
  readonly query: string;
  /** The most UTF-16 units of a piece. */
  readonly most: number;
}

interface Piece extends TextBlock, Rated {
  /** Place of its text in the list. */
  readonly of: number;
}

/**
 * Texts in pieces, in the order of each text: whole blocks that follow each other, and parts of
 * long ones. A heading is with what follows it. Scores compare over all texts.
 */
export function scoredPieces(
  texts: readonly TitledText[],
  { query, most }: PieceQuery,
): readonly (readonly ScoredPiece[])[] {
  const wanted = termsOf(query);
  const pieces = texts.flatMap(({ title, text }, of) => {
    const titled = new Set(countsOf(title, wanted).counts.keys());
    return ratedPieces(text, wanted, { titled, most }).map((piece): Piece => ({ ...piece, of }));
  });
  const scores = scoresOf(pieces, wanted);
  const found = texts.map((): ScoredPiece[] => []);
  const before = texts.map(() => ({ at: 0, offset: 0 }));
  for (const [index, { of, start, end }] of pieces.entries()) {
    const content = texts[of]?.text ?? '';
    const last = before[of] ?? { at: 0, offset: 0 };
    const offset = last.offset + pointsBetween(content, last.at, start);
    before[of] = { at: start, offset };
    found[of]?.push({ text: content.slice(start, end), offset, score: scores[index] ?? 0 });
  }
  return found;
}

/** Words of addresses say little: a list of links would be the best piece of many pages. */
const LINK_TARGET = /\]\([^()\s]{0,2048}\)/g;

/** Headings count for the pieces below them, up to the next of their level. */
function ratedPieces(
  text: string,
  wanted: ReadonlySet<string>,
  { titled, most }: { readonly titled: ReadonlySet<string>; readonly most: number },
): readonly (TextBlock & Rated)[] {
  const above: { readonly level: number; readonly terms: ReadonlySet<string> }[] = [];
  return piecesOf(text, most).map(({ parts, ...piece }) => {
    const said = text.slice(piece.start, piece.end).replace(LINK_TARGET, ']');
    const { counts, size } = countsOf(said, wanted);
    const terms = [titled, ...above.map((one) => one.terms)].filter((one) => one.size > 0);
    for (const { level, start, end } of parts) {
      if (level === 0) continue;
      while ((above.at(-1)?.level ?? 0) >= level) above.pop();
      const own = countsOf(text.slice(start, end), wanted).counts;
      above.push({ level, terms: new Set(own.keys()) });
    }
    return { ...piece, counts, size, above: terms };
  });
}

interface OpenPiece extends TextBlock {
  readonly parts: readonly TextBlock[];
}

function piecesOf(text: string, most: number): readonly OpenPiece[] {
  const parts = blocksOf(text).flatMap((block) =>
    block.end - block.start > most ? partsOf(text, block, most) : [block],
  );
  const pieces: OpenPiece[] = [];
  let open: TextBlock[] = [];
  const lengthTo = ({ end }: TextBlock, from = open[0]): number => end - (from?.start ?? end);
  const close = (): void => {
    const [first] = open;
    const last = open.at(-1);
    if (first && last) pieces.push({ start: first.start, end: last.end, level: 0, parts: open });
    open = [];
  };
  for (const part of parts) {
    const last = open.at(-1);
    const isSection = part.level > 0 && last !== undefined && lengthTo(last) >= most / 2;
    if (isSection || lengthTo(part) > most) {
      const isHeading = last !== undefined && last.level > 0 && open.length > 1;
      const goesOn = isHeading && lengthTo(part, last) <= most;
      if (goesOn) open.pop();
      close();
      if (goesOn) open.push(last);
    }
    open.push(part);
  }
  close();
  return pieces;
}
