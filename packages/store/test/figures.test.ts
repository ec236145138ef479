import { randomUUID } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '@trawl/base';
import type { LedgerRecord, ProviderTally, UsageWanted } from '@trawl/router';
import { describeOnDatabases, type TestStore } from '@trawl/test-support/databases';
import { apiKey, ledgerRecord, newProject } from '@trawl/test-support/records';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { daySlices, usageParts } from '../src/readers/day-slices.ts';

const START = Date.parse('2026-01-01T00:00:00.000Z');
const iso = (time: number) => new Date(time).toISOString();
const hour = (count: number) => iso(START + count * HOUR_MS);
const day = (count: number) => iso(START + count * DAY_MS);

describeOnDatabases('figures of the ledger', (database) => {
  let opened: TestStore;
  beforeAll(async () => {
    opened = await database.open();
  });
  afterAll(() => opened.cleanup());

  /** Books rows of a project. */
  async function booked(rows: readonly Partial<LedgerRecord>[]): Promise<string> {
    const projectId = await newProject(opened.store);
    const owner = { projectId, sessionId: randomUUID() };
    await opened.store.recorder.recordLedger(
      rows.map((row) => ledgerRecord({ id: randomUUID(), ...owner }, row)),
    );
    return projectId;
  }
  const failed = { outcome: 'failed', errorCode: 'timeout' } as const;

  it('have the use of each key in each of ten hours, and no hour twice', async () => {
    const projectId = await booked([
      ...Array.from({ length: 10 }, (_, index) => ({ createdAt: hour(index), keyId: 'a' })),
      { createdAt: hour(3), keyId: 'a', ...failed },
      { createdAt: iso(START + 4 * HOUR_MS - 1), keyId: 'a' },
      { createdAt: hour(8), keyId: 'b', ...failed },
      { createdAt: hour(10), keyId: 'a' },
    ]);
    await booked([{ createdAt: hour(2), keyId: 'a' }]);
    const hours = await opened.store.keyUsage.hours(projectId, hour(1), hour(10));
    const shown = hours.map(
      (row) => `${row.keyId} ${row.hour.slice(-2)} ${row.succeeded} ${row.failed}`,
    );
    expect(shown.toSorted()).toEqual([
      'a 01 1 0',
      'a 02 1 0',
      'a 03 2 1',
      ...['04', '05', '06', '07', '08', '09'].map((name) => `a ${name} 1 0`),
      'b 08 0 1',
    ]);
  });

  it('have the requests of the last minute, each once, and the last calls from the newest', async () => {
    const id = randomUUID();
    const projectId = await booked([
      { createdAt: hour(1), keyId: 'a', interactionId: id, provider: 'one' },
      { createdAt: hour(2), keyId: 'a', interactionId: id, provider: 'two', costMicros: null },
      { createdAt: hour(3), keyId: 'a', provider: 'three', ...failed, latencyMs: null },
      { createdAt: hour(3), keyId: 'b', provider: 'four' },
    ]);
    const { keyUsage } = opened.store;
    const recent = async (since: string) =>
      Object.fromEntries(await keyUsage.recentRequests(projectId, since));
    expect(await recent(hour(1))).toEqual({ a: 2, b: 1 });
    expect(await recent(hour(3))).toEqual({ a: 1, b: 1 });
    const calls = await keyUsage.calls(projectId, 'a', 2);
    expect(calls).toMatchObject([
      {
        provider: 'three',
        outcome: 'failed',
        error_code: 'timeout',
        latency_ms: null,
        cost_usd: 0.005,
      },
      { provider: 'two', outcome: 'succeeded', cost_usd: null, interaction_id: id },
    ]);
    expect(calls).toHaveLength(2);
  });

  it('have when each key was used last', async () => {
    const projectId = await newProject(opened.store);
    const [used, unused, deleted] = [apiKey(projectId), apiKey(projectId), apiKey(projectId)];
    for (const key of [used, unused, deleted]) await opened.store.keys.createKey(key, key.id);
    await opened.store.keys.deleteKey(deleted.id, hour(0));
    const owner = { id: randomUUID(), projectId, sessionId: randomUUID() };
    await opened.store.recorder.recordLedger(
      [3, 9, 5].map((at) => ledgerRecord(owner, { keyId: used.id, createdAt: hour(at) })),
    );
    expect(await opened.store.keyUsage.facts(projectId)).toEqual(
      new Map([
        [used.id, { lastUsedAt: hour(9), createdByName: null }],
        [unused.id, { lastUsedAt: null, createdByName: null }],
      ]),
    );
  });

  it('have a list for each of three days, with equal rows added up', async () => {
    const row = { provider: 'exa', latencyMs: 100, resultCount: 3, costMicros: 7_000 };
    const last = { sessionId: randomUUID(), interactionId: randomUUID() };
    const projectId = await booked([
      { ...row, createdAt: hour(1) },
      { ...row, createdAt: hour(5), resultCount: 0, calls: 2, ...last },
      { ...row, createdAt: hour(6), costMicros: null, latencyMs: 90, resultCount: null },
      { ...row, ...failed, createdAt: day(1), calls: 0, latencyMs: 5_000 },
      { ...row, ...failed, createdAt: day(1), errorCode: null },
      { ...row, createdAt: iso(START + 2 * DAY_MS - 1), batchIndex: null },
      { ...row, createdAt: day(3) },
    ]);
    const lists: (readonly ProviderTally[])[] = [];
    const span = { from: hour(1), to: day(3) };
    for await (const list of opened.store.providers.tallies(projectId, span)) lists.push(list);
    const sorted = lists.map((list) =>
      list.toSorted(
        (a, b) =>
          `${a.operation}${a.errorCode}`.localeCompare(`${b.operation}${b.errorCode}`) ||
          (a.latencyMs ?? 0) - (b.latencyMs ?? 0),
      ),
    );
    expect(sorted).toMatchObject([
      [
        { latencyMs: 90, runs: 1, calls: 1, unpricedCalls: 1, costMicros: 0, counted: 0, empty: 0 },
        {
          ...{ provider: 'exa', operation: 'search', isAsked: true, errorCode: null },
          ...{ latencyMs: 100, runs: 2, calls: 3, unpricedCalls: 0, costMicros: 14_000 },
          ...{ counted: 2, empty: 1, latest: { at: hour(5), ...last } },
        },
      ],
      [
        {
          operation: 'fetch',
          errorCode: null,
          runs: 1,
          latest: { at: iso(START + 2 * DAY_MS - 1) },
        },
        { operation: 'search', errorCode: 'timeout', isAsked: false, latencyMs: null, calls: 0 },
        { operation: 'search', errorCode: 'unknown', isAsked: true, latencyMs: null },
      ],
      [],
    ]);
  });

  it('have the usage of 40 days, of parts of days, and of each user', async () => {
    const rows = Array.from({ length: 40 }, (_, index) => ({
      createdAt: iso(START + index * DAY_MS + 12 * HOUR_MS),
      costMicros: index === 7 ? null : 1_000,
      calls: 2,
      userId: index % 2 ? 'odd' : null,
      keyId: index < 3 ? 'first' : 'other',
      keyTail: index === 5 ? 'tail' : null,
    }));
    const projectId = await booked([
      ...rows,
      // nothing was sent
      { createdAt: day(20), calls: 0, costMicros: 0 },
    ]);
    const usage = async (wanted: Partial<UsageWanted>) =>
      (
        await opened.store.usage.usage(
          { kind: 'project', id: projectId },
          { from: day(0), to: day(40), groups: [], limit: 100, ...wanted },
        )
      ).map(({ group, calls, unpricedCalls, costMicros }) => [
        Object.values(group).join(),
        calls,
        unpricedCalls,
        costMicros,
      ]);
    expect(await usage({})).toEqual([['', 80, 2, 39_000]]);
    expect(
      await usage({ from: iso(START + 13 * HOUR_MS), to: iso(START + 39 * DAY_MS + 12 * HOUR_MS) }),
    ).toEqual([['', 76, 2, 37_000]]);
    expect(await usage({ groups: ['user_id'] })).toEqual([
      ['', 40, 0, 20_000],
      ['odd', 40, 2, 19_000],
    ]);
    expect(await usage({ groups: ['key_id'], to: day(10) })).toEqual([
      ['first', 6, 0, 3_000],
      ['other', 14, 2, 6_000],
    ]);
    expect(await usage({ groups: ['key_tail'], from: day(4), to: day(9) })).toEqual([
      ['', 8, 2, 3_000],
      ['tail', 2, 0, 1_000],
    ]);
    expect(await usage({ from: day(7), to: day(8) })).toEqual([['', 2, 2, null]]);
    expect(await usage({ from: day(50), to: day(60) })).toEqual([]);
    const days = await usage({ groups: ['day'], limit: 35 });
    expect(days).toHaveLength(35);
    expect([days[0]?.[0], days[34]?.[0]]).toEqual(['2026-01-01', '2026-02-04']);
    const spent = (kind: 'key' | 'project', id: string, from: string, to: string) =>
      opened.store.usage.spentMicros({ kind, id }, from, to);
    expect(await spent('project', projectId, day(30), day(40))).toBe(10_000);
    expect(await spent('key', 'first', day(1), day(40))).toBe(2_000);
    expect(await spent('project', projectId, day(7), day(8))).toBe(0);
  });
});

