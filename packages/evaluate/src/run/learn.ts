import { readFile } from 'node:fs/promises';
import { run } from '@trawl/client/terminal/command';
import { readDocument } from '@trawl/client/terminal/documents';
import { EXIT } from '@trawl/client/terminal/exit-codes';
import { aligned, note, print, printJson } from '@trawl/client/terminal/output';
import { checkOutput, type OutputFile, writeOutput } from '@trawl/client/terminal/output-file';
import type { Environment, Painter } from '@trawl/client/terminal/style';
import { isJsonObject, type JsonObject } from '@trawl/contract';
import { type Learning, learnFromEvaluation } from '../learn/learn-routing.ts';
import { LABELS } from '../learn/query-rewards.ts';
import type { SwapTest } from '../learn/swap-test.ts';
import { lessonJson, type TopicLesson } from '../learn/topic-lessons.ts';
import type { ConfidenceInterval } from '../statistics/intervals.ts';

export interface LearnFlags {
  readonly json?: boolean;
  /** Where a proposed order is written, for ROUTING_FILE. */
  readonly out?: string;
}

/**
 * `trawl evaluate learn`: compares providers on the queries of an evaluation, and proposes an order
 * where another one is better.
 */
export const learn = (
  environment: Environment,
  report: string,
  { json = false, out }: LearnFlags,
): Promise<void> =>
  run(environment, { json }, async (context) => {
    const order = out === undefined ? undefined : orderFile(out, report);
    if (order) await checkOutput(order);
    const learning = await learned(report);
    if (json) printJson(learningJson(learning));
    else print(learningText(learning, report, context.out.bold));
    const { proposal } = learning;
    if (!order || proposal === null) return EXIT.ok;
    // orders of other topics stay
    const before = routingFile(await readFile(order.path, 'utf8').catch(() => ''));
    const topics = { ...before?.topics, ...proposal.topics };
    await writeOutput(order, `${JSON.stringify({ ...proposal, topics }, null, 2)}\n`);
    note(`${order.path} is written: set ROUTING_FILE to it and restart the server\n`);
    return EXIT.ok;
  });

/** Replaces only a file of its kind. */
const orderFile = (path: string, report: string): OutputFile => ({
  flag: '--out',
  path,
  others: [report],
  mayReplace: (text) => routingFile(text) !== undefined,
});

function routingFile(text: string): { readonly topics: JsonObject } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isJsonObject(value)) return undefined;
    return isJsonObject(value.topics) ? { topics: value.topics } : undefined;
  } catch {
    return undefined;
  }
}

async function learned(report: string): Promise<Learning> {
  const text = await readDocument(report);
  try {
    return learnFromEvaluation(text, new Date());
  } catch (error) {
    throw new Error(`${report}: ${error instanceof Error ? error.message : error}`);
  }
}

function learningText(learning: Learning, report: string, bold: Painter): string {
  const { from, to, counts, lessons } = learning;
  return [
    `${report}, ${from} to ${to}`,
    `${counts.queries} queries; ${counts.judged} could be judged, ${counts.unrouted} of them on topics without an order`,
    ...lessons.flatMap((lesson) => lessonLines(lesson, bold)),
    '',
    ...(lessons.length === 0 ? [] : NOTES),
    ...proposalLines(learning),
    '',
  ].join('\n');
}

/** What the figures mean. */
const NOTES = [
  'quality: by gold pages, else by pages that other providers found too. reward: quality per second, with one second added.',
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
    bold(`${topic}: ${queries} queries (${by}); in use: ${first.join(', ') || 'not known'}`),
    ...aligned([
      ['provider', 'queries', 'quality', 'seconds', 'reward'],
      ...providers.map((one) => [
        one.provider,
        String(one.queries),
        ...[one.quality, one.seconds, one.value].map((value) => value.toFixed(3)),
      ]),
    ]),
    ...(test ? testLines(test) : [first.length === 0 ? ORDER_UNKNOWN : ALONE]),
  ];
}

const ALONE =
  'No other provider was measured on the same query as one of these, so the order cannot be tested: name more in --providers.';
const ORDER_UNKNOWN =
  'The order in use is not in the report: auto-routing sent none of these queries to this topic, or the server is older.';

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
    ...learning.counts,
    topics: learning.lessons.map(lessonJson),
    proposal: learning.proposal,
  };
}
