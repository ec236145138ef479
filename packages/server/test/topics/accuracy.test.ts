import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TOPICS } from '@trawl/contract';
import { describe, expect, it } from 'vitest';
import { readExamples, readFolder, unseen } from '../../../../tools/topics/examples.ts';
import { measure } from '../../../../tools/topics/measure.ts';
import { createTopicClassifier } from '../../src/topics/classify.ts';
import { loadTopicModel } from '../../src/topics/load-model.ts';

const { classify } = createTopicClassifier(loadTopicModel());
const FOLDER = fileURLToPath(new URL('../../../../tools/topics', import.meta.url));
const trained = readFolder(join(FOLDER, 'data'));

/** A little below what MODEL_CARD.md states: a worse model shall not slip in. */
const FLOORS = { 'search-log': 0.94, questions: 0.94, agents: 0.96, languages: 0.92 };

describe('accuracy on queries that the model was not trained on', () => {
  it.each(Object.entries(FLOORS))('%s: at least %d', (name, floor) => {
    const judgements = unseen(readExamples(join(FOLDER, 'tests', `${name}.tsv`)), trained).map(
      ({ topic, query }) => ({
        wanted: topic,
        found: classify(query).topic,
      }),
    );
    const { accuracy, macroF1, confusion } = measure(judgements);
    expect(judgements.length).toBeGreaterThanOrEqual(60 * TOPICS.length);
    expect(accuracy).toBeGreaterThanOrEqual(floor);
    expect(macroF1).toBeGreaterThanOrEqual(floor);
    for (const [topic, row] of confusion.entries()) {
      const asked = row.reduce((sum, count) => sum + count, 0);
      expect((row[topic] ?? 0) / asked, `recall of ${TOPICS[topic]}`).toBeGreaterThanOrEqual(0.75);
    }
  });
});
