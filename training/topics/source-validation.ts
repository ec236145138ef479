import { TOPICS, type Topic } from '@trawl/contract';
import { probabilitiesOf } from '../../packages/topics/src/classifier/network.ts';
import type { WordTable } from '../../packages/topics/src/classifier/word-table.ts';
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
import { type OwnData, sourcesOf, trainingSet } from './real-queries.ts';
import { type ModelOptions, trainModel } from './train.ts';

/**
 * Leaves out some sources at a time: every real query is judged by a model that saw nothing of its
 * source, and most of the others of its topic.
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

/** The most of a topic's queries that several sources left out together may hold. */
const LEFT_OUT_MAX = 0.25;

/** Sources that are left out together: of each topic one, or several small ones. */
export function sourceGroups(real: readonly Example[]): string[][] {
  const all = countsOf(real);
  const groups: { readonly sources: string[]; readonly counts: Map<Topic, number> }[] = [];
  const bySource = sourcesOf(real).map((source) => ({
    source,
    counts: countsOf(real.filter(({ file }) => file === source)),
  }));
  const fits = (into: Counts, counts: Counts): boolean =>
    [...counts].every(([topic, count]) => {
      const before = into.get(topic) ?? 0;
      return before === 0 || before + count <= LEFT_OUT_MAX * (all.get(topic) ?? 0);
    });
  // those of several topics first: they are the hardest to place
  for (const { source, counts } of bySource.sort((a, b) => b.counts.size - a.counts.size)) {
    const group = groups.find((one) => fits(one.counts, counts));
    if (group === undefined) groups.push({ sources: [source], counts: new Map(counts) });
    else {
      group.sources.push(source);
      for (const [topic, count] of counts) {
        group.counts.set(topic, (group.counts.get(topic) ?? 0) + count);
      }
    }
  }
  return groups.map(({ sources }) => sources);
}

type Counts = ReadonlyMap<Topic, number>;

/** How many queries each topic has. */
function countsOf(examples: readonly Example[]): Counts {
  const counts = new Map<Topic, number>();
  for (const { topic } of examples) counts.set(topic, (counts.get(topic) ?? 0) + 1);
  return counts;
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
