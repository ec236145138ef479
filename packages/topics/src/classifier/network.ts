import { TOPICS } from '@trawl/contract';
import { denseInputs, type Inputs } from './features.ts';
import type { TopicModel } from './model-file.ts';

/** One score per topic, not a probability yet. */
export function logitsOf(model: TopicModel, inputs: Inputs): Float64Array {
  const { hiddenUnits, hidden, hiddenBias, output, outputBias, direct, hashed, spread } = model;
  const dense = denseInputs(model.layout);
  const topics = TOPICS.length;
  const ranks = hashed.length / model.layout.buckets;
  const units = Float64Array.from(hiddenBias);
  const logits = Float64Array.from(outputBias);
  const sums = new Float64Array(ranks);
  for (let at = 0; at < inputs.count; at += 1) {
    const index = inputs.indexes[at] ?? 0;
    const value = inputs.values[at] ?? 0;
    if (index >= dense) {
      addRow(sums, hashed, (index - dense) * ranks, value);
    } else {
      addRow(units, hidden, index * hiddenUnits, value);
      addRow(logits, direct, index * topics, value);
    }
  }
  for (const [rank, sum] of sums.entries()) {
    const from = rank * (hiddenUnits + topics);
    addRow(units, spread, from, sum);
    addRow(logits, spread, from + hiddenUnits, sum);
  }
  for (const [unit, value] of units.entries()) {
    if (value > 0) addRow(logits, output, unit * topics, value);
  }
  return logits;
}

/** Adds the row of the matrix that starts at this index. */
function addRow(
  sums: Float64Array,
  matrix: Float32Array | Int8Array,
  from: number,
  value: number,
): void {
  for (let at = 0; at < sums.length; at += 1) {
    sums[at] = (sums[at] ?? 0) + value * (matrix[from + at] ?? 0);
  }
}

export function probabilitiesOf(logits: Float64Array, temperature: number): Float64Array {
  const highest = Math.max(...logits);
  const powers = logits.map((logit) => Math.exp((logit - highest) / temperature));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}
