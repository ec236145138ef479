import { join } from 'node:path';
import type { Tables } from '@trawl/database';
import { openDatabase } from '@trawl/database';
import { damagePages } from '@trawl/test-support/damage';
import { describeOnDatabases, onlyOn, type TestStore } from '@trawl/test-support/databases';
import { newProject } from '@trawl/test-support/records';
import { wholeInteraction } from '@trawl/test-support/whole-interaction';
import { checkStore } from '@trawl/upkeep';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TRIAL_BYTES } from '../src/recorder/trial-write.ts';

const TABLES: readonly (keyof Tables)[] = [
  'projects',
  'sessions',
  'interactions',
  'runs',
  'ledger',
  'repeats',
  'usage_days',
];
const TRIAL = { bytes: TRIAL_BYTES, integrity: 'whole' } as const;

describeOnDatabases('a trial write', (database) => {
  let opened: TestStore;
  beforeEach(async () => {
    opened = await database.open();
  });
  afterEach(() => opened.cleanup());

  it('leaves no rows, and removes those of a process that ended during a trial', async () => {
    const { db } = openDatabase(opened.location, { connections: 1 });
    const id = 'trial-left';
    const time = '1970-01-01T00:00:00.000Z';
    await db.insertInto('projects').values({ id, name: id, created_at: time }).execute();
    expect(await opened.store.keys.listProjects()).toEqual([]);
    await opened.store.trial(TRIAL);
    for (const table of TABLES) {
      expect([table, await db.selectFrom(table).selectAll().execute()]).toEqual([table, []]);
    }
    await db.destroy();
  });

  it('keeps the rows of a trial that is running on another server', async () => {
    const { db } = openDatabase(opened.location, { connections: 1 });
    const id = 'trial-of-another-server';
    const created_at = new Date().toISOString();
    await db.insertInto('projects').values({ id, name: id, created_at }).execute();
    await opened.store.trial(TRIAL);
    expect(await db.selectFrom('projects').select('id').execute()).toEqual([{ id }]);
    expect(await opened.store.keys.listProjects()).toEqual([]);
    await db.destroy();
  });

  it.each(['sessions', 'runs', 'ledger', 'usage_days'] as const)(
    'fails when %s cannot be written',
    async (table) => {
      const { db } = openDatabase(opened.location, { connections: 1 });
      await db.schema.alterTable(table).renameTo('elsewhere').execute();
      await expect(opened.store.trial(TRIAL)).rejects.toThrow(table);
      await db.schema.alterTable('elsewhere').renameTo(table).execute();
      await opened.store.trial(TRIAL);
      await db.destroy();
    },
  );

  onlyOn(database, 'SQLite')(
    'fails while pages of the file are damaged, and doctor agrees',
    async () => {
      const projectId = await newProject(opened.store);
      for (let session = 0; session < 100; session += 1) {
        await opened.store.recorder.record(wholeInteraction(projectId, `session ${session}`));
      }
      await opened.store.close();
      damagePages(join(opened.location.dataDir, 'trawl.db'));
      const store = await opened.another();
      await expect(store.trial(TRIAL)).rejects.toMatchObject({ code: 'SQLITE_CORRUPT' });
      expect(await checkStore(opened.location)).toMatchObject({ kind: 'damaged' });
    },
  );
});
