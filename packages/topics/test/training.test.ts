import { describe, expect, it } from 'vitest';
import { buildTable } from '../../../training/topics/build-table.ts';
import type { Example } from '../../../training/topics/examples.ts';
import { MODEL_OPTIONS, trainModel } from '../../../training/topics/train.ts';
import { createTopicClassifier } from '../src/classifier/classify.ts';
import { decodeModel, encodeModel } from '../src/classifier/model-file.ts';

const words = ['price', 'quote', 'recipe', 'dish', 'gold', 'soup', 'cost', 'meal'];
/** Words of the two topics point in two directions. */
const directions = [0, 0, 1, 1, 0, 1, 0, 1];
const vectors = {
  words,
  dimensions: 4,
  values: Float32Array.from(
    directions.flatMap((direction, at) => [direction * 3, 3 - direction * 3, at / 40, -at / 50]),
  ),
};
const table = buildTable(vectors, {
  frequent: words.length,
  dimensions: 2,
  wanted: new Set(),
  translations: new Map([['suppe', ['soup']]]),
});
const example = (topic: Example['topic'], query: string): Example => ({
  topic,
  language: 'en',
  style: 'keywords',
  query,
  file: 'made-up',
});
const examples = [
  example('finance_markets', 'gold price'),
  example('finance_markets', 'gold quote'),
  example('general', 'recipe for a dish'),
  example('general', 'soup dish'),
];
const options = { ...MODEL_OPTIONS, epochs: 60, buckets: 64, members: 2, hiddenUnits: 8, ranks: 4 };
const train = (seed: number) => trainModel(examples, table, 'test', { ...options, seed });

describe('the training', () => {
  it('gives the same bytes for the same input, others for another seed', () => {
    const bytes = Buffer.from(encodeModel(train(1)));
    expect(bytes.equals(encodeModel(train(1)))).toBe(true);
    expect(bytes.equals(encodeModel(train(2)))).toBe(false);
  });

  it('makes a model that recognizes words by their vectors, including translations', () => {
    const { classify } = createTopicClassifier(decodeModel(encodeModel(train(1))));
    expect(classify('cost').topic).toBe('finance_markets');
    expect(classify('meal').topic).toBe('general');
    expect(classify('suppe').topic).toBe('general');
  });
});
