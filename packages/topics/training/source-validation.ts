import { TOPICS, type Topic } from '@trawl/contract';
import { probabilitiesOf } from '../src/classifier/network.ts';
import type { WordTable } from '../src/classifier/word-table.ts';
import { type HeldOut, judgeAll } from './cross-validate.ts';
import type { Example } from './examples.ts';
import { confusionLines, measure } from './measure.ts';
import {
  type Answer,
  bestOf,
  calibrationError,
  marginAuroc,
  marginBands,
  reliability,
  setsOf,
  topShare,
} from './quality.ts';
import { type OwnData, sourcesOf, topicsOf, trainingSet } from './real-queries.ts';
import { type ModelOptions, trainModel } from './train.ts';

/**
 * Leaves out one source of each topic at a time: every real query is judged by a model that saw nothing of its source,
 * and at least all other sources of its topic.
 */
export function leaveSourcesOut(
  own: OwnData,
  real: readonly Example[],
  table: WordTable,
  options: ModelOptions,
): HeldOut[] {
  const groups = sourceGroups(real);
  return groups.flatMap((sources, index) => {
    const isHeld = ({ file }: Example) => sources.includes(file);
    const known = real.filter((example) => !isHeld(example));
    const model = trainModel(trainingSet(own, known), table, 'held-out', options);
    console.log(`group ${index + 1} of ${groups.length}: without ${sources.join(', ')}`);
    return judgeAll(model, real.filter(isHeld));
  });
}

/** Sources that are left out together: at most one of each topic. */
export function sourceGroups(real: readonly Example[]): string[][] {
  const groups: { readonly sources: string[]; readonly topics: Set<Topic> }[] = [];
  const bySource = sourcesOf(real).map((source) => ({
    source,
    topics: topicsOf(real.filter(({ file }) => file === source)),
  }));
  // those of several topics first: they are the hardest to place
  for (const { source, topics } of bySource.sort((a, b) => b.topics.length - a.topics.length)) {
    const group = groups.find((one) => !topics.some((topic) => one.topics.has(topic)));
    if (group === undefined) groups.push({ sources: [source], topics: new Set(topics) });
    else {
      group.sources.push(source);
      for (const topic of topics) group.topics.add(topic);
    }
  }
  return groups.map(({ sources }) => sources);
}

export function answersOf(
  held: readonly HeldOut[],
  temperature: number,
): { readonly example: Example; readonly answer: Answer }[] {
  return held.map(({ example, logits }) => ({
    example,
    answer: { wanted: example.topic, probabilities: [...probabilitiesOf(logits, temperature)] },
  }));
}

/** A report on answers to real queries, as rows of Markdown tables. */
export function realReport(
  judged: readonly { readonly example: Example; readonly answer: Answer }[],
): string[] {
  const answers = judged.map(({ answer }) => answer);
  const { accuracy, macroF1, confusion } = summary(answers);
  const percent = (part: number) => part.toFixed(3);
  const sets = [0.9, 0.95].map((sum) => {
    const { covered, meanSize } = setsOf(answers, sum);
    return `${sum}: ${percent(covered)} covered, ${meanSize.toFixed(2)} topics`;
  });
  return [
    `${answers.length} queries: accuracy ${percent(accuracy)}, macro-F1 ${percent(macroF1)}, top-2 ${percent(topShare(answers, 2))}`,
    `mean over sources: accuracy ${percent(meanOfSources(judged, 1))}, top-2 ${percent(meanOfSources(judged, 2))}`,
    `sets of likely topics: ${sets.join('; ')}`,
    `margin AUROC ${percent(marginAuroc(answers))}, calibration error ${percent(calibrationError(answers))}`,
    '',
    ...reliability(answers).map(
      ({ from, queries, meanScore, right }) =>
        `| ${from.toFixed(1)} | ${queries} | ${meanScore.toFixed(2)} | ${right.toFixed(2)} |`,
    ),
    '',
    ...marginBands(answers).map(
      ({ from, to, queries, first, second }) =>
        `| ${from}–${to} | ${queries} | ${first.toFixed(2)} | ${second.toFixed(2)} |`,
    ),
    '',
    ...TOPICS.map((topic, index) => {
      const row = confusion[index] ?? [];
      const asked = row.reduce((sum, count) => sum + count, 0);
      return `| ${topic} | ${asked} | ${percent((row[index] ?? 0) / Math.max(1, asked))} |`;
    }),
    '',
    ...sourceLines(judged),
    '',
    ...confusionLines(summary(answers)),
  ];
}

const summary = (answers: readonly Answer[]) =>
  measure(answers.map((answer) => ({ wanted: answer.wanted, found: bestOf(answer) })));

type Judged = Parameters<typeof realReport>[0];

function bySource(judged: Judged): Map<string, Answer[]> {
  const groups = new Map<string, Answer[]>();
  for (const { example, answer } of judged) {
    const name = `${example.topic} | ${example.file} | ${example.language}`;
    groups.set(name, [...(groups.get(name) ?? []), answer]);
  }
  return new Map([...groups].sort());
}

function sourceLines(judged: Judged): string[] {
  return [...bySource(judged)].map(
    ([name, answers]) =>
      `| ${name} | ${answers.length} | ${topShare(answers, 1).toFixed(3)} | ${topShare(answers, 2).toFixed(3)} |`,
  );
}

function meanOfSources(judged: Judged, count: number): number {
  const shares = [...bySource(judged).values()].map((answers) => topShare(answers, count));
  return shares.reduce((sum, one) => sum + one, 0) / Math.max(1, shares.length);
}
