import { withoutAccents } from './text.ts';

/** Vectors of words, one byte per number. Words are kept as 32-bit hashes in ascending order. */
export interface WordTable {
  readonly dimensions: number;
  readonly hashes: Uint32Array;
  /** The weight of a word in a mean, 0–255: rare words weigh more than frequent ones. */
  readonly weights: Uint8Array;
  readonly values: Int8Array;
  /** The size of one step of a value, per dimension. */
  readonly steps: Float32Array;
}

/** The row of a word, or -1. */
export function rowOf({ hashes }: WordTable, word: string): number {
  const wanted = hashText(word);
  let low = 0;
  let high = hashes.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = hashes[middle] ?? 0;
    if (found === wanted) return middle;
    if (found < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

const NO_ROWS: readonly number[] = [];

/** The rows for a token: its own, the one without accents, or those of its hyphenated parts. */
export function rowsOfToken(table: WordTable, token: string): readonly number[] {
  const plain = withoutAccents(token);
  const whole = rowOf(table, plain);
  if (whole >= 0) return [whole];
  if (!/[-.&']/.test(plain)) return NO_ROWS;
  return plain.split(/[-.&']/).flatMap((part) => {
    const row = part.length > 1 ? rowOf(table, part) : -1;
    return row >= 0 ? [row] : [];
  });
}

/** A well-mixed 32-bit hash of a short text. Models are trained on its values: it never changes. */
export function hashText(text: string, seed = 0): number {
  let hash = (2166136261 ^ seed) >>> 0;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 16777619);
  }
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
