import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkStore } from '../../src/storage/check-store.ts';
import { type DatabaseLocation, openDatabase } from '../../src/storage/open-database.ts';
import { describeOnDatabases, type TestStore } from '../support/databases.ts';

describeOnDatabases('checking a database', (database) => {
  let opened: TestStore;
  beforeEach(async () => {
    opened = await database.open();
  });
  afterEach(() => opened.cleanup());

  const setVersion = async (name: string, isApplied: boolean) => {
    const { db } = openDatabase(opened.location, { connections: 1 });
    const versions = db.withTables<{ schema_migrations: { name: string; timestamp: string } }>();
    if (isApplied) {
      await versions.insertInto('schema_migrations').values({ name, timestamp: '' }).execute();
    } else {
      await versions.deleteFrom('schema_migrations').where('name', '=', name).execute();
    }
    await db.destroy();
  };

  it('beside an open store finds it working, and leaves it working and unchanged', async () => {
    await opened.store.ping();
    const found = await checkStore(opened.location);
    expect(found).toEqual({ kind: 'works', schema: 'current', newestAt: null });
    await opened.store.ping();
    expect(await opened.store.setting('write_check', 'free')).toBe('free');
  });

  it('tells a schema that is older or newer than this program, and migrates neither', async () => {
    await setVersion('0004_repeats', false);
    expect(await checkStore(opened.location)).toMatchObject({ schema: 'older' });
    expect(await checkStore(opened.location)).toMatchObject({ schema: 'older' });
    await setVersion('0004_repeats', true);
    await setVersion('9999_later', true);
    expect(await checkStore(opened.location)).toMatchObject({ kind: 'works', schema: 'newer' });
    await setVersion('9999_later', false);
  });
});

describeOnDatabases(
  'checking a database that must not be written',
  (database) => {
    it('says so, with the code alone', async () => {
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

it('makes nothing where there is no database yet', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trawl-check-'));
  const dataDir = join(folder, 'deep', 'data');
  const found = await checkStore({ databaseUrl: undefined, dataDir });
  expect(found).toEqual({ kind: 'absent', folder });
  expect(await readdir(folder)).toEqual([]);
  await rm(folder, { recursive: true });
});
