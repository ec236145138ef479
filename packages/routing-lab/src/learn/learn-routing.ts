import { isoTime } from '@trawl/base';
import { TOPICS, type Topic } from '@trawl/contract';
import { TOPIC_RANKING, type TopicRankingTable, UNROUTED_TOPICS } from '@trawl/providers';
import type { Config } from '@trawl/server';
import type { PairedQuery, Store, TimeSpan } from '@trawl/store';
import type { TopicJudge } from '@trawl/topics';
import { withTopics } from '../explain/explain-routing.ts';
import { lastDays, projectIds } from '../records/records.ts';
import { evaluatedRewards } from './evaluated-rewards.ts';
import { type QueryRewards, queryRewards } from './query-rewards.ts';
import { type TopicLesson, topicLessons } from './topic-lessons.ts';

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
  /** As a ROUTING_FILE, with the operator's own orders of other topics; null = no better one. */
  readonly proposal: TopicRankingTable | null;
}

export interface LearningOptions {
  readonly days: number;
  /** By its name; undefined = all. */
  readonly project: string | undefined;
  readonly now: number;
  /** Those that auto-routing may choose. */
  readonly candidates: readonly string[];
}

/** Compares providers on recorded queries, and proposes an order where another one is better. */
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
  return {
    ...learn(config, { ...judged, ...span, version, candidates }),
    project: project ?? null,
  };
}

/** The same from the JSON of an evaluation. @throws Error where the text is something else */
export function learnFromEvaluation(
  config: Config,
  text: string,
  { now, candidates }: Pick<LearningOptions, 'now' | 'candidates'>,
): Learning {
  const { name, ...found } = evaluatedRewards(text);
  const version = `evaluated ${isoTime(now)} on ${name}`;
  return { ...learn(config, { ...found, version, candidates }), project: null };
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
  { ranking }: Pick<Config, 'ranking'>,
  { byTopic, counts, from, to, version, candidates }: LearningInput,
): Omit<Learning, 'project'> {
  const lessons = topicLessons(byTopic, { ranking: ranking.topics, candidates, version });
  const changed = lessons.flatMap(({ topic, proposed }) =>
    proposed ? [[topic, proposed] as const] : [],
  );
  const topics = { ...operatorsOrders(ranking), ...Object.fromEntries(changed) };
  const proposal = changed.length === 0 ? null : { version, topics };
  return { ...{ from, to, counts, lessons, proposal }, rankingVersion: ranking.version };
}

/** The topics that the operator ordered: their rows are not the built-in ones. */
const operatorsOrders = ({ topics }: TopicRankingTable): TopicRankingTable['topics'] =>
  Object.fromEntries(
    TOPICS.flatMap((topic) => {
      const rows = topics[topic];
      return rows && rows !== TOPIC_RANKING.topics[topic] ? [[topic, rows]] : [];
    }),
  );
