import { readFileSync } from 'node:fs';
import { withoutAccents } from '../../packages/topics/src/classifier/text.ts';
import { hashText, type WordTable } from '../../packages/topics/src/classifier/word-table.ts';
import { principalComponents, project } from './principal-components.ts';
import type { WordVectors } from './word-vectors.ts';

export interface TableOptions {
  /** How many of the most frequent words are kept. */
  readonly frequent: number;
  readonly dimensions: number;
  /** Rarer words to keep as well. */
  readonly wanted: ReadonlySet<string>;
  /** Words of other languages with the English words that share their meaning. */
  readonly translations: ReadonlyMap<string, readonly string[]>;
}

interface Row {
  readonly hash: number;
  /** Rank by frequency. */
  readonly place: number;
  readonly vector: Float64Array;
}

/** The components are computed from the most frequent words, which make up most queries. */
const COMPONENT_WORDS = 30_000;
/**
 * English words this frequent keep their English meaning, such as `art`, which is also a German
 * word.
 */
const ENGLISH_FIRST = 25_000;
/** The rank given to a translated word. */
const TRANSLATION_PLACE = 3_000;
/** Values beyond this many standard deviations are clipped. */
const DEVIATIONS = 3.5;

/** The compact table of word vectors: fewer words, fewer dimensions, a byte per number. */
export function buildTable(vectors: WordVectors, options: TableOptions): WordTable {
  const { words, dimensions, values } = vectors;
  const components = principalComponents(values, COMPONENT_WORDS, dimensions, options.dimensions);
  const places = new Map(words.map((word, place) => [word, place]));
  const projected = (place: number) =>
    project(components, values.subarray(place * dimensions, (place + 1) * dimensions));
  const rows = new Map<number, Row>();
  for (const [place, word] of words.entries()) {
    const hash = hashText(word);
    const isKept = place < options.frequent || options.wanted.has(word);
    if (!isKept || rows.has(hash) || !/[a-z0-9]/.test(word)) continue;
    rows.set(hash, { hash, place, vector: projected(place) });
  }
  for (const [word, meanings] of options.translations) {
    if ((places.get(word) ?? ENGLISH_FIRST) < ENGLISH_FIRST) continue;
    const known = meanings.flatMap((meaning) => places.get(meaning) ?? []);
    if (known.length === 0) continue;
    const hash = hashText(word);
    rows.set(hash, { hash, place: TRANSLATION_PLACE, vector: meanOf(known.map(projected)) });
  }
  return quantize([...rows.values()], options.dimensions);
}

/**
 * Reads `english<TAB>german<TAB>french<TAB>spanish<TAB>portuguese`; commas separate words of one
 * language.
 */
export function readTranslations(path: string): Map<string, string[]> {
  const meanings = new Map<string, string[]>();
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const [english = '', ...others] = line.split('\t');
    for (const word of others.flatMap((text) => text.split(','))) {
      const plain = withoutAccents(word.trim());
      if (plain === '' || plain.includes(' ')) continue;
      meanings.set(plain, [...(meanings.get(plain) ?? []), english]);
    }
  }
  return meanings;
}

function meanOf(vectors: readonly Float64Array[]): Float64Array {
  const [first = new Float64Array()] = vectors;
  return first.map(
    (_, at) => vectors.reduce((sum, vector) => sum + (vector[at] ?? 0), 0) / vectors.length,
  );
}

function quantize(unordered: readonly Row[], dimensions: number): WordTable {
  const rows = unordered.toSorted((a, b) => a.hash - b.hash);
  const steps = Float32Array.from({ length: dimensions }, (_, at) => {
    const squares = rows.reduce((sum, { vector }) => sum + (vector[at] ?? 0) ** 2, 0);
    return (Math.sqrt(squares / rows.length) * DEVIATIONS) / 127;
  });
  const values = new Int8Array(rows.length * dimensions);
  for (const [row, { vector }] of rows.entries()) {
    for (let at = 0; at < dimensions; at += 1) {
      const value = Math.round((vector[at] ?? 0) / (steps[at] ?? 1));
      values[row * dimensions + at] = Math.max(-127, Math.min(127, value));
    }
  }
  return {
    dimensions,
    hashes: Uint32Array.from(rows, ({ hash }) => hash),
    weights: Uint8Array.from(rows, ({ place }) => Math.round(255 * weightOf(place))),
    values,
    steps,
  };
}

/** Smooth inverse frequency; the frequency of a word is estimated by Zipf's law. */
function weightOf(place: number): number {
  const share = 1 / ((place + 2.7) * 11);
  return 1e-3 / (1e-3 + share);
}
