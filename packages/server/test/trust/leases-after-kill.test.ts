import { randomUUID } from 'node:crypto';
import { openDatabase } from '@trawl/database';
import { describeOnDatabases } from '@trawl/test-support/databases';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { newSite, type RunningServer, type Site, startServe } from '@trawl/test-support/program';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';

/** Costs $0.007. */
const BODY = { user_input: { query: 'tides' }, search: { providers: { include: ['exa'] } } };

describeOnDatabases(
  'kill -9 of a server in the middle of a request',
  (database) => {
    let site: Site;
    let killed: RunningServer;
    let survivor: TestServer;
    beforeAll(async () => {
      site = await newSite(database);
      killed = await startServe({
        settings: site.settings,
        folder: site.folder,
      });
      survivor = await startTestServer({
        database: { ...database, create: async () => ({ ...site.data, drop: async () => {} }) },
        leases: { waitMs: 100 },
      });
    });
    afterAll(async () => {
      await survivor.stop();
      await site.clear(killed);
    });

    /** Lets the database's clock pass the end of all leases. */
    async function endLeases(): Promise<void> {
      const { db } = openDatabase(site.data.location, { connections: 1 });
      for (const table of ['budget_leases', 'repeat_leases']) {
        await sql`update ${sql.table(table)} set expires_at = clock_timestamp()`.execute(db);
      }
      await db.destroy();
    }

    it('keeps its money and its Idempotency-Key until the lease ends; then the repeat runs once', async () => {
      const { id, key } = await survivor.makeKey('killed');
      await survivor.server.store.keys.changeKey(id, { monthlyBudgetMicros: 7_000 });
      const headers = { 'idempotency-key': randomUUID() };
      site.sandbox.inject('exa', 'latency=60000');
      const lost = fetch(`${killed.url}/v1/search`, {
        method: 'POST',
        headers: { ...headers, authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(BODY),
      });
      await expect.poll(() => site.sandbox.calls.length, { timeout: 20_000 }).toBe(1);
      killed.child.kill('SIGKILL');
      await expect(lost).rejects.toThrow(TypeError);

      const repeat = await survivor.search(BODY, { key, headers });
      expect([repeat.status, Number(repeat.headers.get('retry-after'))]).toEqual([503, 15]);
      const other = await survivor.search(BODY, { key });
      expect([other.status, other.json.detail]).toEqual([
        402,
        expect.stringContaining('$0.00 spent, $0.007 reserved'),
      ]);
      expect(survivor.sandbox.calls).toEqual([]);

      await endLeases();
      const repeats = Array.from({ length: 4 }, () => survivor.search(BODY, { key, headers }));
      const answers = await Promise.all(repeats);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      expect(survivor.sandbox.calls).toHaveLength(1);
      expect((await survivor.search(BODY, { key })).json.detail).toContain('$0.007 spent, and');
    });
  },
  'PostgreSQL',
);
