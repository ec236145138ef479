import { randomUUID } from 'node:crypto';
import type { UsageGroup } from '@trawl/contract';
import type { Insertable } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { takenFor } from '../../base/src/text/json-text.ts';
import { initial } from '../../database/src/migrations/0001-initial.ts';
import { openDatabase } from '../../database/src/opening/open-database.ts';
import type { LedgerTable } from '../../database/src/tables/tables.ts';
import { describeOnDatabases, type FreshDatabase } from '../../server/test/support/databases.ts';
import { recorderWorkerUrl } from '../../server/test/support/threads.ts';
import { openStore } from '../src/opening/open-store.ts';
import { at, interactionRecord } from './fixtures.ts';

const URL = 'https://example.com/cranes';

/** Calls of the first version: time, calls, cost, user. */
const CALLS = [
  ['2025-12-30T00:00:00.000Z', 1, 5, null],
  ['2025-12-30T23:59:59.999Z', 2, null, 'ada'],
  ['2025-12-31T00:00:00.000Z', 1, null, 'ada'],
  ['2025-12-31T10:00:00.000Z', 0, 0, 'bob'],
] as const;

describeOnDatabases('a database of the first version', (database) => {
  let fresh: FreshDatabase;
  const [projectId, sessionId, id] = [randomUUID(), randomUUID(), randomUUID()];

  beforeAll(async () => {
    fresh = await database.create();
    await makeFirstVersion();
  });
  afterAll(() => fresh.drop());

  /** The schema as the first version left it, with one interaction. */
  async function makeFirstVersion(): Promise<void> {
    const { db, columnTypes } = openDatabase(fresh.location, { connections: 1 });
    await initial(columnTypes).up(db);
    await db.schema
      .createTable('schema_migrations')
      .addColumn('name', 'varchar(255)', (column) => column.primaryKey())
      .addColumn('timestamp', 'varchar(255)', (column) => column.notNull())
      .execute();
    await db
      .withTables<{ schema_migrations: { name: string; timestamp: string } }>()
      .insertInto('schema_migrations')
      .values({ name: '0001_initial', timestamp: at(0) })
      .execute();
    await db
      .insertInto('projects')
      .values({ id: projectId, name: 'first', created_at: at(0) })
      .execute();
    const session = { id: sessionId, project_id: projectId, interaction_count: 1 };
    await db
      .insertInto('sessions')
      .values({ ...session, created_at: at(0), updated_at: at(1), latest_interaction_at: at(0) })
      .execute();
    await db
      .insertInto('interactions')
      .values({
        id,
        instance_id: 'instance-1',
        session_id: sessionId,
        project_id: projectId,
        key_id: 'key-1',
        status: 'succeeded',
        created_at: at(0),
        completed_at: at(1),
        trajectory_id: randomUUID(),
        trajectory_goal: 'cranes',
        metadata: takenFor('{}'),
      })
      .execute();
    await db
      .insertInto('ledger')
      .values(CALLS.map((call, index) => firstLedgerRow(`call ${index}`, call)))
      .execute();
    await db.destroy();
  }

  const firstLedgerRow = (ledgerId: string, [time, calls, cost, user]: (typeof CALLS)[number]) =>
    ({
      ...{ id: ledgerId, project_id: projectId, key_id: 'key-1', user_id: user },
      ...{ session_id: sessionId, interaction_id: id, run_id: ledgerId, provider: 'exa' },
      ...{ created_at: time, calls, outcome: 'succeeded', cost_micros: cost },
    }) as Insertable<LedgerTable>;

  it('keeps its data when it is opened, and stores titles from then on', async () => {
    const store = await openStore({ ...fresh.location, workerUrl: recorderWorkerUrl() });
    const titleOf = () => store.reader.knownTitle(projectId, URL);
    const before = await store.reader.interaction(projectId, sessionId, id);
    expect(before).toMatchObject({ id, trajectoryGoal: 'cranes', completedAt: at(1) });
    expect(await titleOf()).toBeUndefined();

    const titles = [{ url: URL, title: 'Cranes' }];
    await store.recorder.record(interactionRecord({ projectId, sessionId, titles }));
    expect(await titleOf()).toBe('Cranes');
    expect(await store.recorder.deleteSession(projectId, sessionId)).toBe(true);
    expect(await titleOf()).toBeUndefined();
    await store.close();
  });

  it('sums up the ledger that it finds, by day and user', async () => {
    const store = await openStore({ ...fresh.location, workerUrl: recorderWorkerUrl() });
    const owner = { kind: 'key', id: 'key-1' } as const;
    const span = { from: '2025-12-01T00:00:00.000Z', to: '2026-01-01T00:00:00.000Z' };
    const usage = (groups: readonly UsageGroup[]) =>
      store.usage.usage(owner, { ...span, groups, limit: 100 });
    expect(await usage(['day'])).toEqual([
      { group: { day: '2025-12-30' }, calls: 3, unpricedCalls: 2, costMicros: 5 },
      { group: { day: '2025-12-31' }, calls: 1, unpricedCalls: 1, costMicros: null },
    ]);
    expect(await usage(['user_id'])).toEqual([
      { group: { user_id: null }, calls: 1, unpricedCalls: 0, costMicros: 5 },
      { group: { user_id: 'ada' }, calls: 3, unpricedCalls: 3, costMicros: null },
    ]);
    await store.close();
  });
});
