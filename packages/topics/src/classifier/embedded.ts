import { choiceOf, type TopicDecider } from '../source/topic-source.ts';
import type { Evidence, TopicClassifier } from './classify.ts';
import type { TopicWords } from './topic-words.ts';

/** Weaker evidence than this does not matter. */
const WEIGHT_MIN = 0.1;
const EVIDENCE_MAX = 8;
/**
 * Of queries of sources that a training left out whose first two scores are closer than this, the
 * first topic is right about as often as the second (0.38 and 0.35; above it 0.46 and 0.29): see
 * "Close topics" in MODEL_CARD.md.
 */
const CLOSE_MARGIN = 0.1;

/**
 * Finds topics with the classifier that ships with the server. It is loaded at the first query, not
 * at the start.
 * @param ownWords an operator's rows of the lexicon
 */
export function createEmbeddedTopics(ownWords: readonly TopicWords[]): TopicDecider {
  let loading: Promise<TopicClassifier> | undefined;
  const classifier = (): Promise<TopicClassifier> => {
    loading ??= loadClassifier(ownWords).catch((cause: unknown) => {
      loading = undefined;
      throw cause;
    });
    return loading;
  };
  return {
    name: 'embedded classifier',
    topics: async (queries) => {
      const { classify } = await classifier();
      return queries.map((query) => {
        const { topic, scores } = classify(query);
        return choiceOf(topic, scores, CLOSE_MARGIN);
      });
    },
    explain: async (query) => {
      const { classify, explain } = await classifier();
      const strong = explain(query).filter(({ weight }) => Math.abs(weight) >= WEIGHT_MIN);
      const { topic, scores } = classify(query);
      const evidence = strong.slice(0, EVIDENCE_MAX).map(evidenceText);
      return { ...choiceOf(topic, scores, CLOSE_MARGIN), scores, evidence };
    },
  };
}

async function loadClassifier(ownWords: readonly TopicWords[]): Promise<TopicClassifier> {
  const [{ createTopicClassifier }, { compileLexicon }, { loadTopicModel }] = await Promise.all([
    import('./classify.ts'),
    import('./lexicon.ts'),
    import('./load-model.ts'),
  ]);
  return createTopicClassifier(loadTopicModel(), compileLexicon(ownWords));
}

function evidenceText({ kind, feature, weight }: Evidence): string {
  const side = weight > 0 ? 'for' : 'against';
  return `${kind} "${feature}" speaks ${side} it (${weight > 0 ? '+' : ''}${weight.toFixed(1)})`;
}
