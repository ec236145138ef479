import type { Topic } from '@trawl/contract';
import type { LearnedOrder } from '@trawl/server';
import type { Interval, SwapTest, TimeSpan, TopicLesson } from '@trawl/topics';
import { LABELS } from '@trawl/topics';
import { commandHere } from '../program/manifest.ts';
import type { Paint } from '../program/style.ts';
import { aligned } from '../program/table.ts';

/** What was learned, and from what. */
export interface Learning extends TimeSpan {
  /** The one project, or null for all. */
  readonly project: string | null;
  readonly rankingVersion: string;
  /** Recorded queries on which several providers ran; those whose runs could be judged; of these, those on topics without an order. */
  readonly counts: { readonly queries: number; readonly judged: number; readonly unrouted: number };
  readonly lessons: readonly TopicLesson[];
  /** Topics that ROUTING_FILE orders. */
  readonly operatorsTopics: readonly Topic[];
  /** null = no other order is better. */
  readonly proposal: LearnedOrder | null;
  /** Where it is written. */
  readonly path: string;
}

export function learningText(learning: Learning, bold: Paint): string {
  const { project, from, to, rankingVersion, counts, lessons, operatorsTopics } = learning;
  const where = project === null ? 'all projects' : `project ${project}`;
  return [
    `${where}, ${from} to ${to}; ranking ${rankingVersion}`,
    `${counts.queries} queries ran on several providers; ${counts.judged} could be judged, ${counts.unrouted} of them on topics without an order`,
    ...lessons.flatMap((lesson) => lessonLines(lesson, bold)),
    '',
    ...(lessons.length === 0 ? [] : NOTES),
    ...operatorsTopics.map(
      (topic) => `${topic}: ROUTING_FILE has the order, so nothing is learned`,
    ),
    ...proposalLines(learning),
    '',
  ].join('\n');
}

/** What the figures mean. */
const NOTES = [
  'quality: by feedback, else by what the session read afterwards, else by how far the hosts agree with the other answers. reward: quality per second, with one second added.',
  'The test compares both providers on the same queries: one half chose the change, the other half tests it. Best: a choice that knows each answer. Shuffled: the same steps on rewards in random places.',
];

function proposalLines({ proposal, path }: Learning): readonly string[] {
  if (proposal === null) return ['Nothing is proposed.'];
  const command = `${commandHere()} routing`;
  return [
    `Proposed: ${proposal.version} in ${path}. To compare it first: ${command} shadow on. To use it: ${command} promote`,
  ];
}

function lessonLines(lesson: TopicLesson, bold: Paint): readonly string[] {
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

const intervalText = ({ mean, low, high }: Interval): string =>
  `${signed(mean)} (95 % ${signed(low)} to ${signed(high)})`;

export function learningJson(learning: Learning) {
  return {
    from: learning.from,
    to: learning.to,
    project: learning.project,
    ranking_version: learning.rankingVersion,
    ...learning.counts,
    topics: learning.lessons.map(lessonJson),
    operators_topics: learning.operatorsTopics,
    proposal: learning.proposal && {
      version: learning.proposal.version,
      topics: learning.proposal.topics,
    },
    file: learning.path,
  };
}

/** The figures of a topic, without any query. */
export function lessonJson({ topic, queries, labels, providers, first, test }: TopicLesson) {
  return {
    topic,
    queries,
    labels,
    in_use: first,
    providers: providers.map(({ value, ...one }) => ({ ...one, reward: value })),
    test: test && {
      provider: test.provider,
      replaces: test.replaces,
      decision: test.decision,
      pairs: test.pairs,
      tested: test.tested,
      reward_gain: test.gain,
      quality_gain: test.qualityGain,
      best_gain: test.oracleGain,
      shuffled_gain: test.shuffled,
      pairs_missing: test.pairsMissing,
    },
  };
}
