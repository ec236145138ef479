import { TOPICS } from '@trawl/contract';
import type { RoutingExplanation } from '@trawl/server';
import type {
  EvaluatedRun,
  Interval,
  measuredRanking,
  ProviderScore,
  TopicScore,
} from '@trawl/topics';
import type { Paint } from '../program/style.ts';
import { table } from '../program/table.ts';

export function explanationText(explanation: RoutingExplanation, bold: Paint): string {
  const { query, topic, score, scores, evidence, candidates, chosen, second } = explanation;
  const byScore = TOPICS.toSorted((a, b) => scores[b] - scores[a]);
  return [
    `${bold(query)}`,
    `topic ${bold(topic)}, score ${score.toFixed(3)}, by the ${explanation.judge}`,
    ...(second === null
      ? []
      : [`${second} is as likely, so the rankings of both choose, in turns`]),
    '',
    bold('Scores'),
    ...byScore.map((name) => `  ${scores[name].toFixed(3)}  ${name}`),
    '',
    bold('Evidence'),
    ...(evidence.length > 0 ? evidence.map((line) => `  ${line}`) : ['  none in particular']),
    '',
    bold('Candidates'),
    `  ${candidates.join(', ') || 'none: no provider is configured'}`,
    '',
    bold(`Chosen (ranking ${explanation.rankingVersion})`),
    ...chosen.flatMap(({ provider, place, reason, source }) => [
      `  ${bold(provider)}${place === null ? '' : `, place ${place}`}: ${reason}`,
      ...(source === null ? [] : [`    ${source}`]),
    ]),
    '',
  ].join('\n');
}

export function explanationJson({
  rankingVersion,
  likely,
  second,
  ...explanation
}: RoutingExplanation) {
  return {
    ...explanation,
    topics: likely,
    second_topic: second,
    ranking_version: rankingVersion,
  };
}

export function evaluationText(
  scores: readonly TopicScore[],
  runs: readonly EvaluatedRun[],
  bold: Paint,
): string {
  return [
    ...scores.flatMap((score) => [
      '',
      bold(`${score.topic}: ${score.queries} queries, ${score.withTruth} with known pages`),
      topicTable(score),
    ]),
    '',
    `95 % intervals are in brackets. Paid: ${paidText(runs)}.`,
    '',
  ].join('\n');
}

function topicTable({ providers }: TopicScore): string {
  return table(
    [
      ['provider', 12],
      ['nDCG@5', 0.25],
      ['success@5', 0.25],
      ['agreement', 0.25],
      ['p50/p95 ms', 12],
      ['cost', 10],
      ['failures', 0.25],
    ],
    providers.map((provider) => [
      provider.provider,
      intervalText(provider.ndcgAt5),
      intervalText(provider.successAt5),
      intervalText(provider.agreement),
      `${provider.latencyMs.p50 ?? '-'}/${provider.latencyMs.p95 ?? '-'}`,
      costText(provider.cost),
      failureText(provider.failures),
    ]),
  );
}

function intervalText(interval: Interval | null): string {
  if (interval === null) return '-';
  return `${interval.mean.toFixed(2)} (${interval.low.toFixed(2)}-${interval.high.toFixed(2)})`;
}

const costText = ({ knownUsd, unknownCalls }: ProviderScore['cost']): string =>
  `$${knownUsd.toFixed(4)}${unknownCalls > 0 ? ` + ${unknownCalls}?` : ''}`;

const failureText = (failures: ProviderScore['failures']): string =>
  Object.entries(failures)
    .map(([code, count]) => `${count} ${code}`)
    .join(', ') || 'none';

function paidText(runs: readonly EvaluatedRun[]): string {
  const known = runs.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0);
  const unknown = runs.filter(({ costUsd }) => costUsd === null).length;
  return `$${known.toFixed(4)}${unknown > 0 ? ` and the unknown price of ${unknown} ${unknown === 1 ? 'call' : 'calls'}` : ''}`;
}

export function evaluationJson(
  scores: readonly TopicScore[],
  runs: readonly EvaluatedRun[],
  ranking: ReturnType<typeof measuredRanking>,
) {
  return {
    calls: runs.length,
    cost_usd: runs.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0),
    unknown_cost_calls: runs.filter(({ costUsd }) => costUsd === null).length,
    topics: scores.map(({ topic, queries, withTruth, providers }) => ({
      topic,
      queries,
      with_truth: withTruth,
      providers: providers.map((score) => ({
        provider: score.provider,
        ndcg_at_5: score.ndcgAt5,
        success_at_5: score.successAt5,
        agreement: score.agreement,
        latency_ms: score.latencyMs,
        cost_usd: score.cost.knownUsd,
        unknown_cost_calls: score.cost.unknownCalls,
        failures: score.failures,
      })),
    })),
    ranking,
  };
}
