import { createPostgresPool } from '@trawl/database/testing';
import { describeOnDatabases, type FreshDatabase } from '@trawl/test-support/databases';
import { afterEach, beforeEach, expect, it } from 'vitest';

const LIMITS = {
  connectMs: 5_000,
  server: {
    statement_timeout: 100,
    lock_timeout: 100,
    idle_in_transaction_session_timeout: 5_000,
  },
};
/** Longer than the limit and the time after which a silent connection is given up. */
const LONG = "select 'done' as outcome from pg_sleep(0.9)";

describeOnDatabases(
  'the limit of a statement',
  (database) => {
    let fresh: FreshDatabase;
    beforeEach(async () => {
      fresh = await database.create();
    });
    afterEach(() => fresh.drop());

    async function run(query: string, options = '') {
      const url = new URL(fresh.location.databaseUrl ?? '');
      const given = url.searchParams.get('options') ?? '';
      url.searchParams.set('options', `${given}${options}`);
      const pool = await createPostgresPool(url.href, 1, LIMITS);
      const client = await pool.connect();
      try {
        return (await client.query(query, [])).rows;
      } finally {
        client.release();
        await pool.end();
      }
    }

    it('is ours when the operator did not set one', async () => {
      await expect(run(LONG)).rejects.toMatchObject({ code: '57014' });
    });

    it('is the one of the connection string, a longer one too', async () => {
      expect(await run(LONG, ' -c statement_timeout=5s')).toEqual([{ outcome: 'done' }]);
    });
  },
  'PostgreSQL',
);
