import type { FetchPassage } from '@trawl/contract';
import { blocksOf, partsOf, pointsBetween, type TextBlock } from './blocks.ts';
import { countsOf, type Rated, scoresOf, termsOf } from './scores.ts';

/** What is looked for in a text, and how many code points the passages may have together. */
export interface PassageQuery {
  readonly query: string;
  readonly maxCharacters: number;
}

/** A part of the text that is taken whole. */
interface Part extends TextBlock, Rated {
  readonly index: number;
  /** The heading directly above it. */
  readonly heading: TextBlock | undefined;
}

/** Smaller parts of long blocks would lose their sense. */
const PART_MIN = 200;

/** What joins passages in one text. */
const SEPARATOR = 2;

/**
 * The passages of a text that fit a query best, in the order of the text, so that neighbors are one
 * passage and the whole can be read. Passages are whole blocks with the heading directly above
 * them; a block that would take more than half of the room is cut into parts. None without a term
 * of the query.
 */
export function findPassages(
  content: string,
  { query, maxCharacters }: PassageQuery,
): readonly FetchPassage[] {
  const wanted = termsOf(query);
  const parts = readParts(content, wanted, Math.max(PART_MIN, Math.floor(maxCharacters / 2)));
  const scores = scoresOf(parts, wanted);
  const best = parts
    .filter(({ index }) => (scores[index] ?? 0) > 0)
    .sort((a, b) => (scores[b.index] ?? 0) - (scores[a.index] ?? 0));
  return passagesOf(content, choose(content, best, { wanted, room: maxCharacters }));
}

function readParts(content: string, wanted: ReadonlySet<string>, most: number): readonly Part[] {
  const blocks = blocksOf(content);
  const parts: Part[] = [];
  const above: { readonly level: number; readonly terms: ReadonlySet<string> }[] = [];
  for (const [at, block] of blocks.entries()) {
    const { level, start, end } = block;
    const nextLevel = blocks[at + 1]?.level ?? 1;
    // nothing is below it
    const isLonely = nextLevel > 0 && nextLevel <= level;
    if (level > 0) {
      while ((above.at(-1)?.level ?? 0) >= level) above.pop();
      above.push({
        level,
        terms: new Set(countsOf(content.slice(start, end), wanted).counts.keys()),
      });
      if (!isLonely) continue;
    }
    const before = blocks[at - 1];
    let heading = before && before.level > 0 && level === 0 ? before : undefined;
    const terms = above.map((one) => one.terms).filter(({ size }) => size > 0);
    for (const part of partsOf(content, block, most)) {
      const counted = countsOf(content.slice(part.start, part.end), wanted);
      parts.push({ ...part, index: parts.length, heading, above: terms, ...counted });
      heading = undefined;
    }
  }
  return parts;
}

/** The best parts that fit into the room, with their headings where these fit too. */
function choose(
  content: string,
  best: readonly Part[],
  { wanted, room }: { readonly wanted: ReadonlySet<string>; readonly room: number },
): readonly TextBlock[] {
  const chosen: TextBlock[] = [];
  let left = room + SEPARATOR;
  const take = (block: TextBlock): boolean => {
    const needed = lengthOf(content, block) + SEPARATOR;
    if (needed > left) return false;
    left -= needed;
    chosen.push(block);
    return true;
  };
  for (const part of best) {
    if (left <= SEPARATOR) break;
    const { heading } = part;
    const isTaken = take(part);
    if (!isTaken && chosen.length === 0) {
      // the match may be behind what fits
      const pieces = partsOf(content, part, Math.max(2, room));
      const matching = pieces.find(
        ({ start, end }) => countsOf(content.slice(start, end), wanted).counts.size > 0,
      );
      return [firstPoints(content, matching ?? part, room)];
    }
    // a heading belongs to the part directly below it only
    if (isTaken && heading) take(heading);
  }
  return chosen;
}

function firstPoints(content: string, { start, end }: TextBlock, room: number): TextBlock {
  const text = [...content.slice(start, Math.min(end, start + 2 * room))].slice(0, room).join('');
  return { start, end: start + text.length, level: 0 };
}

/** Code points of a block. */
const lengthOf = (content: string, { start, end }: TextBlock): number =>
  pointsBetween(content, start, end);

/** The chosen blocks in the order of the text; blocks next to each other are one passage. */
function passagesOf(content: string, chosen: readonly TextBlock[]): readonly FetchPassage[] {
  const spans: { start: number; end: number }[] = [];
  for (const { start, end } of [...chosen].sort((a, b) => a.start - b.start)) {
    const last = spans.at(-1);
    const isNext =
      last && start - last.end <= SEPARATOR && content.slice(last.end, start).trim() === '';
    if (isNext) last.end = end;
    else spans.push({ start, end });
  }
  let at = 0;
  let offset = 0;
  return spans.map(({ start, end }) => {
    offset += pointsBetween(content, at, start);
    at = start;
    return { text: content.slice(start, end), offset };
  });
}
