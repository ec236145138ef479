import { builtInRows } from '@trawl/base';
import { expect, test } from 'vitest';
import lexicon from '../src/classifier/lexicon.tsv?raw';
import { TOPIC_WORDS_TABLE } from '../src/classifier/topic-words.ts';

test('no term of the lexicon indicates two topics, in one language or two', () => {
  const topics = new Map<string, string>();
  for (const { match, topic, terms } of builtInRows('lexicon.tsv', lexicon, TOPIC_WORDS_TABLE)) {
    for (const term of terms) {
      expect(topics.get(`${match} ${term}`) ?? topic, term).toBe(topic);
      topics.set(`${match} ${term}`, topic);
    }
  }
  expect(topics.size).toBeGreaterThan(4_000);
});