describe('a span of time', () => {
  const short = (text: string) => text.slice(5, 13);

  it('is read one day at a time', () => {
    const slices = [...daySlices({ from: hour(20), to: hour(50) })];
    expect(slices.map(({ from, to }) => `${short(from)} ${short(to)}`)).toEqual([
      '01-01T20 01-02T00',
      '01-02T00 01-03T00',
      '01-03T00 01-03T02',
    ]);
    expect([...daySlices({ from: hour(5), to: hour(5) })]).toEqual([]);
  });

  it('is read in pieces of whole days, and the parts of days around them', () => {
    const parts = (from: string, to: string) =>
      [...usageParts({ from, to }, 2)].map(
        (part) => `${short(part.from)} ${short(part.to)}${part.wholeDays ? ' whole' : ''}`,
      );
    expect(parts(hour(20), hour(24 * 6 + 3))).toEqual([
      '01-01T20 01-02T00',
      '01-02T00 01-04T00 whole',
      '01-04T00 01-06T00 whole',
      '01-06T00 01-07T00 whole',
      '01-07T00 01-07T03',
    ]);
    expect(parts(day(0), day(1))).toEqual(['01-01T00 01-02T00 whole']);
    expect(parts(hour(3), hour(5))).toEqual(['01-01T03 01-01T05']);
  });
});
