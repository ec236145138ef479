import { fenced, findingLine, SOURCE_END, SOURCES_NOTICE, sourceHead } from '@trawl/client/text';
import type { Context, FetchPassage } from '@trawl/contract';
import type { ScoredPiece } from '@trawl/reader';
import type { LeftOutPage, Material, Materials } from './material.ts';
import { estimateTokens } from './tokens.ts';

/** A piece of one text of a source. */
export interface SourcePiece extends ScoredPiece {
  /** Place of its text among those of the source, from which its offset counts. */
  readonly of: number;
}

/** Pieces of all texts of a source, in the order of these. */
export type PiecesOf = (source: Material) => readonly SourcePiece[];

const GAP = '\n\n';
/** Between passages of a source that do not follow each other. */
const BREAK = '\n\n[...]\n\n';

/**
 * The context of a question: passages of its sources up to a number of tokens. The best passage of
 * each source comes before the second of any, and the next one that fits where one does not. What
 * another source says already is left out. A function of its arguments alone.
 */
export function assembleContext(
  { sources, leftOut }: Materials,
  piecesOf: PiecesOf,
  maxTokens: number,
): Context {
  const { fresh, same } = withoutCopies(sources, piecesOf);
  const chosen = choose(fresh, maxTokens);
  const shown = fresh.filter((source) => (chosen.get(source) ?? []).length > 0);
  const inOrder = shown.map((source) => (chosen.get(source) ?? []).toSorted(byPlace));
  const numbered = shown.map((source, index) => ({
    n: index + 1,
    ...facts(source.material),
    passages: (inOrder[index] ?? []).map(({ text, offset }): FetchPassage => ({ text, offset })),
  }));
  const text = textOf(numbered, inOrder);
  const named = new Set(leftOut.map(({ url }) => url));
  const crowded = fresh.filter((source) => !shown.includes(source));
  const more = [
    ...same.map((material): LeftOutPage => ({ url: material.url, reason: 'same' })),
    ...crowded.map(({ material, pieces }): LeftOutPage => {
      // a row without text whose page was not wanted: more pages would have had it
      const isUnread = material.text_from === 'row';
      return { url: material.url, reason: pieces.length > 0 || isUnread ? 'budget' : 'failed' };
    }),
  ];
  return {
    text,
    tokens: estimateTokens(text),
    sources: numbered,
    left_out: [...leftOut, ...more.filter(({ url }) => !named.has(url))],
  };
}

/** A source with what it alone says. */
interface FreshSource {
  readonly material: Material;
  readonly pieces: readonly SourcePiece[];
}

/** Sources without pieces of which earlier ones have each sentence, and those without any other. */
function withoutCopies(sources: readonly Material[], piecesOf: PiecesOf) {
  const known = new Set<string>();
  const fresh: FreshSource[] = [];
  const same: Material[] = [];
  for (const material of sources) {
    const all = piecesOf(material).map((piece) => ({ piece, said: sentencesOf(piece.text) }));
    const pieces = all
      .filter(({ said }) => !said.every((sentence) => known.has(sentence)))
      .map(({ piece }) => piece);
    for (const { said } of all) for (const sentence of said) known.add(sentence);
    if (all.length > 0 && pieces.length === 0) same.push(material);
    else fresh.push({ material, pieces });
  }
  return { fresh, same };
}

/** For comparisons: without case, and white space as one blank. */
const sentencesOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .replace(/([.!?])\s|([。！？])/g, '$1$2\n')
    .split('\n')
    .map((sentence) => sentence.replace(/\s+/g, ' ').trim())
    .filter((sentence) => sentence !== '');

const byScore = (a: SourcePiece, b: SourcePiece): number => b.score - a.score;

function choose(
  sources: readonly FreshSource[],
  maxTokens: number,
): ReadonlyMap<FreshSource, readonly SourcePiece[]> {
  const chosen = new Map<FreshSource, SourcePiece[]>();
  let left = maxTokens - estimateTokens(SOURCES_NOTICE + GAP) - 1;
  const take = (source: FreshSource, piece: SourcePiece): boolean => {
    if (left <= LEAST_TOKENS) return false;
    const own = chosen.get(source);
    const needed = pieceTokens(piece) + (own ? 0 : frameTokens(source.material));
    if (needed > left) return false;
    left -= needed;
    if (own) own.push(piece);
    else chosen.set(source, [piece]);
    return true;
  };
  const best = sources.map((source) => ({ source, pieces: source.pieces.toSorted(byScore) }));
  const scoreOf = ({ pieces: [first] }: (typeof best)[number]): number => first?.score ?? 0;
  // those that have a word of the question first, otherwise in the order of the search
  const ordered = [
    ...best.filter((one) => scoreOf(one) > 0),
    ...best.filter((one) => scoreOf(one) === 0),
  ];
  const taken = new Set<SourcePiece>();
  for (const { source, pieces } of ordered) {
    const first = pieces.find((piece) => take(source, piece));
    if (first) taken.add(first);
  }
  const rest = best
    .flatMap(({ source, pieces }) => pieces.map((piece) => ({ source, piece })))
    .filter(({ source, piece }) => !taken.has(piece) && chosen.has(source))
    .sort((a, b) => byScore(a.piece, b.piece));
  for (const { source, piece } of rest) take(source, piece);
  return chosen;
}

/** No piece takes less: most need not be counted where nothing fits any more. */
const LEAST_TOKENS = estimateTokens(BREAK);

/** The most that a piece takes, whatever follows it. */
const pieceTokens = ({ text }: SourcePiece): number =>
  estimateTokens(fenced(text) + (endsInTag(text) ? '&lt;' : '') + BREAK);

/** Whether the next piece may complete a tag. */
function endsInTag(text: string): boolean {
  const end = text.trimEnd();
  return (end.endsWith('/') ? end.slice(0, -1).trimEnd() : end).endsWith('<');
}

/** What a source takes in addition to its passages. A number of three digits takes no more. */
function frameTokens(material: Material): number {
  const notes = findingLine(99, material.findings);
  return estimateTokens([sourceHead(99, material), SOURCE_END, GAP, ...notes, GAP].join(''));
}

/** In the order of the page. Those of rows are from several texts, which keep their order. */
const byPlace = (a: SourcePiece, b: SourcePiece): number => a.of - b.of || a.offset - b.offset;

const facts = ({ texts: _, ...source }: Material) => source;

function textOf(sources: Context['sources'], pieces: readonly (readonly SourcePiece[])[]): string {
  if (sources.length === 0) return '';
  const blocks = sources.map(
    (source, index) =>
      `${sourceHead(source.n, source)}${fenced(joined(pieces[index] ?? []))}${SOURCE_END}`,
  );
  const notes = sources.flatMap(({ n, findings }) => findingLine(n, findings));
  return [SOURCES_NOTICE, ...blocks, ...(notes.length > 0 ? [notes.join('\n')] : [])].join(GAP);
}

/**
 * Passages that follow each other in a text do so here too. To be fenced as a whole: one may end
 * with the first sign of a tag and the next begin with its name.
 */
function joined(pieces: readonly SourcePiece[]): string {
  let text = '';
  let end = { of: -1, offset: 0 };
  for (const piece of pieces) {
    const isNext = piece.of === end.of && isWithin(piece.offset - end.offset);
    if (text !== '') text += isNext ? GAP : BREAK;
    text += piece.text;
    end = { of: piece.of, offset: piece.offset + [...piece.text].length };
  }
  return text;
}

const isWithin = (distance: number): boolean => distance >= 0 && distance <= GAP.length;
