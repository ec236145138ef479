import { TOPICS, type Topic, UNROUTED_TOPICS } from '@trawl/contract';
import table from './ranking.json' with { type: 'json' };

export { UNROUTED_TOPICS };

/** One place in the ranking of a topic. */
export interface RankedProvider {
  readonly provider: string;
  readonly reason: string;
  /** A page on which the reason can be checked. */
  readonly source: string;
}

/** The providers of a topic, best first. Topics without an entry are not routed. */
export type TopicRanking = Readonly<Partial<Record<Topic, readonly RankedProvider[]>>>;

export interface TopicRankingTable {
  readonly version: string;
  readonly topics: TopicRanking;
}

const SOURCES: Readonly<Record<string, { readonly url: string; readonly about: string }>> =
  table.sources;

function withSource(row: RankedProvider): RankedProvider {
  const source = SOURCES[row.source];
  if (source === undefined) throw new Error(`ranking.json has no source named ${row.source}`);
  return { ...row, source: source.url };
}

const ROWS: TopicRanking = table.topics;

/**
 * Which providers do best on a topic, best first, as of the version's day: from public benchmarks,
 * what an index is made of, and vendors' own words where nothing else is public.
 * `trawl evaluate` measures it on your own queries and keys.
 */
export const TOPIC_RANKING: TopicRankingTable = {
  version: table.version,
  topics: Object.fromEntries(
    TOPICS.flatMap((topic) => {
      const rows = ROWS[topic];
      return rows === undefined ? [] : [[topic, rows.map(withSource)]];
    }),
  ),
};

/**
 * The candidates, best first on this topic; those that the ranking does not name follow in the
 * order given.
 * @param second another topic that may be the right one: the best on each of the two come in turns
 */
export function rankedProviders(
  topic: Topic,
  candidates: readonly string[],
  ranking: TopicRanking,
  second: Topic | null = null,
): readonly string[] {
  const first = ordered(topic, candidates, ranking);
  if (second === null) return first;
  const other = ordered(second, candidates, ranking);
  return [...new Set(first.flatMap((slug, place) => [slug, other[place] ?? slug]))];
}

function ordered(
  topic: Topic,
  candidates: readonly string[],
  ranking: TopicRanking,
): readonly string[] {
  const ranked = (ranking[topic] ?? []).map(({ provider }) => provider);
  return [
    ...ranked.filter((slug) => candidates.includes(slug)),
    ...candidates.filter((slug) => !ranked.includes(slug)),
  ];
}
