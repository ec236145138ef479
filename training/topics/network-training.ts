import {
  adam,
  addRow,
  addTo,
  dot,
  intoErrors,
  MEAN_DECAY,
  parameter,
  SQUARE_DECAY,
  type Step,
} from './arithmetic.ts';
import { createRandom, shuffle } from './random.ts';

/** The inputs of one query, and the topic that the network should find. */
export interface Sample {
  readonly indexes: Int32Array;
  readonly values: Float32Array;
  readonly topic: number;
}

export interface TrainingOptions {
  readonly hiddenUnits: number;
  readonly epochs: number;
  readonly learningRate: number;
  /** Weight decay. */
  readonly decay: number;
  /** Dropout: share of the hidden units left out of each step. */
  readonly dropUnits: number;
  /** Dropout: share of the inputs left out of each step. */
  readonly dropInputs: number;
  /**
   * Label smoothing: share of a label that is spread over all topics, because labels are not always
   * right.
   */
  readonly smoothing: number;
  readonly seed: number;
}

/**
 * Inputs below `dense` start with random weights, the many hashed ones after them with small ones.
 */
export interface Shape {
  readonly inputs: number;
  readonly dense: number;
  readonly topics: number;
}

export interface Weights {
  /** Inputs × hidden units. */
  readonly hidden: Float32Array;
  readonly hiddenBias: Float32Array;
  readonly output: Float32Array;
  readonly outputBias: Float32Array;
  /** Inputs × topics, bypassing the hidden units. */
  readonly direct: Float32Array;
}

const BATCH = 32;
const WARM_UP_STEPS = 50;
const DENSE_DEVIATION = 0.07;
const HASHED_DEVIATION = 0.03;

/**
 * Trains one network. `sampleOf` may return another rendering of the same example in each epoch.
 */
export function trainNetwork(
  count: number,
  sampleOf: (example: number, epoch: number) => Sample,
  shape: Shape,
  options: TrainingOptions,
): Weights {
  const random = createRandom(options.seed);
  const weights = initialWeights(shape, options.hiddenUnits, random.normal);
  const pass = createPass(weights, shape, options, random.next);
  const order = Int32Array.from({ length: count }, (_, index) => index);
  const stepsInAll = options.epochs * Math.ceil(count / BATCH);
  let steps = 0;
  for (let epoch = 0; epoch < options.epochs; epoch += 1) {
    shuffle(order, random);
    for (let from = 0; from < count; from += BATCH) {
      const batch = order.subarray(from, from + BATCH);
      for (const example of batch) pass.learn(sampleOf(example, epoch), 1 / batch.length);
      steps += 1;
      const warmth = Math.min(1, steps / WARM_UP_STEPS);
      pass.apply({
        rate: options.learningRate * warmth * (1 - (0.95 * steps) / stepsInAll),
        meanScale: 1 - MEAN_DECAY ** steps,
        squareScale: 1 - SQUARE_DECAY ** steps,
      });
    }
  }
  return weights;
}

function initialWeights(shape: Shape, hiddenUnits: number, normal: () => number): Weights {
  const filled = (length: number, deviation: number) =>
    Float32Array.from({ length }, () => normal() * deviation);
  return {
    hidden: filled(shape.inputs * hiddenUnits, HASHED_DEVIATION).map((weight, at) =>
      at < shape.dense * hiddenUnits ? (weight * DENSE_DEVIATION) / HASHED_DEVIATION : weight,
    ),
    hiddenBias: new Float32Array(hiddenUnits),
    output: filled(hiddenUnits * shape.topics, Math.sqrt(1 / Math.max(1, hiddenUnits))),
    outputBias: new Float32Array(shape.topics),
    direct: new Float32Array(shape.inputs * shape.topics),
  };
}

/** The forward and backward pass of one network, with its memory. */
function createPass(
  weights: Weights,
  { inputs, topics }: Shape,
  options: TrainingOptions,
  next: () => number,
) {
  const size = options.hiddenUnits;
  const hidden = parameter(weights.hidden);
  const hiddenBias = parameter(weights.hiddenBias);
  const output = parameter(weights.output);
  const outputBias = parameter(weights.outputBias);
  const direct = parameter(weights.direct);
  const isTouched = new Uint8Array(inputs);
  const touched: number[] = [];
  const units = new Float64Array(size);
  const kept = new Float64Array(size);
  const blame = new Float64Array(size);
  const logits = new Float64Array(topics);

  function forward(sample: Sample, values: Float32Array): void {
    units.set(weights.hiddenBias);
    logits.set(weights.outputBias);
    for (const [at, value] of values.entries()) {
      const index = sample.indexes[at] ?? 0;
      if (value === 0) continue;
      addRow(units, weights.hidden, index * size, value);
      addRow(logits, weights.direct, index * topics, value);
    }
    for (let unit = 0; unit < size; unit += 1) {
      kept[unit] = next() < options.dropUnits ? 0 : 1 / (1 - options.dropUnits);
      units[unit] = Math.max(0, units[unit] ?? 0) * (kept[unit] ?? 0);
      if (units[unit]) addRow(logits, weights.output, unit * topics, units[unit] ?? 0);
    }
  }

  function backward(sample: Sample, values: Float32Array): void {
    addTo(outputBias.gradient, 0, logits, 1);
    for (let unit = 0; unit < size; unit += 1) {
      const value = units[unit] ?? 0;
      blame[unit] = 0;
      if (value === 0) continue;
      blame[unit] = (kept[unit] ?? 0) * dot(weights.output, unit * topics, logits);
      addTo(output.gradient, unit * topics, logits, value);
    }
    addTo(hiddenBias.gradient, 0, blame, 1);
    for (const [at, value] of values.entries()) {
      const index = sample.indexes[at] ?? 0;
      if (value === 0) continue;
      if (isTouched[index] === 0) touched.push(index);
      isTouched[index] = 1;
      addTo(hidden.gradient, index * size, blame, value);
      addTo(direct.gradient, index * topics, logits, value);
    }
  }

  return {
    learn(sample: Sample, share: number): void {
      const values = sample.values.map((value) => (next() < options.dropInputs ? 0 : value));
      forward(sample, values);
      intoErrors(logits, sample.topic, options.smoothing, share);
      backward(sample, values);
    },
    /** Weights that no sample of the batch uses stay as they are. */
    apply(step: Step): void {
      for (const index of touched) {
        isTouched[index] = 0;
        adam(hidden, index * size, size, step, options.decay);
        adam(direct, index * topics, topics, step, options.decay);
      }
      touched.length = 0;
      adam(output, 0, output.weights.length, step, options.decay);
      adam(hiddenBias, 0, size, step, 0);
      adam(outputBias, 0, topics, step, 0);
    },
  };
}
