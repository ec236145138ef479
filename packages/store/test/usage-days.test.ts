import { randomUUID } from 'node:crypto';
import { USAGE_GROUPS, type UsageGroup } from '@trawl/contract';
import { openDatabase } from '@trawl/database';
import type { LedgerOwner, LedgerRecord, UsageRow } from '@trawl/router';
import { describeOnDatabases, type TestStore } from '@trawl/test-support/databases';
import { byForm } from '@trawl/test-support/form';
import { interactionRecord, ledgerRecord, newProject } from '@trawl/test-support/records';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordItem } from '../src/recorder/group-item.ts';
import { createGroupWriter } from '../src/recorder/group-writer.ts';
import { recordRows } from '../src/recorder/rows.ts';

const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(2026, 1, 26);
const DAYS = 12;
const KEYS = ['key-1', 'key-2'];

const oneOf = <T>(values: readonly T[]): T =>
  values[Math.floor(Math.random() * values.length)] as T;

/** Any of the days, including its first and its last moment. */
function someTime(): string {
  const day = FIRST_DAY + Math.floor(Math.random() * DAYS) * DAY_MS;
  return new Date(
    day + oneOf([0, 1, Math.floor(Math.random() * DAY_MS), DAY_MS - 1]),
  ).toISOString();
}

const SERVED = { calls: 0, costMicros: 0, cachedFrom: 'an interaction', savedMicros: 7_000 };

const someCall = (): Partial<LedgerRecord> => ({
  keyId: oneOf(KEYS),
  userId: oneOf([null, null, '', 'ada', 'bob', '\u{1F980}', 'none']),
  provider: oneOf(['exa', 'brave']),
  createdAt: someTime(),
  calls: oneOf([0, 1, 1, 2]),
  costMicros: oneOf([null, 0, 7_000]),
  keyTail: oneOf([null, 'k9Zq', '0xyz']),
  cachedFrom: null,
  savedMicros: null,
  ...(oneOf([true, false, false]) ? SERVED : {}),
});

/** The expected usage, summed up from the rows. */
function expected(
  rows: readonly LedgerRecord[],
  { from, to, groups }: { from: string; to: string; groups: readonly UsageGroup[] },
): readonly UsageRow[] {
  const sums = new Map<string, UsageRow>();
  for (const row of rows) {
    if (row.calls === 0 && row.cachedFrom === null) continue;
    if (row.createdAt < from || row.createdAt >= to) continue;
    const values = {
      ...{ day: row.createdAt.slice(0, 10), provider: row.provider },
      ...{ key_id: row.keyId, user_id: row.userId, key_tail: row.keyTail },
    };
    const group = Object.fromEntries(groups.map((name) => [name, values[name]]));
    const sum = sums.get(JSON.stringify(group));
    const isPriced = (row.calls > 0 && row.costMicros !== null) || (sum && sum.costMicros !== null);
    sums.set(JSON.stringify(group), {
      group,
      calls: (sum?.calls ?? 0) + row.calls,
      unpricedCalls: (sum?.unpricedCalls ?? 0) + (row.costMicros === null ? row.calls : 0),
      costMicros: isPriced ? (sum?.costMicros ?? 0) + (row.costMicros ?? 0) : null,
      cachedCalls: (sum?.cachedCalls ?? 0) + Number(row.cachedFrom !== null),
      savedMicros: (sum?.savedMicros ?? 0) + (row.savedMicros ?? 0),
    });
  }
  return [...sums.values()];
}

/** Every choice of groups, by the bits of a number. */
const subsets = Array.from({ length: 2 ** USAGE_GROUPS.length }, (_, bits) =>
  USAGE_GROUPS.filter((_, index) => bits & (1 << index)),
);

const inAnyOrder = (rows: readonly UsageRow[]) => rows.map((row) => JSON.stringify(row)).sort();

