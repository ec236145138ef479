import { type Clock, jsonText } from '@trawl/base';
import { TOPICS, VERDICTS } from '@trawl/contract';
import type { RoutingProvider, RoutingTopic } from '@trawl/contract/console';
import { UNROUTED_TOPICS } from '@trawl/providers';
import { type Deployment, isCandidate, readStore } from '@trawl/router';
import type { ServerParts } from '@trawl/server';
import type { RoutingReport } from '../routing-report/index.ts';
import type { ConsoleHandlers } from '../serving/handler.ts';

export interface RoutingOptions {
  readonly deployment: Deployment;
  readonly ranking: ServerParts['config']['ranking'];
  readonly runs: ServerParts['store']['runs'];
  readonly clock: Clock;
}

const REPORT_DAYS = 30;

/** The ranking of providers by topic, and what the records say about it. */
export function routingRoutes({
  deployment,
  ranking,
  runs,
  clock,
}: RoutingOptions): Pick<ConsoleHandlers, 'readRanking' | 'readRoutingReport'> {
  return {
    readRanking: async () => ({
      text: jsonText({ version: ranking.version, topics: rankedTopics(ranking, deployment) }),
    }),
    readRoutingReport: async ({ params, query }) => {
      const { lastDays, routingReport } = await import('../routing-report/index.ts');
      const span = lastDays(clock.now(), query.days ?? REPORT_DAYS);
      const report = await readStore(() => routingReport(runs, ranking, [params.project_id], span));
      return { text: jsonText(consoleReport(report)) };
    },
  };
}

function rankedTopics({ topics }: RoutingOptions['ranking'], { searchProviders }: Deployment) {
  const runs = (slug: string): boolean => {
    const provider = searchProviders.get(slug);
    return provider !== undefined && isCandidate(provider);
  };
  return TOPICS.map((topic) => ({
    topic,
    routed: !UNROUTED_TOPICS.has(topic),
    places: (topics[topic] ?? []).map(({ provider, reason, source }, index) => ({
      provider,
      place: index + 1,
      reason,
      source,
      configured: runs(provider),
    })),
  }));
}

const consoleReport = (report: RoutingReport) => ({
  from: report.from,
  to: report.to,
  ranking_version: report.rankingVersion,
  topics: report.topics.map(consoleTopic),
  left_out: Object.entries(report.leftOut).map(([reason, count]) => ({ reason, runs: count })),
});

type ReportedTopic = RoutingReport['topics'][number];

const consoleTopic = ({
  topic,
  runs,
  judgedQueries,
  providers,
  findings,
}: ReportedTopic): RoutingTopic => ({
  topic,
  runs,
  judged_queries: judgedQueries,
  providers: providers.map(consoleProvider),
  findings: [...findings],
});

const consoleProvider = (report: ReportedTopic['providers'][number]): RoutingProvider => ({
  provider: report.provider,
  place: report.place,
  runs: report.runs,
  failed: report.failed,
  failures: Object.entries(report.failures).map(([code, runs]) => ({ code, runs })),
  latency_ms: { ...report.latencyMs },
  cost_per_call_usd: report.costPerCallUsd,
  unpriced_calls: report.unpricedCalls,
  judged: report.judged,
  helped: { ...report.helped },
  verdicts: VERDICTS.map((verdict) => ({
    verdict,
    results: report.words[verdict].results,
    share: report.words[verdict].share,
  })),
});
