import { randomUUID } from 'node:crypto';
import { jsonText } from '@trawl/base';
import type { RoutingEntry, Verdict } from '@trawl/contract';
import type { InteractionRecord, LedgerRecord } from '@trawl/router';
import { describeOnDatabases, type TestStore } from '@trawl/test-support/databases';
import { interactionRecord, ledgerRecord } from '@trawl/test-support/records';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  lastDays,
  projectIds,
  type RoutingReport,
  routingReport,
} from '../src/routing-report/report-routing.ts';
import { addRuns, newTally } from '../src/routing-report/routing-tally.ts';
import { topicReports } from '../src/routing-report/topic-reports.ts';

const NOW = Date.parse('2026-03-31T12:00:00.000Z');
const place = (provider: string) => ({ provider, reason: 'for the test', source: 'none' });
const RANKING = {
  version: 'test',
  topics: { news: ['exa', 'brave', 'you'].map(place), companies: ['exa', 'you'].map(place) },
};

/** A run of a seeded search; the verdicts are for its results, from the first. */
interface Run extends Partial<LedgerRecord> {
  readonly provider: string;
  readonly said?: readonly Verdict[];
}

describeOnDatabases('trawl routing report', (database) => {
  let opened: TestStore;
  const projects = { main: randomUUID(), other: randomUUID() };
  let hour = 0;

  beforeAll(async () => {
    opened = await database.open();
    for (const [name, id] of Object.entries(projects)) {
      await opened.store.keys.ensureProject({ id, name, createdAt: '' });
    }
    await seed();
  });
  afterAll(() => opened.cleanup());

  /** Records a search with its feedback, each an hour before the previous one. */
  async function search(
    topics: readonly RoutingEntry['topic'][] | null,
    runs: readonly Run[],
    given: Partial<InteractionRecord> = {},
  ): Promise<InteractionRecord> {
    hour += 1;
    const createdAt = given.createdAt ?? new Date(NOW - hour * 3_600_000).toISOString();
    const projectId = given.projectId ?? projects.main;
    const [id, sessionId] = [randomUUID(), randomUUID()];
    const ids = { id, sessionId, projectId };
    const routing = topics?.map((topic) => ({ topic, score: 0.5, providers: [] })) ?? null;
    const ledger = runs.map(({ said: _, ...run }) => ledgerRecord(ids, { createdAt, ...run }));
    const record = interactionRecord({
      ...{ ...ids, createdAt, ledger, runs: [], routing: routing && jsonText(routing) },
      ...given,
    });
    await opened.store.recorder.record(record);
    const rows = runs.flatMap(({ said = [], provider }, runPosition) =>
      said.map((verdict, index) => ({
        ...{ runPosition, provider, verdict, rank: index + 1, createdAt },
        ...{
          runId: ledger[runPosition]?.runId ?? '',
          batchIndex: ledger[runPosition]?.batchIndex ?? 0,
        },
        ...{ url: null, userId: null, note: null },
      })),
    );
    if (rows.length > 0) {
      await opened.store.recorder.recordFeedback({ projectId, interactionId: id, rows });
    }
    return record;
  }

  async function seed(): Promise<void> {
    for (let index = 0; index < 40; index += 1) {
      const exa: readonly Verdict[] = index < 30 ? [] : index < 35 ? ['right', 'used'] : ['wrong'];
      await search(
        ['news'],
        [
          { provider: 'exa', latencyMs: (index + 1) * 10, costMicros: 5_000, said: exa },
          { provider: 'brave', latencyMs: 700, costMicros: null, said: index < 30 ? ['used'] : [] },
        ],
      );
    }
    const failed = { provider: 'you', outcome: 'failed', calls: 2, costMicros: null } as const;
    for (let index = 0; index < 40; index += 1) {
      const errorCode = index < 18 ? 'rate_limited' : 'timeout';
      await search(
        ['news'],
        [
          index < 20
            ? { ...failed, errorCode, latencyMs: 9_000 }
            : { provider: 'you', latencyMs: 100 },
        ],
      );
    }
    // a batch: its queries have topics of their own
    await search(
      ['companies', null],
      [
        { provider: 'exa', batchIndex: 0, latencyMs: 5, said: ['used', 'wrong'] },
        { provider: 'exa', batchIndex: 1, latencyMs: 6 },
      ],
    );
    await search(null, [{ provider: 'brave', latencyMs: 1, said: ['used'] }]);
    await search(['news'], [{ provider: 'exa', latencyMs: 1 }], { projectId: projects.other });
    const longAgo = new Date(NOW - 31 * 86_400_000).toISOString();
    await search(['news'], [{ provider: 'exa', latencyMs: 1 }], { createdAt: longAgo });
    await search(['news'], [{ provider: 'exa', batchIndex: null, latencyMs: null }]);
    const fetched = { normalizedSchemaVersion: null };
    await search(null, [{ provider: 'exa', batchIndex: null, latencyMs: 1 }], fetched);
    const gone = await search(['news'], [{ provider: 'exa', latencyMs: 1, said: ['used'] }]);
    await opened.store.recorder.deleteSession(gone.projectId, gone.sessionId);
  }

  const reportOn = async (project: string | undefined, days: number): Promise<RoutingReport> => {
    const ids = await projectIds(opened.store, project);
    return routingReport(opened.store.runs, RANKING, ids, lastDays(NOW, days));
  };
  const report = (project = 'main', days = 30) => reportOn(project, days);
  const topic = async (name: string, from = report()) =>
    (await from).topics.find((one) => one.topic === name);

  it('counts runs, failures by code, latency of answered runs, and cost, next to the place in the table', async () => {
    const news = await topic('news');
    expect(news).toMatchObject({ runs: 120, judgedQueries: 40 });
    const [exa, brave, you] = news?.providers ?? [];
    expect(exa).toMatchObject({
      ...{ provider: 'exa', place: 1, runs: 40, failures: {}, unpricedCalls: 0 },
      ...{ latencyMs: { p50: 210, p90: 370 }, costPerCallUsd: 0.005 },
    });
    expect(brave).toMatchObject({
      ...{ provider: 'brave', place: 2, runs: 40, unpricedCalls: 40, costPerCallUsd: null },
      latencyMs: { p50: 700, p90: 700 },
    });
    expect(you).toMatchObject({
      ...{ provider: 'you', place: 3, runs: 40, failures: { rate_limited: 18, timeout: 2 } },
      ...{ failed: { mean: 0.5 }, unpricedCalls: 40, latencyMs: { p50: 100, p90: 100 } },
    });
  });

  it('relates feedback to the runs that could have got it', async () => {
    const [exa, brave, you] = (await topic('news'))?.providers ?? [];
    expect(exa).toMatchObject({
      judged: 40,
      helped: { runs: 5, share: { mean: 0.125 } },
      words: {
        used: { results: 5, runs: 5 },
        right: { results: 5, runs: 5 },
        wrong: { results: 5, runs: 5 },
      },
    });
    // Wilson, 95 % of 5 in 40
    expect(exa?.helped.share?.low).toBeCloseTo(0.0546, 3);
    expect(exa?.helped.share?.high).toBeCloseTo(0.2611, 3);
    expect(brave).toMatchObject({ judged: 40, helped: { runs: 30, share: { mean: 0.75 } } });
    expect(you).toMatchObject({ judged: 0, helped: { runs: 0, share: null } });
  });

  it('reports where the figures contradict the table, and how often one provider helped without the other', async () => {
    expect((await topic('news'))?.findings).toEqual([
      'brave (place 2) did better than exa (place 1): of the queries with feedback on which both ran, 30 had a used or right result of brave alone, 5 of exa alone.',
      'you (place 3) failed in 50 % of 40 runs, mostly with rate_limited.',
    ]);
  });

  it('reports that there is too little data, or no order to judge, instead of a finding', async () => {
    expect((await topic('companies'))?.findings).toEqual([
      'Too few to judge the order: 1 query with feedback, and no two providers differ on 20 of them.',
    ]);
    const other = await report('other');
    expect(other.topics.map((one) => one.findings)).toEqual([
      ['No feedback, so the order cannot be judged.'],
    ]);
    const unrouted = await topic('not routed');
    expect(unrouted).toMatchObject({ runs: 1, judgedQueries: 1, providers: [{ place: null }] });
    expect(unrouted?.findings).toEqual([
      'No order to judge: the table does not rank these queries.',
    ]);
  });

  it('the queries of a batch are separate, and an undetermined topic has its own entry', async () => {
    const { topics } = await report();
    expect(topics.map((one) => [one.topic, one.runs])).toEqual([
      ['news', 120],
      ['companies', 1],
      ['undetermined', 1],
      ['not routed', 1],
    ]);
  });

  it('reports what it left out: runs of an older schema and of deleted sessions; fetches do not count', async () => {
    expect((await report()).leftOut).toEqual({ older: 1, deleted: 1 });
  });

  it('covers the days and the project asked for', async () => {
    expect((await topic('news', report('main', 60)))?.runs).toBe(121);
    expect((await topic('news', report('other')))?.runs).toBe(1);
    const all = await reportOn(undefined, 30);
    expect(all.topics[0]?.runs).toBe(121);
    await expect(report('unknown')).rejects.toThrow('no project is called unknown');
  });
});

it('the price of a call is the mean of the calls whose price is known, not of runs or of all calls', () => {
  const tally = newTally();
  const run = { kind: 'routed', topic: 'news', provider: 'exa', latencyMs: 10 } as const;
  for (const [runs, calls, pricedCalls, costMicros, errorCode] of [
    [2, 4, 4, 20_000, null],
    [3, 5, 0, 0, 'timeout'],
    [1, 1, 1, 0, null],
  ] as const) {
    addRuns(tally, { ...run, runs, calls, pricedCalls, costMicros, errorCode });
  }
  const [exa] = topicReports(tally, RANKING.topics)[0]?.providers ?? [];
  expect(exa).toMatchObject({ runs: 6, costPerCallUsd: 0.004, unpricedCalls: 5 });
  expect(exa?.failed?.mean).toBe(0.5);
});
