import { TOPICS, type Topic } from '@trawl/contract';
import { denseInputs, type Layout, layoutOf } from './features.ts';
import type { WordTable } from './word-table.ts';

/** Everything that a classification needs. */
export interface TopicModel {
  readonly version: string;
  readonly layout: Layout;
  readonly hiddenUnits: number;
  /** Scores are divided by it before they become probabilities; above 1 makes them less extreme. */
  readonly temperature: number;
  readonly table: WordTable;
  /** Dense inputs × hidden units. */
  readonly hidden: Float32Array;
  readonly hiddenBias: Float32Array;
  /** Hidden units × topics. */
  readonly output: Float32Array;
  readonly outputBias: Float32Array;
  /** Dense inputs × topics, bypassing the hidden units. */
  readonly direct: Float32Array;
  /** Hashed inputs × ranks: their sum is reduced to a few numbers before `spread` expands it. */
  readonly hashed: Int8Array;
  /** Ranks × (hidden units, then topics). */
  readonly spread: Float32Array;
}

const MAGIC = 'trawltpc';
const ALIGNMENT = 8;

interface Header {
  readonly version: string;
  readonly topics: readonly string[];
  readonly words: number;
  readonly layout: Layout;
  readonly hiddenUnits: number;
  readonly temperature: number;
  readonly ranks: number;
}

/** The length of each array, in the order of the file. */
function lengthsOf({ layout, hiddenUnits, ranks, words }: Header) {
  const dense = denseInputs(layout);
  const topics = TOPICS.length;
  return {
    hashes: words,
    steps: layout.dimensions,
    hidden: dense * hiddenUnits,
    hiddenBias: hiddenUnits,
    output: hiddenUnits * topics,
    outputBias: topics,
    direct: dense * topics,
    spread: ranks * (hiddenUnits + topics),
    hashed: layout.buckets * ranks,
    weights: words,
    values: words * layout.dimensions,
  };
}

const aligned = (offset: number): number => Math.ceil(offset / ALIGNMENT) * ALIGNMENT;

/**
 * Encodes the file: a magic text, the length of the header, the header as JSON, the arrays.
 * Little-endian.
 */
export function encodeModel(model: TopicModel): Uint8Array {
  const { version, layout, hiddenUnits, temperature, table } = model;
  const header: Header = {
    version,
    topics: TOPICS,
    words: table.hashes.length,
    layout,
    hiddenUnits,
    temperature,
    ranks: model.hashed.length / layout.buckets,
  };
  const text = new TextEncoder().encode(JSON.stringify(header));
  const arrays = { ...table, ...model };
  const parts = Object.keys(lengthsOf(header)).map(
    (name) => arrays[name as keyof ReturnType<typeof lengthsOf>],
  );
  const start = aligned(MAGIC.length + 4 + text.length);
  const size = parts.reduce((end, part) => aligned(end) + part.byteLength, start);
  const bytes = new Uint8Array(size);
  bytes.set(new TextEncoder().encode(MAGIC));
  new DataView(bytes.buffer).setUint32(MAGIC.length, text.length, true);
  bytes.set(text, MAGIC.length + 4);
  let offset = start;
  for (const part of parts) {
    offset = aligned(offset);
    bytes.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), offset);
    offset += part.byteLength;
  }
  return bytes;
}

/** @throws if the bytes are not a model that this version of the program can read */
export function decodeModel(bytes: Uint8Array): TopicModel {
  const header = readHeader(bytes);
  const lengths = lengthsOf(header);
  // A copy in its own buffer: the arrays below are views that need an aligned start.
  const { buffer } = new Uint8Array(bytes);
  let offset = aligned(MAGIC.length + 4 + headerLength(bytes));
  const next = (length: number, width: number): number => {
    const at = aligned(offset);
    offset = at + length * width;
    if (offset > buffer.byteLength) throw new Error('the topic model is cut off');
    return at;
  };
  const floats = (length: number) => new Float32Array(buffer, next(length, 4), length);
  const signed = (length: number) => new Int8Array(buffer, next(length, 1), length);
  const hashes = new Uint32Array(buffer, next(lengths.hashes, 4), lengths.hashes);
  const steps = floats(lengths.steps);
  const network = {
    hidden: floats(lengths.hidden),
    hiddenBias: floats(lengths.hiddenBias),
    output: floats(lengths.output),
    outputBias: floats(lengths.outputBias),
    direct: floats(lengths.direct),
    spread: floats(lengths.spread),
    hashed: signed(lengths.hashed),
  };
  const weights = new Uint8Array(buffer, next(lengths.weights, 1), lengths.weights);
  const values = signed(lengths.values);
  const { version, layout, hiddenUnits, temperature } = header;
  const table = { dimensions: layout.dimensions, hashes, steps, weights, values };
  return {
    version,
    layout,
    hiddenUnits,
    temperature,
    table,
    ...network,
  };
}

function headerLength(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(MAGIC.length, true);
}

function readHeader(bytes: Uint8Array): Header {
  const mark = new TextDecoder().decode(bytes.subarray(0, MAGIC.length));
  if (mark !== MAGIC || bytes.length < MAGIC.length + 4)
    throw new Error('this is not a topic model');
  const from = MAGIC.length + 4;
  const text = new TextDecoder().decode(bytes.subarray(from, from + headerLength(bytes)));
  const header = JSON.parse(text) as Header;
  const expected = layoutOf(header.layout.dimensions, header.layout.buckets);
  const fits =
    header.layout.patterns === expected.patterns &&
    header.topics.join() === (TOPICS satisfies readonly Topic[]).join();
  if (!fits) throw new Error('the topic model was trained for other topics or patterns');
  return header;
}
