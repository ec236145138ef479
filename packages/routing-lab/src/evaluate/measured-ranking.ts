import { type RankedProvider, type TopicRankingTable, UNROUTED_TOPICS } from '@trawl/providers';
import type { ConfidenceInterval } from '../statistics/intervals.ts';
import type { ProviderScore, TopicScore } from './score-runs.ts';

/** The measured order as a routing file, without topics that are not routed. */
export function measuredRanking(
  scores: readonly TopicScore[],
  { version, source }: { readonly version: string; readonly source: string },
): TopicRankingTable {
  const topics = scores
    .filter(({ topic }) => !UNROUTED_TOPICS.has(topic))
    .map((score) => [
      score.topic,
      score.providers.map(
        (provider): RankedProvider => ({
          provider: provider.provider,
          reason: measuredReason(provider, score),
          source,
        }),
      ),
    ]);
  return { version, topics: Object.fromEntries(topics) };
}

function measuredReason(
  { ndcgAt5, successAt5, agreement, latencyMs, cost, failures }: ProviderScore,
  { queries, withTruth }: TopicScore,
): string {
  const failed = Object.values(failures).reduce((sum, count) => sum + count, 0);
  const parts = [
    ndcgAt5 && `nDCG@5 ${shown(ndcgAt5)} on ${withTruth} queries`,
    successAt5 && `success@5 ${shown(successAt5)}`,
    agreement && `agreement ${shown(agreement)} on ${queries - withTruth} queries`,
    latencyMs.p50 === null ? null : `${latencyMs.p50} ms median`,
    cost.unknownCalls === 0 ? `$${(cost.knownUsd / queries).toFixed(4)} a query` : null,
    `${failed} of ${queries} failed`,
  ];
  return parts.filter((part) => part !== null).join(', ');
}

const shown = ({ mean, low, high }: ConfidenceInterval): string =>
  `${mean.toFixed(3)} (95 % ${low.toFixed(3)} to ${high.toFixed(3)})`;
