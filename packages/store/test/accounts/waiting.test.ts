import { databasePath } from '@trawl/database';
import { openSqlite } from '@trawl/database/sqlite';
import { describeOnDatabases, type TestStore } from '@trawl/test-support/databases';
import { at } from '@trawl/test-support/records';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newPerson } from './people.ts';

describeOnDatabases(
  'a single write',
  (database) => {
    let opened: TestStore;
    beforeAll(async () => {
      opened = await database.open();
    });
    afterAll(() => opened.cleanup());

    it('waits for a writer that holds the lock, as the recorder does', async () => {
      const { people } = opened.store.accounts;
      const id = await newPerson(opened.store);
      const writer = openSqlite(databasePath(opened.location.dataDir));
      writer.prepare('begin immediate').run([]);
      const renaming = people.rename(id, 'Grace', at(1));
      // the write is tried before this runs
      setTimeout(() => writer.prepare('rollback').run([]), 0);
      expect(await renaming).toBe(true);
      expect(await people.find(id)).toMatchObject({ name: 'Grace' });
      writer.close();
    });
  },
  'SQLite',
);
