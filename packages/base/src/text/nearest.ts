/** Longer words are compared by their beginning. */
const LENGTH_MAX = 64;
/** Shorter words are part of too many others. */
const PART_MIN = 4;

/**
 * The word that was probably meant: equal except for case, `_` and `-`, or a few letters away, or
 * containing the given word. undefined = no word is close.
 */
export function nearest(word: string, words: Iterable<string>): string | undefined {
  const given = plain(word);
  const near = [...words]
    .map((other) => ({ other, away: distance(given, plain(other)) }))
    .filter(({ other, away }) => away <= allowedFor(given) || isPart(given, plain(other)))
    .sort((a, b) => a.away - b.away);
  return given === '' ? undefined : near[0]?.other;
}

export const didYouMean = (name: string | undefined): string | undefined =>
  name === undefined ? undefined : `did you mean ${name}?`;

/** Without case, `_` and `-`: `numResults` equals `num_results`. */
export const plain = (word: string): string =>
  word.slice(0, LENGTH_MAX).toLowerCase().replace(/[_-]/g, '');

function allowedFor({ length }: string): number {
  if (length < 5) return 1;
  return length < 8 ? 2 : 3;
}

const isPart = (word: string, other: string): boolean =>
  word.length >= PART_MIN && (other.startsWith(word) || other.endsWith(word));

/**
 * The edit distance: how many characters to insert, delete or replace, or neighbours to swap.
 * @param most above it the answer is Infinity, which takes less time
 */
export function distance(a: string, b: string, most = Number.POSITIVE_INFINITY): number {
  if (Math.abs(a.length - b.length) > most) return Number.POSITIVE_INFINITY;
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 0; row < a.length; row += 1) {
    const line = [row + 1];
    for (let column = 0; column < b.length; column += 1) {
      const replaced = (above[column] ?? 0) + Number(a[row] !== b[column]);
      const isSwap = row > 0 && column > 0 && a[row] === b[column - 1] && a[row - 1] === b[column];
      const swapped = isSwap ? (before[column - 1] ?? 0) + 1 : replaced;
      line.push(Math.min(replaced, swapped, (above[column + 1] ?? 0) + 1, (line[column] ?? 0) + 1));
    }
    if (Math.min(...line, ...above) > most) return Number.POSITIVE_INFINITY;
    before = above;
    above = line;
  }
  return above[b.length] ?? 0;
}
