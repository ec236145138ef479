import { TOPICS, type Topic } from '@trawl/contract';
import { type Inputs, makeInputs, matchingPatterns, patternsAt, readInputs } from './features.ts';
import { builtInLexicon, type Lexicon } from './lexicon.ts';
import type { TopicModel } from './model-file.ts';
import { logitsOf, probabilitiesOf } from './network.ts';
import { PATTERNS } from './patterns.ts';
import { type QueryText, readQuery } from './text.ts';

export interface Classification {
  readonly topic: Topic;
  /** How probable the topic is, 0–1. */
  readonly score: number;
  /** The probabilities of all topics; they add up to 1. */
  readonly scores: Readonly<Record<Topic, number>>;
}

/** A feature for or against a topic: how far the log-odds fall without it. */
export interface Evidence {
  readonly kind: 'word' | 'pattern';
  readonly feature: string;
  readonly weight: number;
}

export interface TopicClassifier {
  classify(query: string): Classification;
  /**
   * The evidence for the topic of a query, strongest first. Slower than `classify`: one run per
   * word.
   */
  explain(query: string): readonly Evidence[];
}

/** @param lexicon the lexicon of the training, plus the operator's own words if set */
export function createTopicClassifier(
  model: TopicModel,
  lexicon: Lexicon = builtInLexicon(),
): TopicClassifier {
  const inputs = makeInputs(model.layout);
  const read = (query: QueryText): void => readInputs(query, { ...model, lexicon }, inputs);
  return {
    classify: (query) => {
      read(readQuery(query));
      return mostProbable(probabilitiesOf(logitsOf(model, inputs), model.temperature));
    },
    explain: (query) => explain(model, inputs, read, readQuery(query)),
  };
}

function mostProbable(probabilities: Float64Array): Classification {
  const scores = Object.fromEntries(
    TOPICS.map((topic, index) => [topic, probabilities[index] ?? 0]),
  ) as Record<Topic, number>;
  const topic = TOPICS.reduce((first, one) => (scores[one] > scores[first] ? one : first));
  return { topic, score: scores[topic], scores };
}

function explain(
  model: TopicModel,
  inputs: Inputs,
  read: (query: QueryText) => void,
  query: QueryText,
): Evidence[] {
  const probabilities = () => probabilitiesOf(logitsOf(model, inputs), model.temperature);
  read(query);
  const whole = probabilities();
  const topic = TOPICS.indexOf(mostProbable(whole).topic);
  const before = logOdds(whole[topic]);
  const without = (): number => before - logOdds(probabilities()[topic]);
  const patterns = matchingPatterns(query).map((pattern): Evidence => {
    read(query);
    inputs.values[inputs.indexes.indexOf(patternsAt(model.layout) + pattern)] = 0;
    return { kind: 'pattern', feature: PATTERNS[pattern]?.name ?? '', weight: without() };
  });
  const words = [...new Set(query.tokens)].map((word): Evidence => {
    read({ ...query, tokens: query.tokens.filter((token) => token !== word) });
    return { kind: 'word', feature: word, weight: without() };
  });
  return [...patterns, ...words].sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
}

function logOdds(probability = 0): number {
  const bounded = Math.min(Math.max(probability, 1e-9), 1 - 1e-9);
  return Math.log(bounded / (1 - bounded));
}
