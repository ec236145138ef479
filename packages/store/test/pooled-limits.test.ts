import { migrate, openDatabase, schemaState } from '@trawl/database';
import { createPostgresPool, UNLIMITED } from '@trawl/database/testing';
import { describeOnDatabases, type FreshDatabase } from '@trawl/test-support/databases';
import { poolDatabase, poolerAbsent } from '@trawl/test-support/pooler';
import { afterEach, beforeEach, expect, it } from 'vitest';

const limitsOf = (statementMs: number) => ({
  connectMs: 5_000,
  server: {
    statement_timeout: statementMs,
    lock_timeout: 3_000,
    idle_in_transaction_session_timeout: 5_000,
  },
});
/** Reads a setting of the connection that executes it. */
const NOW = 'select current_setting($1) as value';

describeOnDatabases(
  'behind a pooler in transaction mode',
  (database) => {
    let pooled: FreshDatabase;
    const ends: (() => Promise<void>)[] = [];
    const share = async (connections: number) => {
      pooled = await poolDatabase(await database.create(), connections);
      ends.push(pooled.drop);
    };
    beforeEach(({ skip }) => skip(poolerAbsent !== undefined, poolerAbsent));
    afterEach(async () => {
      for (const end of ends.splice(0).reverse()) await end();
    });

    async function connect(statementMs?: number) {
      const limits = statementMs === undefined ? UNLIMITED : limitsOf(statementMs);
      const pool = await createPostgresPool(pooled.location.databaseUrl ?? '', 1, limits);
      const client = await pool.connect();
      ends.push(async () => {
        client.release();
        await pool.end();
      });
      return client;
    }

    it('each of two connections that share one of the database has its own limits', async () => {
      await share(1);
      const [short, long] = [await connect(300), await connect(4_000)];
      await expect(short.query('select pg_sleep(1)', [])).rejects.toMatchObject({ code: '57014' });
      await long.query('select pg_sleep(0.6)', []);
      const read = async (client: typeof short, name: string) =>
        (await client.query(NOW, [name])).rows[0];
      expect(await read(short, 'statement_timeout')).toEqual({ value: '300ms' });
      expect(await read(long, 'statement_timeout')).toEqual({ value: '4s' });
      expect(await read(long, 'lock_timeout')).toEqual({ value: '3s' });
    });

    it('limits are in force in a transaction, and none stays on the shared connection', async () => {
      await share(1);
      const [limited, unlimited] = [await connect(300), await connect()];
      await limited.query('begin', []);
      const inside = await limited.query(NOW, ['statement_timeout']);
      await limited.query('commit', []);
      expect(inside.rows).toEqual([{ value: '300ms' }]);
      expect((await unlimited.query(NOW, ['statement_timeout'])).rows).toEqual([{ value: '0' }]);
    });

    it('a refused statement leaves the connection usable', async () => {
      await share(1);
      const client = await connect(4_000);
      await expect(client.query('select 1 / 0', [])).rejects.toMatchObject({ code: '22012' });
      expect((await client.query('select 1 as one', [])).rows).toEqual([{ one: 1 }]);
    });

    it('several processes bring the schema up to date at once, and none waits for a lock that stayed behind', async () => {
      await share(3);
      const opened = [1, 2, 3].map(() => openDatabase(pooled.location, { connections: 2 }));
      const others = Array.from({ length: 6 }, () => connect());
      // other callers move the processes from one connection of the database to the next
      let done = false;
      const busy = others.map(async (client) => {
        while (!done) await (await client).query('select pg_sleep(0.002)', []);
      });
      await Promise.all(opened.map((one) => migrate(one))).finally(() => {
        done = true;
      });
      await Promise.all(busy);
      for (const one of opened) {
        expect(await schemaState(one)).toBe('current');
        await one.db.destroy();
      }
    });
  },
  'PostgreSQL',
);
