import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DatabaseLocation, openDatabase } from '@trawl/database';
import {
  describeOnDatabases,
  type TestDatabase,
  type TestStore,
} from '@trawl/test-support/databases';
import { at, interactionRecord, ledgerRecord, newProject } from '@trawl/test-support/records';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkStore, type StoreCheck } from '../src/check/check-store.ts';

type Works = Extract<StoreCheck, { kind: 'works' }>;

/** The statements in the documentation that repair wrong usage. */
async function repairs(name: TestDatabase['name']): Promise<readonly string[]> {
  const page = await readFile(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
  const [, both = ''] = /```text\nbegin;\n(.*?)commit;/s.exec(page) ?? [];
  const [, totals = ''] = /```text\n(insert into usage_days.*?)```/s.exec(page) ?? [];
  const block = name === 'PostgreSQL' ? both + totals : both;
  return block.split(';').filter((statement) => statement.trim() !== '');
}

describeOnDatabases('checking a database', (database) => {
  let opened: TestStore;
  beforeEach(async () => {
    opened = await database.open();
  });
  afterEach(() => opened.cleanup());

  it('next to an open store, finds it working, and leaves it working and unchanged', async () => {
    await opened.store.ping();
    const found = await checkStore(opened.location);
    expect(found).toEqual({
      ...{ kind: 'works', schema: 'current', newestAt: null, wrongUsageDay: null },
    });
    await opened.store.ping();
    expect(await opened.store.setting('write_check', 'free')).toBe('free');
  });

  it('compares the usage of the newest day with the ledger, and the page on operations repairs it', async () => {
    const projectId = await newProject(opened.store);
    const base = interactionRecord({ projectId });
    const ledger = [
      ledgerRecord(base, { userId: null, costMicros: null }),
      ledgerRecord(base, { userId: 'ada', calls: 2, keyTail: 'k9Zq' }),
      ledgerRecord(base, { createdAt: at(90_000) }),
    ];
    await opened.store.recorder.record({ ...base, ledger });
    const wrongDay = async () => ((await checkStore(opened.location)) as Works).wrongUsageDay;
    expect(await wrongDay()).toBeNull();

    const { db } = openDatabase(opened.location, { connections: 1 });
    const all = () =>
      db.selectFrom('usage_days').selectAll().orderBy('users').orderBy('day').orderBy('key_tail');
    const right = await all().execute();
    // of two days: all users, and those with and without a name; on PostgreSQL also the totals of
    // key and project
    expect(right).toHaveLength(database.name === 'PostgreSQL' ? 10 : 6);
    for (const users of new Set(right.map((row) => row.users))) {
      await db.updateTable('usage_days').set({ calls: 7 }).where('users', '=', users).execute();
      expect(await wrongDay()).toBe(base.createdAt.slice(0, 10));
      for (const statement of await repairs(database.name)) await sql.raw(statement).execute(db);
      expect(await all().execute()).toEqual(right);
      expect(await wrongDay()).toBeNull();
    }
    await db.destroy();
  });

  it('reports a schema that is newer than this program', async () => {
    const { db } = openDatabase(opened.location, { connections: 1 });
    await sql`insert into schema_migrations (name, timestamp) values ('9999_later', '')`.execute(
      db,
    );
    await db.destroy();
    expect(await checkStore(opened.location)).toMatchObject({ kind: 'works', schema: 'newer' });
  });
});

describeOnDatabases(
  'checking a database that must not be written',
  (database) => {
    it('reports it, with only the code', async () => {
      const opened = await database.open();
      const { databaseUrl, dataDir } = opened.location;
      const url = new URL(databaseUrl ?? '');
      const options = `${url.searchParams.get('options')} -c default_transaction_read_only=on`;
      url.searchParams.set('options', options);
      const readOnly: DatabaseLocation = { databaseUrl: url.href, dataDir };
      expect(await checkStore(readOnly)).toEqual({ kind: 'unwritable', cause: '25006' });
      await opened.cleanup();
    });
  },
  'PostgreSQL',
);

it('creates nothing when the database does not exist yet', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trawl-check-'));
  const dataDir = join(folder, 'deep', 'data');
  const found = await checkStore({ databaseUrl: undefined, dataDir });
  expect(found).toEqual({ kind: 'absent', folder });
  expect(await readdir(folder)).toEqual([]);
  await rm(folder, { recursive: true });
});
