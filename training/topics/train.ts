import { TOPICS } from '@trawl/contract';
import {
  denseInputs,
  inputCount,
  layoutOf,
  makeInputs,
  readInputs,
} from '../../packages/topics/src/classifier/features.ts';
import { builtInLexicon } from '../../packages/topics/src/classifier/lexicon.ts';
import type { TopicModel } from '../../packages/topics/src/classifier/model-file.ts';
import { readQuery } from '../../packages/topics/src/classifier/text.ts';
import type { WordTable } from '../../packages/topics/src/classifier/word-table.ts';
import { restyle } from './augment.ts';
import type { Example } from './examples.ts';
import {
  type Sample,
  type TrainingOptions,
  trainNetwork,
  type Weights,
} from './network-training.ts';
import { strongestDirections } from './principal-components.ts';
import { createRandom } from './random.ts';

export interface ModelOptions extends TrainingOptions {
  readonly buckets: number;
  /** How many numbers represent the weights of one hashed input. */
  readonly ranks: number;
  /** How many networks are trained and averaged. */
  readonly members: number;
  /** Renderings of each example: the original, and the rest in other styles. */
  readonly renderings: number;
  readonly temperature: number;
}

export const MODEL_OPTIONS: ModelOptions = {
  hiddenUnits: 48,
  epochs: 5,
  learningRate: 0.003,
  decay: 0.02,
  dropUnits: 0.3,
  dropInputs: 0.1,
  smoothing: 0.05,
  seed: 1,
  buckets: 1 << 15,
  ranks: 24,
  members: 3,
  renderings: 8,
  temperature: 1,
};

/** Trains the classifier. The same examples, table and options give the same model. */
export function trainModel(
  examples: readonly Example[],
  table: WordTable,
  version: string,
  options: ModelOptions = MODEL_OPTIONS,
): TopicModel {
  const layout = layoutOf(table.dimensions, options.buckets);
  const shape = {
    inputs: inputCount(layout),
    dense: denseInputs(layout),
    topics: TOPICS.length,
  };
  const samples = renderAll(examples, table, options);
  const members = Array.from({ length: options.members }, (_, member) =>
    trainNetwork(
      examples.length,
      (example, epoch) => renderingOf(samples, example, epoch + member),
      shape,
      { ...options, seed: options.seed + member },
    ),
  );
  const { hidden, direct, ...network } = merge(members, options.hiddenUnits);
  const hiddenUnits = options.hiddenUnits * options.members;
  const hiddenEnd = shape.dense * hiddenUnits;
  const directEnd = shape.dense * shape.topics;
  const { temperature } = options;
  return {
    version,
    layout,
    hiddenUnits,
    temperature,
    table,
    ...network,
    hidden: hidden.slice(0, hiddenEnd),
    direct: direct.slice(0, directEnd),
    ...condense(hidden.subarray(hiddenEnd), direct.subarray(directEnd), options),
  };
}

function renderAll(
  examples: readonly Example[],
  table: WordTable,
  { buckets, renderings, seed }: ModelOptions,
): Sample[][] {
  const layout = layoutOf(table.dimensions, buckets);
  const inputs = makeInputs(layout);
  const sources = { layout, table, lexicon: builtInLexicon() };
  const random = createRandom(seed + 1_000);
  return examples.map(({ query, language, topic }) =>
    Array.from({ length: renderings }, (_, rendering) => {
      const text = rendering === 0 ? query : restyle(query, language, random);
      readInputs(readQuery(text), sources, inputs);
      return {
        indexes: inputs.indexes.slice(0, inputs.count),
        values: inputs.values.slice(0, inputs.count),
        topic: TOPICS.indexOf(topic),
      };
    }),
  );
}

function renderingOf(samples: readonly Sample[][], example: number, turn: number): Sample {
  const renderings = samples[example] ?? [];
  const sample = renderings[(turn + example) % renderings.length];
  if (!sample) throw new Error(`example ${example} does not exist`);
  return sample;
}

/** The mean of the members' logits is again one network, with their hidden units side by side. */
function merge(members: readonly Weights[], unitsEach: number): Weights {
  const count = members.length;
  const total = unitsEach * count;
  const [first] = members;
  if (!first) throw new Error('a model has at least one member');
  const rows = first.hidden.length / unitsEach;
  const hidden = new Float32Array(rows * total);
  for (const [place, member] of members.entries()) {
    for (let row = 0; row < rows; row += 1) {
      const from = member.hidden.subarray(row * unitsEach, (row + 1) * unitsEach);
      hidden.set(from, row * total + place * unitsEach);
    }
  }
  const side = (read: (member: Weights) => Float32Array) =>
    Float32Array.from(members.flatMap((member) => [...read(member)]));
  const mean = (read: (member: Weights) => Float32Array) =>
    read(first).map((_, at) => members.reduce((sum, one) => sum + (read(one)[at] ?? 0), 0) / count);
  return {
    hidden,
    hiddenBias: side((member) => member.hiddenBias),
    output: side((member) => member.output).map((weight) => weight / count),
    outputBias: mean((member) => member.outputBias),
    direct: mean((member) => member.direct),
  };
}

/**
 * The weights of the hashed inputs are most of the network, and their strongest directions hold
 * nearly all of their information. Each input keeps one byte per direction.
 */
function condense(
  hidden: Float32Array,
  direct: Float32Array,
  { buckets, ranks }: ModelOptions,
): Pick<TopicModel, 'hashed' | 'spread'> {
  const units = hidden.length / buckets;
  const topics = direct.length / buckets;
  const width = units + topics;
  const rows = new Float32Array(buckets * width);
  for (let row = 0; row < buckets; row += 1) {
    rows.set(hidden.subarray(row * units, (row + 1) * units), row * width);
    rows.set(direct.subarray(row * topics, (row + 1) * topics), row * width + units);
  }
  const centre = new Float64Array(width);
  const basis = strongestDirections(rows, buckets, centre, ranks);
  const hashed = new Int8Array(buckets * ranks);
  const spread = new Float32Array(ranks * width);
  for (const [rank, direction] of basis.entries()) {
    const parts = Float64Array.from({ length: buckets }, (_, row) =>
      direction.reduce((sum, part, at) => sum + part * (rows[row * width + at] ?? 0), 0),
    );
    const step = parts.reduce((most, part) => Math.max(most, Math.abs(part)), 1e-9) / 127;
    for (const [row, part] of parts.entries()) hashed[row * ranks + rank] = Math.round(part / step);
    spread.set(
      direction.map((part) => part * step),
      rank * width,
    );
  }
  return { hashed, spread };
}
