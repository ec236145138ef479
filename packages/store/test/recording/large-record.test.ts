import { createOutageLog } from '@trawl/base';
import { openDatabase } from '@trawl/database';
import { collectingLog } from '@trawl/test-support/collecting-log';
import { describeOnDatabases } from '@trawl/test-support/databases';
import { interactionRecord, newProject, runRecord } from '@trawl/test-support/records';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { openStore } from '../../src/opening/open-store.ts';
import { createInteractionStore } from '../../src/recording/interaction-store.ts';

const LARGE = 9_000_000;

describeOnDatabases(
  'a record that is too large for the time of a statement',
  (database) => {
    it('fails alone: its calls are booked, and requests go on', async () => {
      const opened = await database.open();
      const { db } = openDatabase(opened.location, { connections: 1 });
      // as slow as a larger text on a slower machine
      await sql`create function be_slow() returns trigger language plpgsql as
        'begin perform pg_sleep(60); return new; end'`.execute(db);
      await sql`create trigger slow before insert on runs for each row
        when (octet_length(new.body) >= ${sql.lit(LARGE)}) execute function be_slow()`.execute(db);
      const url = new URL(opened.location.databaseUrl ?? '');
      const options = url.searchParams.get('options');
      url.searchParams.set('options', `${options} -c statement_timeout=1000`);
      const location = { ...opened.location, databaseUrl: url.href };
      const { workerUrl } = opened;
      const store = await openStore({ ...location, workerUrl, onWorkerError: () => {} });
      const { log, lines } = collectingLog();
      const outages = createOutageLog({ log, now: Date.now });
      const interactions = createInteractionStore({ store, now: Date.now, log, outages });
      try {
        const projectId = await newProject(opened.store);
        const large = interactionRecord({ projectId, runs: [runRecord('x'.repeat(LARGE))] });
        const small = interactionRecord({ projectId });
        const [refused, recorded] = await Promise.allSettled([
          interactions.write(large, Date.now() + 60_000),
          interactions.write(small, Date.now() + 60_000),
        ]);
        expect(recorded.status).toBe('fulfilled');
        expect(lines).toEqual([]);
        await interactions.ready();
        expect(refused).toMatchObject({
          reason: { status: 503, detail: expect.stringContaining('too large') },
        });
        const booked = await db.selectFrom('ledger').select('interaction_id').execute();
        const ids = booked.map(({ interaction_id }) => interaction_id);
        expect(new Set(ids)).toEqual(new Set([large.id, small.id]));
      } finally {
        await interactions.stop();
        await store.close();
        await db.destroy();
        await opened.cleanup();
      }
    });
  },
  'PostgreSQL',
);
