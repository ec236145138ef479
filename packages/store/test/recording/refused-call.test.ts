import { createOutageLog } from '@trawl/base';
import { openDatabase } from '@trawl/database';
import { collectingLog } from '@trawl/test-support/collecting-log';
import { describeOnDatabases, type TestStore } from '@trawl/test-support/databases';
import { interactionRecord, ledgerRecord, newProject } from '@trawl/test-support/records';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createInteractionStore } from '../../src/recording/interaction-store.ts';

describeOnDatabases(
  'a paid call that the ledger alone refuses',
  (database) => {
    let opened: TestStore;
    beforeEach(async () => {
      opened = await database.open();
    });
    afterEach(() => opened.cleanup());

    it('stops blocking requests, and is booked when the server stops', async () => {
      const { store } = opened;
      const { log, lines } = collectingLog();
      const outages = createOutageLog({ log, now: Date.now });
      const interactions = createInteractionStore({ store, now: Date.now, log, outages });
      const projectId = await newProject(store);
      const { db } = openDatabase(opened.location, { connections: 1 });
      const booked = async () => {
        const rows = await db.selectFrom('ledger').select('provider').orderBy('provider').execute();
        return rows.map(({ provider }) => provider);
      };
      await sql`create trigger refuse_brave before insert on ledger when new.provider = 'brave'
        begin select raise(abort, 'refused'); end`.execute(db);

      const record = interactionRecord({ projectId });
      const ledger = ['brave', 'exa'].map((provider) => ledgerRecord(record, { provider }));
      const writing = interactions.write({ ...record, ledger }, Date.now() + 10_000);
      await expect(writing).rejects.toMatchObject({ status: 503 });
      await expect
        .poll(
          () =>
            interactions.ready().then(
              () => true,
              () => false,
            ),
          { timeout: 15_000 },
        )
        .toBe(true);
      expect(await booked()).toEqual(['exa']);

      await sql`drop trigger refuse_brave`.execute(db);
      await interactions.stop();
      expect(await booked()).toEqual(['brave', 'exa']);
      expect(lines.filter(({ msg }) => String(msg).startsWith('final'))).toEqual([]);
      await db.destroy();
    });
  },
  'SQLite',
);
