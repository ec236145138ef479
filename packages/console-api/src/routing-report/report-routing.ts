import { DAY_MS, isoTime } from '@trawl/base';
import type { TopicRankingTable } from '@trawl/providers';
import type { RunReader, Store, TimeSpan } from '@trawl/store';
import { addJudged, addRuns, newTally, type RoutingTally } from './routing-tally.ts';
import { type TopicReport, topicReports } from './topic-reports.ts';

/** Records of searches, next to the ranking in use. */
export interface RoutingReport extends TimeSpan {
  readonly rankingVersion: string;
  readonly topics: readonly TopicReport[];
  /** Runs without a known topic. */
  readonly leftOut: RoutingTally['leftOut'];
}

/** The report on the projects with these ids. */
export async function routingReport(
  runs: RunReader,
  ranking: TopicRankingTable,
  ids: readonly string[],
  span: TimeSpan,
): Promise<RoutingReport> {
  const tally = newTally();
  for await (const day of runs.tallies(ids, span)) for (const row of day) addRuns(tally, row);
  for await (const day of runs.judged(ids, span)) addJudged(tally, day);
  return {
    ...span,
    rankingVersion: ranking.version,
    topics: topicReports(tally, ranking.topics),
    leftOut: tally.leftOut,
  };
}

export const lastDays = (now: number, days: number): TimeSpan => ({
  from: isoTime(now - days * DAY_MS),
  to: isoTime(now),
});

/** The ids of the one project, or of all. @throws Error where no project has the name */
export async function projectIds(
  { keys }: Pick<Store, 'keys'>,
  name: string | undefined,
): Promise<readonly string[]> {
  const all = await keys.listProjects();
  const meant = name === undefined ? all : all.filter((project) => project.name === name);
  if (name !== undefined && meant.length === 0) {
    throw new Error(`no project is called ${name}; see: trawl projects list`);
  }
  return meant.map(({ id }) => id);
}
