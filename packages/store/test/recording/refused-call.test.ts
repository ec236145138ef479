import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createOutageLog } from '../../../base/src/faults/outage-log.ts';
import { openDatabase } from '../../../database/src/opening/open-database.ts';
import { collectingLog } from '../../../server/test/http/app.ts';
import { describeOnDatabases, type TestStore } from '../../../server/test/support/databases.ts';
import { createInteractionStore } from '../../src/recording/interaction-store.ts';
import { interactionRecord, ledgerRecord, newProject } from '../fixtures.ts';

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
