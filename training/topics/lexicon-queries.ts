import { TOPICS } from '@trawl/contract';
import type { TopicWords } from '../../packages/topics/src/classifier/topic-words.ts';
import type { Example } from './examples.ts';
import { pick, type Random } from './random.ts';

/** Languages of the training's other queries. */
const TAUGHT = new Set(['en', 'de', 'fr', 'es', 'pt']);
const EACH_TOPIC = 200;
/** Weaker terms do not name a topic alone. */
const WEIGHT_MIN = 2;
/** How often a query has a second term of its topic and language. */
const SECOND_TERM = 0.4;

/**
 * Queries of one or two terms of the lexicon in languages that no other query is in. Without them,
 * each new query in a taught language lowers what a term of the lexicon counts for.
 */
export function lexiconQueries(rows: readonly TopicWords[], random: Random): Example[] {
  const strong = rows.filter(
    ({ language, weight }) => !TAUGHT.has(language) && weight >= WEIGHT_MIN,
  );
  return TOPICS.flatMap((topic) => {
    const some = strong.filter((row) => row.topic === topic);
    if (some.length === 0) return [];
    return Array.from({ length: EACH_TOPIC }, (): Example => {
      const { terms, language, match } = pick(some, random);
      const count = random.next() < SECOND_TERM ? 2 : 1;
      const words = Array.from({ length: count }, () => pick(terms, random).replace('*', ''));
      const query = words.join(match === 'anywhere' ? '' : ' ');
      return { topic, language, style: 'lexicon', query, file: 'lexicon' };
    });
  });
}
