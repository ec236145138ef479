import { isoTime } from '@trawl/base';
import type { Topic } from '@trawl/contract';
import { UNROUTED_TOPICS } from '@trawl/providers';
import {
  type Config,
  isOperators,
  type LearnedOrder,
  learnedPath,
  rankingInUse,
  readLearned,
  writeLearned,
} from '@trawl/server';
import type { PairedQuery, Store, TimeSpan } from '@trawl/store';
import type { TopicJudge } from '@trawl/topics';
import { withTopics } from '../explain/explain-routing.ts';
import { lastDays, projectIds } from '../records/records.ts';
import { evaluatedRewards } from './evaluated-rewards.ts';
import { type QueryRewards, queryRewards } from './query-rewards.ts';
import { lessonJson, type TopicLesson, topicLessons } from './topic-lessons.ts';

/** What was learned, and from what. */
export interface Learning extends TimeSpan {
  /** The one project, or null for all. */
  readonly project: string | null;
  readonly rankingVersion: string;
  /**
   * Recorded queries on which several providers ran; those whose runs could be judged; of these,
   * those on topics without an order.
   */
  readonly counts: { readonly queries: number; readonly judged: number; readonly unrouted: number };
  readonly lessons: readonly TopicLesson[];
  /** Topics that ROUTING_FILE orders. */
  readonly operatorsTopics: readonly Topic[];
  /** null = no other order is better. */
  readonly proposal: LearnedOrder | null;
  /** Where it is written. */
  readonly path: string;
}

export interface LearningOptions {
  readonly days: number;
  /** By its name; undefined = all. */
  readonly project: string | undefined;
  readonly now: number;
  /** Those that auto-routing may choose. */
  readonly candidates: readonly string[];
}

/** Compares providers on recorded queries, and writes a proposal where another order is better. */
export async function learnRouting(
  config: Config,
  store: Store,
  { days, project, now, candidates }: LearningOptions,
): Promise<Learning> {
  const span = lastDays(now, days);
  const ids = await projectIds(store, project);
  const judged = await withTopics(config, (judge, signal) =>
    judgedQueries(store, ids, span, (queries) => judge.topics(queries, signal)),
  );
  const version = `learned ${isoTime(now)}`;
  const learning = learn(config, { ...judged, ...span, version, candidates });
  return written(config, learning, project ?? null);
}

/** The same from the JSON of an evaluation. @throws Error where the text is something else */
export function learnFromEvaluation(
  config: Config,
  text: string,
  { now, candidates }: Pick<LearningOptions, 'now' | 'candidates'>,
): Learning {
  const { name, ...found } = evaluatedRewards(text);
  const version = `evaluated ${isoTime(now)} on ${name}`;
  return written(config, learn(config, { ...found, version, candidates }), null);
}

/** Stores what is proposed, if anything. */
function written(
  config: Config,
  learning: Omit<Learning, 'project' | 'path'>,
  project: string | null,
): Learning {
  const { proposal } = learning;
  if (proposal) writeLearned(config, { ...readLearned(config), proposal });
  return { ...learning, project, path: learnedPath(config) };
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
      if (UNROUTED_TOPICS.has(topic)) {
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
