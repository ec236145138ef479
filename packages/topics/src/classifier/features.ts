import { TOPICS } from '@trawl/contract';
import { findTerms, type Lexicon, type Term } from './lexicon.ts';
import { PATTERNS } from './patterns.ts';
import { plainToken, type QueryText } from './text.ts';
import { hashText, rowsOfToken, type WordTable } from './word-table.ts';

/**
 * The inputs of the network in order: word vectors, lexicon, patterns, hashed words and parts of
 * words.
 */
export interface Layout {
  readonly dimensions: number;
  readonly patterns: number;
  readonly buckets: number;
}

/** How the word vectors of a query are combined. */
const POOLS = ['mean', 'max'] as const;
/** Numbers on the query as a whole; `shapeOf` computes them. */
const SHAPES = 7;
/** Words with a lower weight are left out of the maximum. */
const CONTENT_WEIGHT_MIN = 0.3;
const TERM_SUM_MAX = 6;

/** The non-zero inputs. The arrays are longer than their used part. */
export interface Inputs {
  readonly indexes: Int32Array;
  readonly values: Float32Array;
  count: number;
}

export const wordInputs = ({ dimensions }: Layout): number => POOLS.length * dimensions + SHAPES;
/** Where the inputs of the patterns start. */
export const patternsAt = (layout: Layout): number => wordInputs(layout) + TOPICS.length;
export const denseInputs = (layout: Layout): number => patternsAt(layout) + layout.patterns;
export const inputCount = (layout: Layout): number => denseInputs(layout) + layout.buckets;

export function layoutOf(dimensions: number, buckets: number): Layout {
  return { dimensions, patterns: PATTERNS.length, buckets };
}

/** Memory for the inputs of one query, to be reused for one query after the other. */
export function makeInputs(layout: Layout): Inputs {
  const size = denseInputs(layout) + 2048;
  return { indexes: new Int32Array(size), values: new Float32Array(size), count: 0 };
}

/** What the inputs of a query are computed from. */
export interface Sources {
  readonly layout: Layout;
  readonly table: WordTable;
  readonly lexicon: Lexicon;
}

/** Fills `inputs` with the features of a query. */
export function readInputs(
  query: QueryText,
  { layout, table, lexicon }: Sources,
  inputs: Inputs,
): void {
  inputs.count = 0;
  pushWords(query, table, inputs);
  pushTerms(findTerms(query, lexicon), wordInputs(layout), inputs);
  for (const index of matchingPatterns(query)) push(inputs, patternsAt(layout) + index, 1);
  const pieces = piecesOf(query.tokens);
  const bucketsAt = denseInputs(layout);
  const value = 1 / Math.sqrt(pieces.length + 1);
  for (const piece of pieces) {
    push(inputs, bucketsAt + (hashText(piece, 1) % layout.buckets), value);
  }
}

function push(inputs: Inputs, index: number, value: number): void {
  if (inputs.count >= inputs.indexes.length) return;
  inputs.indexes[inputs.count] = index;
  inputs.values[inputs.count] = value;
  inputs.count += 1;
}

export function matchingPatterns(query: QueryText): number[] {
  return PATTERNS.flatMap(({ expression, reads }, index) =>
    expression.test(query[reads]) ? [index] : [],
  );
}

/** The texts that are hashed: words, pairs of neighbouring words, and parts of four letters. */
export function piecesOf(tokens: readonly string[]): string[] {
  const plain = tokens.map(plainToken);
  const pieces: string[] = [];
  for (const [index, token] of plain.entries()) {
    pieces.push(token, `${plain[index - 1] ?? '^'} ${token}`);
    if (token.length < 5 || token.startsWith('#')) continue;
    const framed = `<${token}>`;
    for (let at = 0; at + 4 <= framed.length; at += 1) pieces.push(`~${framed.slice(at, at + 4)}`);
  }
  return pieces;
}

function pushTerms(terms: readonly Term[], from: number, inputs: Inputs): void {
  const sums = new Float32Array(TOPICS.length);
  for (const { topic, weight } of terms) sums[topic] = (sums[topic] ?? 0) + weight;
  for (const [topic, sum] of sums.entries()) {
    if (sum > 0) push(inputs, from + topic, Math.min(sum, TERM_SUM_MAX) / 3);
  }
}

function pushWords(query: QueryText, table: WordTable, inputs: Inputs): void {
  const { dimensions, steps, values, weights } = table;
  const pools = new Float32Array(POOLS.length * dimensions);
  const mean = pools.subarray(0, dimensions);
  const max = pools.subarray(dimensions);
  let weightSum = 1e-6;
  let known = 0;
  let frequent = 0;
  for (const token of query.tokens) {
    const rows = rowsOfToken(table, token);
    if (rows.length > 0) known += 1;
    for (const row of rows) {
      const weight = (weights[row] ?? 0) / 255;
      weightSum += weight;
      if (weight < CONTENT_WEIGHT_MIN) frequent += 1 / rows.length;
      for (let at = 0; at < dimensions; at += 1) {
        const value = (values[row * dimensions + at] ?? 0) * (steps[at] ?? 0);
        mean[at] = (mean[at] ?? 0) + weight * value;
        if (weight >= CONTENT_WEIGHT_MIN && value > (max[at] ?? 0)) max[at] = value;
      }
    }
  }
  for (const [at, value] of pools.entries()) {
    if (value !== 0) push(inputs, at, at < dimensions ? value / weightSum : value);
  }
  for (const [at, value] of shapeOf(query, { known, frequent, weightSum }).entries()) {
    push(inputs, pools.length + at, value);
  }
}

interface Counts {
  readonly known: number;
  /** Words that carry style rather than meaning. */
  readonly frequent: number;
  readonly weightSum: number;
}

/** Numbers that differ between names, headlines and questions, whatever their words are. */
function shapeOf(
  { original, tokens }: QueryText,
  { known, frequent, weightSum }: Counts,
): number[] {
  const count = Math.max(1, tokens.length);
  const words = original.split(' ');
  const capitals = words.filter((word) => /^\p{Lu}/u.test(word)).length;
  return [
    Math.log1p(tokens.length) / 3,
    known / count,
    frequent / count,
    weightSum / count,
    capitals / Math.max(1, words.length),
    tokens.filter((token) => /\d/.test(token)).length / count,
    tokens.reduce((sum, token) => sum + token.length, 0) / count / 10,
  ];
}
