import { systemClock } from '@trawl/base';
import { aligned, costText, print, printJson } from '@trawl/client/terminal/output';
import { type Painter, styleOf } from '@trawl/client/terminal/style';
import type {
  ProviderReport,
  RoutingReport,
  ShareInterval,
  TopicReport,
} from '@trawl/console-api/routing-report';
import { LIMITS } from '@trawl/contract/limits';
import { VERDICTS, type Verdict } from '@trawl/contract/vocabulary';
import type { Command } from 'commander';
import type { Runtime, ServerEntry } from '../program/runtime.ts';
import { UsageError } from '../program/usage-error.ts';

/** `trawl routing report` */
export function addRoutingReport(routing: Command, { runtime }: ServerEntry): void {
  routing
    .command('report')
    .description('feedback, failures and latency of recorded searches, next to the ranking in use')
    .option('--days <n>', 'how many days back', '30')
    .option('--project <name>', 'searches of this project only')
    .option('--json', 'print JSON')
    .action(async (options) => printReport(await runtime(), options));
}

interface PrintedReport extends RoutingReport {
  /** The one project, or null for all. */
  readonly project: string | null;
}

interface ReportOptions {
  readonly days: string;
  readonly project?: string;
  readonly json?: boolean;
}

/** Recorded searches by topic, next to the ranking in use. */
async function printReport(runtime: Runtime, options: ReportOptions): Promise<void> {
  const days = readDays(options.days);
  const { lastDays, projectIds, routingReport } = await import('@trawl/console-api/routing-report');
  const { readConfig, withStore } = await import('@trawl/server');
  const span = lastDays(systemClock.now(), days);
  const config = readConfig(runtime.environment);
  const found = await withStore(config, runtime.workerUrl, async (store) =>
    routingReport(store.runs, config.ranking, await projectIds(store, options.project), span),
  );
  const report = { ...found, project: options.project ?? null };
  const { bold } = styleOf(process.stdout, runtime.environment);
  if (options.json) printJson(reportJson(report));
  else print(reportText(report, bold));
}

export function readDays(text: string): number {
  const days = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (days >= 1 && days <= LIMITS.usageDays) return days;
  throw new UsageError(`--days takes a whole number from 1 to ${LIMITS.usageDays}`);
}

function reportText(report: PrintedReport, bold: Painter): string {
  const { from, to, project, rankingVersion, topics } = report;
  const where = project === null ? 'all projects' : `project ${project}`;
  return [
    `${where}, ${from} to ${to}; ranking ${rankingVersion}`,
    ...(topics.length === 0
      ? ['', 'No searches were recorded.']
      : topics.flatMap((topic) => topicLines(topic, bold))),
    '',
    ...leftOutLines(report),
    ...(topics.length === 0 ? [] : NOTES),
    '',
  ].join('\n');
}

/** What the figures mean. */
const NOTES = [
  'helped: runs with a result marked used or right, of all runs on queries with feedback; the 95 % interval is in brackets.',
  'used/right/wrong: results marked so. ms: answered runs only. $/call: calls with a known cost only; + n? counts the others.',
  'Sources: the ledger, the routing recorded with each search, and feedback. A provider that ran alone cannot be compared.',
];

function topicLines(report: TopicReport, bold: Painter): readonly string[] {
  const { topic, runs, judgedQueries, providers, findings } = report;
  return [
    '',
    bold(`${topic}: ${runs} runs; queries with feedback: ${judgedQueries}`),
    ...aligned([HEAD, ...providers.map(cells)]),
    ...findings,
  ];
}

const HEAD = [
  ...['place', 'provider', 'runs', 'failed', 'p50/p90 ms', '$/call', 'helped', 'used/right/wrong'],
  'failures',
];

function cells(report: ProviderReport): readonly string[] {
  const { place, provider, runs, failed, failures, latencyMs, judged, helped, words } = report;
  const codes = Object.entries(failures).map(([code, count]) => `${count} ${code}`);
  return [
    place === null ? '-' : String(place),
    provider,
    String(runs),
    percent(failed?.mean),
    `${latencyMs.p50 ?? '-'}/${latencyMs.p90 ?? '-'}`,
    callCost(report),
    helped.share ? `${helped.runs}/${judged} ${intervalText(helped.share)}` : '-',
    VERDICTS.map((word) => words[word].results).join('/'),
    codes.join(', '),
  ];
}

const percent = (share: number | undefined): string =>
  share === undefined ? '-' : `${(share * 100).toFixed(share > 0 && share < 0.01 ? 1 : 0)} %`;

const intervalText = ({ mean, low, high }: ShareInterval): string =>
  `${percent(mean)} (${Math.round(low * 100)}-${Math.round(high * 100)})`;

function callCost({ costPerCallUsd, unpricedCalls }: ProviderReport): string {
  const unpriced = unpricedCalls > 0 ? `${unpricedCalls}?` : '';
  if (costPerCallUsd === null) return unpriced || '-';
  return [costText(costPerCallUsd), unpriced].filter((part) => part !== '').join(' + ');
}

function leftOutLines({ leftOut: { older, deleted } }: RoutingReport): readonly string[] {
  return [
    ...(older > 0
      ? [`Left out: ${older} runs recorded before topics and times were kept for each run.`]
      : []),
    ...(deleted > 0 ? [`Left out: ${deleted} runs whose session was deleted.`] : []),
  ];
}

function reportJson(report: PrintedReport) {
  return {
    from: report.from,
    to: report.to,
    project: report.project,
    ranking_version: report.rankingVersion,
    topics: report.topics.map(({ topic, runs, judgedQueries, providers, findings }) => ({
      topic,
      runs,
      queries_with_feedback: judgedQueries,
      providers: providers.map(providerJson),
      findings,
    })),
    left_out: report.leftOut,
  };
}

function providerJson(report: ProviderReport) {
  const { words } = report;
  const shares = (word: Verdict) => [word, words[word]] as const;
  return {
    provider: report.provider,
    place: report.place,
    runs: report.runs,
    failed: report.failed,
    failures: report.failures,
    latency_ms: report.latencyMs,
    cost_per_call_usd: report.costPerCallUsd,
    unpriced_calls: report.unpricedCalls,
    judged_runs: report.judged,
    helped: report.helped,
    ...Object.fromEntries(VERDICTS.map(shares)),
  };
}
