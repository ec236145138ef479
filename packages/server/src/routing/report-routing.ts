import { type Clock, DAY_MS, isoTime } from '@trawl/base';
import type { TopicRankingTable } from '@trawl/providers';
import type { Store } from '@trawl/store';
import {
  addJudged,
  addRuns,
  newTally,
  type RoutingTally,
  type RunReader,
  type TimeSpan,
  type TopicReport,
  topicReports,
} from '@trawl/topics';
import { withStore } from '../admin/with-store.ts';
import type { Config } from '../config/config.ts';
import { rankingInUse } from './learned-file.ts';

/** Records of searches, next to the ranking in use. */
export interface RoutingReport {
  readonly from: string;
  /** Not included. */
  readonly to: string;
  /** The one project, or null for all. */
  readonly project: string | null;
  readonly rankingVersion: string;
  readonly topics: readonly TopicReport[];
  /** Runs without a known topic. */
  readonly leftOut: RoutingTally['leftOut'];
}

export interface ReportWanted {
  readonly days: number;
  /** By its name; undefined = all. */
  readonly project: string | undefined;
}

/** Reads the configured database, next to a server that may be running. @throws Error where no project has the name */
export function reportRouting(
  config: Config,
  workerUrl: URL,
  clock: Clock,
  { days, project }: ReportWanted,
): Promise<RoutingReport> {
  const now = clock.now();
  const span = { from: isoTime(now - days * DAY_MS), to: isoTime(now) };
  return withStore(config, workerUrl, async (store) => {
    const ids = await projectIds(store, project);
    const report = await routingReport(store.runs, rankingInUse(config), ids, span);
    return { ...report, project: project ?? null };
  });
}

/** The report on the projects with these ids. */
export async function routingReport(
  runs: RunReader,
  ranking: TopicRankingTable,
  ids: readonly string[],
  span: TimeSpan,
): Promise<Omit<RoutingReport, 'project'>> {
  const tally = await tallyOf(runs, ids, span);
  return {
    ...span,
    rankingVersion: ranking.version,
    topics: topicReports(tally, ranking.topics),
    leftOut: tally.leftOut,
  };
}

/** The ids of the one project, or of all. @throws Error where no project has the name */
export async function projectIds(
  { keys }: Store,
  name: string | undefined,
): Promise<readonly string[]> {
  const all = await keys.listProjects();
  const meant = name === undefined ? all : all.filter((project) => project.name === name);
  if (name !== undefined && meant.length === 0) {
    throw new Error(`no project is called ${name}; see: trawl projects list`);
  }
  return meant.map(({ id }) => id);
}

async function tallyOf(
  runs: RunReader,
  ids: readonly string[],
  span: TimeSpan,
): Promise<RoutingTally> {
  const tally = newTally();
  for await (const day of runs.tallies(ids, span)) for (const row of day) addRuns(tally, row);
  for await (const day of runs.judged(ids, span)) addJudged(tally, day);
  return tally;
}