describeOnDatabases('the sums of each day', (database) => {
  let opened: TestStore;
  beforeAll(async () => {
    opened = await database.open();
  });
  afterAll(() => opened.cleanup());

  it('equal the ledger after recordings, repeated writes and deletions, in every grouping and span', async () => {
    const { store } = opened;
    const projectId = await newProject(store);
    const booked: LedgerRecord[] = [];
    const sessions = Array.from({ length: 6 }, () => randomUUID());
    const record = async () => {
      const base = interactionRecord({ projectId, sessionId: oneOf(sessions) });
      const ledger = Array.from({ length: oneOf([0, 1, 2, 5]) }, () =>
        ledgerRecord(base, someCall()),
      );
      await store.recorder.record({ ...base, ledger });
      booked.push(...ledger);
    };
    await Promise.all(Array.from({ length: 150 }, record));
    // rows that exist already, as after a commit with unknown outcome
    await store.recorder.recordLedger(booked.slice(0, 60));
    const [twice] = [ledgerRecord(interactionRecord({ projectId }), someCall())];
    await store.recorder.recordLedger([twice, twice]);
    booked.push(twice);
    for (const sessionId of sessions.slice(0, 3)) {
      expect(await store.recorder.deleteSession(projectId, sessionId)).toBe(true);
    }

    const isoAt = (time: number) => new Date(time).toISOString();
    const spans = [
      { from: isoAt(FIRST_DAY - DAY_MS), to: isoAt(FIRST_DAY + 40 * DAY_MS) },
      { from: isoAt(FIRST_DAY + 2 * DAY_MS), to: isoAt(FIRST_DAY + 3 * DAY_MS) },
      { from: isoAt(FIRST_DAY + DAY_MS / 2), to: isoAt(FIRST_DAY + 9.3 * DAY_MS) },
      { from: isoAt(FIRST_DAY + 1), to: isoAt(FIRST_DAY + DAY_MS - 1) },
    ];
    const owners: readonly (LedgerOwner & { rows: readonly LedgerRecord[] })[] = [
      { kind: 'project', id: projectId, rows: booked },
      ...KEYS.map((id) => ({
        ...{ kind: 'key' as const, id },
        rows: booked.filter(({ keyId }) => keyId === id),
      })),
    ];
    // in the small form a third of the groupings, others for each owner and span
    const share = byForm({ small: 3, full: 1 });
    for (const [nth, { rows, ...owner }] of owners.entries()) {
      for (const [at, span] of spans.entries()) {
        for (const groups of subsets.filter((_, bits) => (bits + at + nth) % share === 0)) {
          const found = await store.usage.usage(owner, { ...span, groups, limit: 10_001 });
          expect(inAnyOrder(found)).toEqual(inAnyOrder(expected(rows, { ...span, groups })));
        }
        const [all] = expected(rows, { ...span, groups: [] });
        const spent = await store.usage.spentMicros(owner, span.from, span.to);
        expect(spent).toBe(all?.costMicros ?? 0);
      }
    }
  });
});

describeOnDatabases(
  'two servers that add to the same sums',
  (database) => {
    const ROUNDS = byForm({ small: 12, full: 40 });
    const PROVIDERS = Array.from({ length: 12 }, (_, index) => `provider-${index}`);

    it('never deadlock, and lose nothing', async () => {
      const opened = await database.open();
      const projectId = await newProject(opened.store);
      // many rows, in any order
      const group = () =>
        Array.from({ length: 20 }, () => {
          const base = interactionRecord({ projectId });
          const calls = [...PROVIDERS].sort(() => Math.random() - 0.5);
          const createdAt = someTime();
          const ledger = calls.map((provider) =>
            ledgerRecord(base, { ...someCall(), provider, createdAt, calls: 1, costMicros: 1 }),
          );
          return recordItem(recordRows({ ...base, ledger }));
        });
      const server = async () => {
        const connection = openDatabase(opened.location, { connections: 1 });
        const write = createGroupWriter(connection);
        try {
          for (let round = 0; round < ROUNDS; round += 1) await write(group());
        } finally {
          await connection.db.destroy();
        }
      };
      await Promise.all([server(), server(), server()]);
      const span = { from: '2026-01-01T00:00:00.000Z', to: '2027-01-01T00:00:00.000Z' };
      const owner = { kind: 'project', id: projectId } as const;
      const booked = 3 * ROUNDS * 20 * PROVIDERS.length;
      expect(await opened.store.usage.spentMicros(owner, span.from, span.to)).toBe(booked);
      await opened.cleanup();
    });
  },
  'PostgreSQL',
);
