import { TOPICS, type Verdict } from '@trawl/contract';
import type { RankedProvider, TopicRanking } from '@trawl/providers';
import { ROUTED } from '@trawl/router';
import {
  type ProviderRuns,
  pairOf,
  type RoutingTally,
  type TallyTopic,
  type TopicTally,
} from './routing-tally.ts';
import { type ShareInterval, WITHIN_99, wilson } from './wilson.ts';

export interface TopicReport {
  readonly topic: TallyTopic;
  readonly runs: number;
  readonly judgedQueries: number;
  /** In the order of the table in use, then by runs. */
  readonly providers: readonly ProviderReport[];
  /** What the figures show about the table's order, in sentences. */
  readonly findings: readonly string[];
}

export interface ProviderReport {
  readonly provider: string;
  /** Place in the table in use, from 1; null = not in the table. */
  readonly place: number | null;
  readonly runs: number;
  readonly failed: ShareInterval | null;
  /** Runs that failed, by code. */
  readonly failures: Readonly<Record<string, number>>;
  /** Of the answered runs. */
  readonly latencyMs: { readonly p50: number | null; readonly p90: number | null };
  /** Mean of the calls with a known cost; null if no cost is known. */
  readonly costPerCallUsd: number | null;
  readonly unpricedCalls: number;
  /** Runs on queries with feedback. */
  readonly judged: number;
  /** Those of them with a result that was marked as used or right. */
  readonly helped: { readonly runs: number; readonly share: ShareInterval | null };
  readonly words: Readonly<Record<Verdict, WordReport>>;
}

export interface WordReport {
  /** Results with this verdict. */
  readonly results: number;
  /** Judged runs with such a result, and their share. */
  readonly runs: number;
  readonly share: ShareInterval | null;
}

const ORDER: readonly TallyTopic[] = [...TOPICS, 'undetermined', 'not routed'];

/** The recorded figures by topic and provider, next to the table in use. */
export function topicReports(tally: RoutingTally, ranking: TopicRanking): readonly TopicReport[] {
  return ORDER.flatMap((topic) => {
    const sums = tally.topics.get(topic);
    if (!sums) return [];
    const table = topic === 'undetermined' || topic === 'not routed' ? undefined : ranking[topic];
    const providers = [...sums.providers]
      .map(([provider, sum]) => providerReport(provider, sum, table ?? []))
      .sort(byPlace);
    return [
      {
        topic,
        runs: providers.reduce((all, { runs }) => all + runs, 0),
        judgedQueries: sums.judgedQueries,
        providers,
        findings: table ? findingsOf(providers, sums) : [NO_ORDER],
      },
    ];
  });
}

const NO_ORDER = 'No order to judge: the table does not rank these queries.';

const byPlace = (a: ProviderReport, b: ProviderReport): number =>
  rankOf(a) - rankOf(b) || b.runs - a.runs || (a.provider < b.provider ? -1 : 1);

/** Providers that are not in the table come last. */
const rankOf = ({ place }: ProviderReport): number => place ?? Number.MAX_SAFE_INTEGER;

function providerReport(
  provider: string,
  sum: ProviderRuns,
  table: readonly RankedProvider[],
): ProviderReport {
  const place = table.findIndex((row) => row.provider === provider) + 1;
  const word = ({ results, runs }: { results: number; runs: number }): WordReport => ({
    results,
    runs,
    share: wilson(runs, sum.judged),
  });
  return {
    provider,
    place: place || null,
    runs: sum.runs,
    failed: wilson(failedRuns(sum.failures), sum.runs),
    failures: sum.failures,
    latencyMs: { p50: quantileOf(sum.answeredIn, 0.5), p90: quantileOf(sum.answeredIn, 0.9) },
    costPerCallUsd: sum.pricedCalls > 0 ? sum.costMicros / sum.pricedCalls / 1_000_000 : null,
    unpricedCalls: sum.calls - sum.pricedCalls,
    judged: sum.judged,
    helped: { runs: sum.helped, share: wilson(sum.helped, sum.judged) },
    words: {
      used: word(sum.words.used),
      right: word(sum.words.right),
      wrong: word(sum.words.wrong),
    },
  };
}

const failedRuns = (failures: ProviderReport['failures']): number =>
  Object.values(failures).reduce((all, runs) => all + runs, 0);

/** Like `quantile`, for values with counts. */
function quantileOf(counts: ReadonlyMap<number, number>, share: number): number | null {
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const index = Math.min(all - 1, Math.floor(share * all));
  let passed = 0;
  for (const [value, count] of [...counts].sort(([a], [b]) => a - b)) {
    passed += count;
    if (passed > index) return value;
  }
  return null;
}

/**
 * How many queries must decide between two providers before the report says anything about their
 * order.
 */
export const DECIDED_MIN = 20;
const RUNS_MIN = 30;
const FAILED_SHARE = 0.2;

function findingsOf(
  providers: readonly ProviderReport[],
  { judgedQueries, onlyFirst }: TopicTally,
): readonly string[] {
  return [...orderFindings(providers, judgedQueries, onlyFirst), ...providers.flatMap(failing)];
}

function orderFindings(
  providers: readonly ProviderReport[],
  judgedQueries: number,
  onlyFirst: TopicTally['onlyFirst'],
): readonly string[] {
  if (judgedQueries === 0) return ['No feedback, so the order cannot be judged.'];
  const compared = providers.flatMap((upper, index) =>
    providers.slice(index + 1).flatMap((lower) => {
      const forUpper = onlyFirst.get(pairOf(upper.provider, lower.provider)) ?? 0;
      const forLower = onlyFirst.get(pairOf(lower.provider, upper.provider)) ?? 0;
      const isEnough = upper.place !== null && forUpper + forLower >= DECIDED_MIN;
      return isEnough ? [{ upper, lower, forUpper, forLower }] : [];
    }),
  );
  if (compared.length === 0) {
    return [
      `Too few to judge the order: ${judgedQueries} ${judgedQueries === 1 ? 'query' : 'queries'} with feedback, and no two providers differ on ${DECIDED_MIN} of them.`,
    ];
  }
  const contrary = compared.filter(({ forUpper, forLower }) => {
    // several pairs are compared, so each needs a higher confidence
    const share = wilson(forLower, forUpper + forLower, WITHIN_99);
    return share !== null && share.low > 0.5;
  });
  if (contrary.length === 0) return ['The feedback does not contradict the table.'];
  return contrary.map(
    ({ upper, lower, forUpper, forLower }) =>
      `${placed(lower)} did better than ${placed(upper)}: of the queries with feedback on which both ran, ${forLower} had a used or right result of ${lower.provider} alone, ${forUpper} of ${upper.provider} alone.`,
  );
}

const placed = ({ provider, place }: ProviderReport): string =>
  place === null ? `${provider} (not in the table)` : `${provider} (place ${place})`;

function failing(report: ProviderReport): readonly string[] {
  const { place, runs, failed, failures } = report;
  if (place === null || place > ROUTED || runs < RUNS_MIN) return [];
  if (failed === null || failed.low <= FAILED_SHARE) return [];
  const [code] = Object.entries(failures).sort(([, a], [, b]) => b - a)[0] ?? [];
  return [
    `${placed(report)} failed in ${Math.round(failed.mean * 100)} % of ${runs} runs, mostly with ${code}.`,
  ];
}
