import { fenced, findingLine, SOURCE_END, SOURCES_NOTICE, sourceHead } from '@trawl/client/text';
import type { Context, FetchPassage } from '@trawl/contract';
import type { ScoredPiece } from '@trawl/reader';
import type { LeftOutPage, Material, Materials } from './material.ts';
import { estimateTokens } from './tokens.ts';

/** Pieces of all texts of a source, in the order of these. */
export type PiecesOf = (source: Material) => readonly ScoredPiece[];

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
  const numbered = shown.map((source, index) => ({
    n: index + 1,
    ...facts(source.material),
    passages: passagesOf(chosen.get(source) ?? []),
  }));
  const text = textOf(numbered);
  const named = new Set(leftOut.map(({ url }) => url));
  const crowded = fresh.filter((source) => !shown.includes(source));
  const more = [
    ...same.map((material): LeftOutPage => ({ url: material.url, reason: 'same' })),
    ...crowded.map(({ material, pieces }): LeftOutPage => {
      const reason = pieces.length > 0 ? 'budget' : 'failed';
      return { url: material.url, reason };
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
  readonly pieces: readonly ScoredPiece[];
}

/** Texts of up to this many pieces, as rows have them, are looked for in whole texts. */
const SHORT_PIECES = 3;

/** Sources without the pieces of earlier ones, and those that say nothing else. */
function withoutCopies(sources: readonly Material[], piecesOf: PiecesOf) {
  const known = new Set<string>();
  const texts: string[] = [];
  const fresh: FreshSource[] = [];
  const same: Material[] = [];
  for (const material of sources) {
    const all = piecesOf(material);
    const isShort = all.length <= SHORT_PIECES;
    const pieces = all.filter(({ text }) => {
      const words = text.trim();
      return !known.has(words) && !(isShort && texts.some((other) => other.includes(words)));
    });
    for (const { text } of all) known.add(text.trim());
    if (all.length > 0 && pieces.length === 0) {
      same.push(material);
      continue;
    }
    texts.push(...material.texts);
    fresh.push({ material, pieces });
  }
  return { fresh, same };
}

const byScore = (a: ScoredPiece, b: ScoredPiece): number => b.score - a.score;

function choose(
  sources: readonly FreshSource[],
  maxTokens: number,
): ReadonlyMap<FreshSource, readonly ScoredPiece[]> {
  const chosen = new Map<FreshSource, ScoredPiece[]>();
  let left = maxTokens - estimateTokens(SOURCES_NOTICE + GAP) - 1;
  const take = (source: FreshSource, piece: ScoredPiece): boolean => {
    const own = chosen.get(source);
    const needed = costOf(fenced(piece.text) + BREAK) + (own ? 0 : frameTokens(source.material));
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
  const taken = new Set<ScoredPiece>();
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

const costOf = (text: string): number => estimateTokens(text);

/** What a source takes in addition to its passages. Its number has two digits at most. */
function frameTokens(material: Material): number {
  const notes = findingLine(99, material.findings);
  return costOf([sourceHead(99, material), SOURCE_END, GAP, ...notes, GAP].join(''));
}

/** In the order of the page. Those of rows are from several texts, which keep their order. */
const passagesOf = (pieces: readonly ScoredPiece[]): FetchPassage[] =>
  pieces.map(({ text, offset }) => ({ text, offset })).sort((a, b) => a.offset - b.offset);

const facts = ({ texts: _, ...source }: Material) => source;

function textOf(sources: Context['sources']): string {
  if (sources.length === 0) return '';
  const blocks = sources.map(
    (source) => `${sourceHead(source.n, source)}${joined(source.passages)}${SOURCE_END}`,
  );
  const notes = sources.flatMap(({ n, findings }) => findingLine(n, findings));
  return [SOURCES_NOTICE, ...blocks, ...(notes.length > 0 ? [notes.join('\n')] : [])].join(GAP);
}

/** Passages that follow each other on the page do so here too. */
function joined(passages: readonly FetchPassage[]): string {
  let text = '';
  let end = 0;
  for (const passage of passages) {
    if (text !== '') text += passage.offset - end <= GAP.length ? GAP : BREAK;
    text += fenced(passage.text);
    end = passage.offset + [...passage.text].length;
  }
  return text;
}
