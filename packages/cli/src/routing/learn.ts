import { DAY_MS, isoTime, systemClock } from '@trawl/base';
import type { Topic } from '@trawl/contract';
import {
  type Config,
  isOperators,
  isRoutedTopic,
  type LearnedOrder,
  learnedPath,
  projectIds,
  rankingInUse,
  readConfig,
  readLearned,
  routingCandidates,
  withTopics,
  writeLearned,
} from '@trawl/server';
import type { Store } from '@trawl/store';
import {
  type PairedQuery,
  type QueryRewards,
  queryRewards,
  type TimeSpan,
  type TopicJudge,
  topicLessons,
} from '@trawl/topics';
import { printJson } from '../client/output.ts';
import { withDatabase } from '../keys/key-database.ts';
import type { Runtime } from '../program/runtime.ts';
import { styleOf } from '../program/style.ts';
import { print } from '../program/table.ts';
import { type Learning, learningJson, learningText, lessonJson } from './learn-output.ts';
import { type ReportOptions, readDays } from './routing-report.ts';

/** `trawl routing learn`: compares providers on recorded queries, and proposes an order where another one is better. */
export async function learnRouting(runtime: Runtime, options: ReportOptions): Promise<void> {
  const { json = false, project } = options;
  const days = readDays(options.days);
  const config = readConfig(runtime.environment);
  const candidates = routingCandidates(config);
  if (candidates.length === 0) {
    throw new Error('no search provider has a key here; run this with the settings of the server');
  }
  await withDatabase(runtime, { mayCreate: false, isQuiet: json }, async (store) => {
    const now = systemClock.now();
    const span = { from: isoTime(now - days * DAY_MS), to: isoTime(now) };
    const ids = await projectIds(store, project);
    const judged = await withTopics(config, (judge, signal) =>
      judgedQueries(store, ids, span, (queries) => judge.topics(queries, signal)),
    );
    const version = `learned ${isoTime(now)}`;
    const learning = learn(config, { ...judged, ...span, version, candidates });
    if (learning.proposal) {
      writeLearned(config, { ...readLearned(config), proposal: learning.proposal });
    }
    const shown = { ...learning, project: project ?? null, path: learnedPath(config) };
    if (json) printJson(learningJson(shown));
    else print(learningText(shown, styleOf(process.stdout, runtime.environment).bold));
  });
}

interface JudgedQueries {
  /** Oldest first. A query that was asked again counts once, as it was last. */
  readonly byTopic: ReadonlyMap<Topic, readonly QueryRewards[]>;
  readonly counts: Learning['counts'];
}

async function judgedQueries(
  { runs }: Store,
  ids: readonly string[],
  span: TimeSpan,
  topics: (queries: readonly string[]) => ReturnType<TopicJudge['topics']>,
): Promise<JudgedQueries> {
  const found = new Map<Topic, Map<string, QueryRewards>>();
  const counts = { queries: 0, judged: 0, unrouted: 0 };
  for await (const page of runs.paired(ids, span)) {
    for (const [query, topic] of await withTopicOf(page, topics)) {
      counts.queries += 1;
      const rewards = queryRewards(query);
      if (rewards === null) continue;
      counts.judged += 1;
      if (!isRoutedTopic(topic)) {
        counts.unrouted += 1;
        continue;
      }
      const own = found.get(topic) ?? new Map<string, QueryRewards>();
      found.set(topic, own);
      const text = query.query.trim().toLowerCase();
      own.delete(text);
      own.set(text, rewards);
    }
  }
  return {
    byTopic: new Map([...found].map(([topic, own]) => [topic, [...own.values()]])),
    counts,
  };
}

/** The recorded topic, or for queries without auto-routing the one that they would have now. */
async function withTopicOf(
  page: readonly PairedQuery[],
  topics: (queries: readonly string[]) => ReturnType<TopicJudge['topics']>,
): Promise<readonly (readonly [PairedQuery, Topic])[]> {
  const unknown = page.filter(({ topic }) => topic === null);
  const findings = unknown.length > 0 ? await topics(unknown.map(({ query }) => query)) : [];
  return page.flatMap((query) => {
    const topic = query.topic ?? findings[unknown.indexOf(query)]?.topic;
    return topic === undefined ? [] : [[query, topic] as const];
  });
}

interface LearningInput extends JudgedQueries, TimeSpan {
  readonly version: string;
  readonly candidates: readonly string[];
}

function learn(
  config: Config,
  { byTopic, counts, from, to, version, candidates }: LearningInput,
): Omit<Learning, 'project' | 'path'> {
  const ranking = rankingInUse(config);
  const isOwn = (topic: Topic) => isOperators(config.ranking, topic);
  const learnable = new Map([...byTopic].filter(([topic]) => !isOwn(topic)));
  const lessons = topicLessons(learnable, { ranking: ranking.topics, candidates, version });
  const changed = lessons.flatMap(({ topic, proposed }) =>
    proposed ? [[topic, [...proposed]] as const] : [],
  );
  const before = readLearned(config).promoted.at(-1);
  const proposal: LearnedOrder | null =
    changed.length === 0
      ? null
      : {
          version,
          over: before?.version ?? null,
          topics: { ...before?.topics, ...Object.fromEntries(changed) },
          evidence: lessons.map(lessonJson),
        };
  return {
    ...{ from, to, counts, lessons, proposal },
    rankingVersion: ranking.version,
    operatorsTopics: [...byTopic.keys()].filter(isOwn),
  };
}
