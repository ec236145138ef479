import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { initial } from '../../src/storage/migrations/0001-initial.ts';
import { openDatabase } from '../../src/storage/open-database.ts';
import { openStore } from '../../src/storage/open-store.ts';
import { describeOnDatabases, type FreshDatabase } from '../support/databases.ts';
import { recorderWorkerUrl } from '../support/recorder-worker.ts';
import { at, interactionRecord } from './fixtures.ts';

const URL = 'https://example.com/cranes';

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
        metadata: '{}',
      })
      .execute();
    await db.destroy();
  }

  it('keeps what it holds when it is opened, and takes titles from then on', async () => {
    const store = await openStore({ ...fresh.location, workerUrl: await recorderWorkerUrl() });
    const titleOf = async () => (await store.reader.knownTitles(projectId, [URL])).get(URL);
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
});
