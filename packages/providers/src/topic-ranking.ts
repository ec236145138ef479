import type { Topic } from '@trawl/contract';

/** One place in the ranking of a topic. */
export interface RankedProvider {
  readonly provider: string;
  readonly reason: string;
  /** Where the reason can be checked. */
  readonly source: string;
}

/** The providers of a topic, best first. Topics without an entry are not routed. */
export type TopicRanking = Readonly<Partial<Record<Topic, readonly RankedProvider[]>>>;

export interface TopicRankingTable {
  readonly version: string;
  readonly topics: TopicRanking;
}

/** The candidates, best first on this topic; those that the ranking does not name follow in the order given. */
export function rankedProviders(
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
