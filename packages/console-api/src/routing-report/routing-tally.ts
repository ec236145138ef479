import type { Topic, Verdict } from '@trawl/contract';
import type { JudgedRun, RunTally } from '@trawl/store';

/** The heading under which a run is counted: its topic, or why it does not have one. */
export type TallyTopic = Topic | 'undetermined' | 'not routed';

/** The sums of a provider's runs on one topic. */
export interface ProviderRuns {
  runs: number;
  failures: Record<string, number>;
  /** Of the answered runs: how many took each number of milliseconds. */
  readonly answeredIn: Map<number, number>;
  calls: number;
  pricedCalls: number;
  costMicros: number;
  /** Runs on queries with feedback, and those of them with a result that was used or right. */
  judged: number;
  helped: number;
  /** How many results got this verdict, and how many judged runs have one. */
  readonly words: Record<Verdict, { results: number; runs: number }>;
}

export interface TopicTally {
  readonly providers: Map<string, ProviderRuns>;
  judgedQueries: number;
  /** By `<one> <other>`: judged queries on which both ran and only the first helped. */
  readonly onlyFirst: Map<string, number>;
}

export interface RoutingTally {
  readonly topics: Map<TallyTopic, TopicTally>;
  /** Runs whose topic is not known. */
  readonly leftOut: { older: number; deleted: number };
}

export const newTally = (): RoutingTally => ({
  topics: new Map(),
  leftOut: { older: 0, deleted: 0 },
});

export function addRuns(tally: RoutingTally, row: RunTally): void {
  if (row.kind === 'older' || row.kind === 'deleted') {
    tally.leftOut[row.kind] += row.runs;
    return;
  }
  const topic = topicTally(tally, topicOf(row.kind === 'routed', row.topic));
  const sum = providerTally(topic, row.provider);
  sum.runs += row.runs;
  sum.calls += row.calls;
  sum.pricedCalls += row.pricedCalls;
  sum.costMicros += row.costMicros;
  if (row.errorCode !== null) {
    sum.failures[row.errorCode] = (sum.failures[row.errorCode] ?? 0) + row.runs;
  } else if (row.latencyMs !== null) {
    sum.answeredIn.set(row.latencyMs, (sum.answeredIn.get(row.latencyMs) ?? 0) + row.runs);
  }
}

/** @param runs all runs of some queries; the runs of one query are adjacent */
export function addJudged(tally: RoutingTally, runs: readonly JudgedRun[]): void {
  for (const query of byQuery(runs)) {
    const [first] = query;
    if (first === undefined) continue;
    const topic = topicTally(tally, topicOf(first.isRouted, first.topic));
    topic.judgedQueries += 1;
    for (const run of query) addWords(providerTally(topic, run.provider), run);
    for (const one of query.filter(hasHelped)) {
      for (const other of query) if (!hasHelped(other)) addOnlyFirst(topic, one, other);
    }
  }
}

const topicOf = (isRouted: boolean, topic: Topic | null): TallyTopic =>
  isRouted ? (topic ?? 'undetermined') : 'not routed';

function topicTally(tally: RoutingTally, topic: TallyTopic): TopicTally {
  const known = tally.topics.get(topic);
  const sum = known ?? { providers: new Map(), judgedQueries: 0, onlyFirst: new Map() };
  if (!known) tally.topics.set(topic, sum);
  return sum;
}

function providerTally({ providers }: TopicTally, provider: string): ProviderRuns {
  const known = providers.get(provider);
  if (known) return known;
  const none = () => ({ results: 0, runs: 0 });
  const sum: ProviderRuns = {
    runs: 0,
    failures: {},
    answeredIn: new Map(),
    calls: 0,
    pricedCalls: 0,
    costMicros: 0,
    judged: 0,
    helped: 0,
    words: { used: none(), right: none(), wrong: none() },
  };
  providers.set(provider, sum);
  return sum;
}

function byQuery(runs: readonly JudgedRun[]): readonly (readonly JudgedRun[])[] {
  const queries: JudgedRun[][] = [];
  for (const run of runs) {
    const before = queries.at(-1);
    const isSame =
      before?.[0]?.interactionId === run.interactionId && before[0].batchIndex === run.batchIndex;
    if (isSame) before.push(run);
    else queries.push([run]);
  }
  return queries;
}

const hasHelped = ({ used, right }: JudgedRun): boolean => used + right > 0;

function addWords(sum: ProviderRuns, run: JudgedRun): void {
  sum.judged += 1;
  if (hasHelped(run)) sum.helped += 1;
  for (const [word, counts] of Object.entries(sum.words)) {
    const results = run[word as Verdict];
    counts.results += results;
    if (results > 0) counts.runs += 1;
  }
}

function addOnlyFirst({ onlyFirst }: TopicTally, one: JudgedRun, other: JudgedRun): void {
  const pair = pairOf(one.provider, other.provider);
  onlyFirst.set(pair, (onlyFirst.get(pair) ?? 0) + 1);
}

/** Slugs do not contain spaces. */
export const pairOf = (one: string, other: string): string => `${one} ${other}`;
