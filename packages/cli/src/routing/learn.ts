import { readFault, readTextFile, systemClock } from '@trawl/base';
import { aligned, note, print, printJson } from '@trawl/client/terminal/output';
import { checkOutput, type OutputFile, writeOutput } from '@trawl/client/terminal/output-file';
import { type Painter, styleOf } from '@trawl/client/terminal/style';
import { isJsonObject } from '@trawl/contract';
import {
  type ConfidenceInterval,
  LABELS,
  type Learning,
  learnRouting as learn,
  learnFromEvaluation,
  lessonJson,
  routingCandidates,
  type SwapTest,
  type TopicLesson,
} from '@trawl/routing-lab';
import { type Config, readConfig } from '@trawl/server';
import { withDatabase } from '../keys/key-database.ts';
import type { Runtime } from '../program/runtime.ts';
import { UsageError } from '../program/usage-error.ts';
import { type ReportOptions, readDays } from './report.ts';

export interface LearnOptions extends ReportOptions {
  /** Where a proposed order is written, for ROUTING_FILE. */
  readonly out?: string;
  /** The JSON of an evaluation. */
  readonly evaluation?: string;
}

/**
 * `trawl routing learn`: compares providers on recorded queries, and proposes an order where
 * another one is better.
 */
export async function learnRouting(runtime: Runtime, options: LearnOptions): Promise<void> {
  const { json = false, project, evaluation, out } = options;
  const order = out === undefined ? undefined : orderFile(out, evaluation);
  if (order) await checkOutput(order);
  const days = readDays(options.days);
  const config = readConfig(runtime.environment);
  const candidates = routingCandidates(config);
  if (candidates.length === 0) {
    throw new Error('no search provider has a key here; run this with the settings of the server');
  }
  const finish = async (learning: Learning): Promise<void> => {
    if (json) printJson(learningJson(learning));
    else
      print(learningText(learning, styleOf(process.stdout, runtime.environment).bold, evaluation));
    if (!order || learning.proposal === null) return;
    await writeOutput(order, `${JSON.stringify(learning.proposal, null, 2)}\n`);
    note(`${order.path} is written: set ROUTING_FILE to it and restart the server\n`);
  };
  if (evaluation !== undefined) return finish(learnFromFile(config, evaluation, candidates));
  await withDatabase(runtime, { mayCreate: false, isQuiet: json }, async (store) => {
    const now = systemClock.now();
    await finish(await learn(config, store, { days, project, now, candidates }));
  });
}

/** Replaces only a file of its kind. */
const orderFile = (path: string, evaluation: string | undefined): OutputFile => ({
  flag: '--out',
  path,
  others: [evaluation],
  mayReplace: isRoutingFile,
});

function isRoutingFile(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) && isJsonObject(value.topics);
  } catch {
    return false;
  }
}

function learnFromFile(config: Config, file: string, candidates: readonly string[]): Learning {
  let text: string;
  try {
    text = readTextFile(file);
  } catch (error) {
    throw new UsageError(`--evaluation: ${file} ${readFault(error)}`);
  }
  try {
    return learnFromEvaluation(config, text, { now: systemClock.now(), candidates });
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : error}`);
  }
}

function learningText(learning: Learning, bold: Painter, evaluation?: string): string {
  const { project, from, to, rankingVersion, counts, lessons } = learning;
  const recorded = project === null ? 'all projects' : `project ${project}`;
  const where = evaluation ?? recorded;
  return [
    `${where}, ${from} to ${to}; ranking ${rankingVersion}`,
    `${counts.queries} queries ran on several providers; ${counts.judged} could be judged, ${counts.unrouted} of them on topics without an order`,
    ...lessons.flatMap((lesson) => lessonLines(lesson, bold)),
    '',
    ...(lessons.length === 0 ? [] : NOTES),
    ...proposalLines(learning),
    '',
  ].join('\n');
}

/** What the figures mean. */
const NOTES = [
  'quality: by gold pages of an evaluation, else by feedback, else by what the session read afterwards, else by how far the hosts agree with the other answers. reward: quality per second, with one second added.',
  'The test compares both providers on the same queries: one half chose the change, the other half tests it. Best: a choice that knows each answer. Shuffled: the same steps on rewards in random places.',
];

function proposalLines({ proposal }: Learning): readonly string[] {
  if (proposal === null) return ['Nothing is proposed.'];
  return [`Proposed: ${proposal.version}. --out FILE writes it as a file for ROUTING_FILE.`];
}

function lessonLines(lesson: TopicLesson, bold: Painter): readonly string[] {
  const { topic, queries, labels, providers, first, test } = lesson;
  const by = LABELS.map((label) => `${labels[label]} by ${label}`).join(', ');
  return [
    '',
    bold(`${topic}: ${queries} different queries (${by}); in use: ${first.join(', ')}`),
    ...aligned([
      ['provider', 'queries', 'quality', 'seconds', 'reward'],
      ...providers.map((one) => [
        one.provider,
        String(one.queries),
        ...[one.quality, one.seconds, one.value].map((value) => value.toFixed(3)),
      ]),
    ]),
    ...(test ? testLines(test) : [ALONE]),
  ];
}

const ALONE =
  'No other provider ran on the same query as one of these, so the order cannot be tested: name more providers in some searches.';

function testLines(test: SwapTest): readonly string[] {
  const { provider, replaces, decision, tested, pairs, gain, qualityGain, oracleGain } = test;
  return [
    `${provider} in the place of ${replaces}: ${decision}; ${pairs} queries with both, ${tested} in the test`,
    ...(gain === null
      ? []
      : [
          `  reward ${intervalText(gain)}; best ${signed(oracleGain ?? 0)}; shuffled ${signed(test.shuffled.mean)}, 95 % below ${signed(test.shuffled.high)}`,
        ]),
    ...(qualityGain === null ? [] : [`  quality ${intervalText(qualityGain)}`]),
    ...missingLines(test),
  ];
}

function missingLines({ decision, pairsMissing, replaces, provider }: SwapTest): readonly string[] {
  if (decision !== 'not separable') return [];
  if (pairsMissing === null) return ['  no gain is seen, so more queries are not expected to help'];
  if (pairsMissing === 0)
    return [
      '  enough queries for this gain, but shuffled rewards gain as much, or quality may be lower',
    ];
  return [
    `  ${pairsMissing} more queries that run on both ${replaces} and ${provider} are needed (80 % power)`,
  ];
}

const signed = (value: number): string => `${value < 0 ? '' : '+'}${value.toFixed(3)}`;

const intervalText = ({ mean, low, high }: ConfidenceInterval): string =>
  `${signed(mean)} (95 % ${signed(low)} to ${signed(high)})`;

function learningJson(learning: Learning) {
  return {
    from: learning.from,
    to: learning.to,
    project: learning.project,
    ranking_version: learning.rankingVersion,
    ...learning.counts,
    topics: learning.lessons.map(lessonJson),
    proposal: learning.proposal,
  };
}
