import { TOPICS } from '@trawl/contract';
import { makeInputs, readInputs } from '../../packages/topics/src/classifier/features.ts';
import { builtInLexicon } from '../../packages/topics/src/classifier/lexicon.ts';
import type { TopicModel } from '../../packages/topics/src/classifier/model-file.ts';
import { logitsOf } from '../../packages/topics/src/classifier/network.ts';
import { readQuery } from '../../packages/topics/src/classifier/text.ts';
import type { WordTable } from '../../packages/topics/src/classifier/word-table.ts';
import type { Example } from './examples.ts';
import { type Judgement, type Measures, measure } from './measure.ts';
import { type ModelOptions, trainModel } from './train.ts';

/** An example that the model had not seen, with the model's answer. */
export interface HeldOut {
  readonly example: Example;
  readonly logits: Float64Array;
}

/** Styles that are held out together: a model trained on questions would do too well on quizzes. */
const STYLE_FAMILIES = [
  /^(?:keyword|short|typo)/,
  /^(?:question|quiz)/,
  /^(?:agent|conversation|long|instruction)/,
  /^(?:forum|claim)/,
];

/** All families: `STYLE_FAMILIES`, and one for all other styles. */
export const ALL_FAMILIES: readonly number[] = [...STYLE_FAMILIES.keys(), STYLE_FAMILIES.length];

/** Trains one model per family of styles on all other families, and tests it on the family. */
export function crossValidate(
  examples: readonly Example[],
  table: WordTable,
  options: ModelOptions,
  families: readonly number[],
): HeldOut[] {
  return families.flatMap((family) => {
    const isHeld = ({ style }: Example) => familyOf(style) === family;
    const known = examples.filter((example) => !isHeld(example));
    const model = trainModel(known, table, 'held-out', options);
    return judgeAll(model, examples.filter(isHeld));
  });
}

export function familyOf(style: string): number {
  const family = STYLE_FAMILIES.findIndex((pattern) => pattern.test(style));
  return family < 0 ? STYLE_FAMILIES.length : family;
}

export function judgeAll(model: TopicModel, examples: readonly Example[]): HeldOut[] {
  const inputs = makeInputs(model.layout);
  const sources = { ...model, lexicon: builtInLexicon() };
  return examples.map((example) => {
    readInputs(readQuery(example.query), sources, inputs);
    return { example, logits: logitsOf(model, inputs) };
  });
}

/** The temperature with which the probabilities best fit the held-out examples. */
export function fitTemperature(held: readonly HeldOut[]): number {
  const candidates = Array.from({ length: 60 }, (_, step) => (8 + step) / 20);
  const losses = candidates.map((temperature) => meanLoss(held, temperature));
  return candidates[losses.indexOf(Math.min(...losses))] ?? 1;
}

function meanLoss(held: readonly HeldOut[], temperature: number): number {
  const losses = held.map(({ example, logits }) => {
    const scaled = logits.map((logit) => logit / temperature);
    const highest = Math.max(...scaled);
    const total = scaled.reduce((sum, logit) => sum + Math.exp(logit - highest), 0);
    return Math.log(total) + highest - (scaled[TOPICS.indexOf(example.topic)] ?? 0);
  });
  return losses.reduce((sum, loss) => sum + loss, 0) / losses.length;
}

/** Accuracy per family of styles, per language, and overall. */
export function heldMeasures(held: readonly HeldOut[]): [string, Measures][] {
  const styles = [...new Set(held.map(({ example }) => example.style))].sort();
  const groups = new Map<string, HeldOut[]>();
  const add = (name: string, one: HeldOut): void => {
    const group = groups.get(name);
    if (group) group.push(one);
    else groups.set(name, [one]);
  };
  for (const one of held) {
    const { style, language } = one.example;
    add(`styles ${styles.filter((other) => familyOf(other) === familyOf(style))}`, one);
    add(`language ${language}`, one);
    add('all', one);
  }
  return [...groups].map(([name, members]) => [
    name,
    measure(members.map((one) => judgementOf(one))),
  ]);
}

function judgementOf({ example, logits }: HeldOut): Judgement {
  const best = TOPICS[logits.indexOf(Math.max(...logits))] ?? 'general';
  return { wanted: example.topic, found: best };
}
