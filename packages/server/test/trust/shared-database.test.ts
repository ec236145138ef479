import { setImmediate as nextTurn } from 'node:timers/promises';
import { openDatabase } from '@trawl/database';
import { openStore } from '@trawl/store';
import { describeOnDatabases, type TestDatabase } from '@trawl/test-support/databases';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { recorderWorkerUrl } from '@trawl/test-support/threads';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createLine } from '../support/line.ts';

const SEARCH = { user_input: { query: 'tidal power' } };

describeOnDatabases('a database that other programs use too', (database) => {
  it('lets servers start while another program creates and drops its own tables', async () => {
    const workerUrl = recorderWorkerUrl();
    const fresh = await Promise.all(Array.from({ length: 6 }, () => database.create()));
    let starting = fresh.length;
    const others = fresh.map(async ({ location }) => {
      const { db } = openDatabase(location, { connections: 1 });
      while (starting > 0) {
        await db.transaction().execute(async ({ schema }) => {
          await schema.createTable('notes').addColumn('text', 'text').execute();
        });
        await db.transaction().execute(({ schema }) => schema.dropTable('notes').execute());
        // the embedded database answers without a turn of the event loop, and the starts need some
        await nextTurn();
      }
      await db.destroy();
    });
    const starts = fresh.map(({ location }) =>
      openStore({ ...location, workerUrl }).finally(() => {
        starting -= 1;
      }),
    );
    const settled = await Promise.allSettled(starts);
    await Promise.all(others);
    for (const start of settled) if (start.status === 'fulfilled') await start.value.close();
    await Promise.all(fresh.map(({ drop }) => drop()));
    expect(settled.filter(({ status }) => status === 'rejected')).toEqual([]);
  });

  // the embedded one is not reached over a network
  if (database.name === 'PostgreSQL') awayAndBack(database);
});

function awayAndBack(database: TestDatabase): void {
  const line = createLine();
  let server: TestServer;
  beforeAll(async () => {
    const reached: TestDatabase = {
      ...database,
      create: async () => {
        const fresh = await database.create();
        const databaseUrl = await line.over(fresh.location.databaseUrl ?? '');
        return { ...fresh, location: { ...fresh.location, databaseUrl } };
      },
    };
    server = await startTestServer({ database: reached });
  });
  afterAll(async () => {
    await server.stop();
    await line.cut();
  });

  async function expectUnavailable(): Promise<void> {
    server.sandbox.clearCalls();
    const answers = await Promise.all([
      server.search(SEARCH),
      server.call('POST', '/v1/interactions', { body: {} }),
      server.call('GET', '/v1/sessions'),
    ]);
    for (const { status, json, headers } of answers) {
      expect([status, json]).toEqual([503, { detail: expect.any(String) }]);
      expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    }
    expect(server.sandbox.calls).toEqual([]);
    const ready = await server.call('GET', '/readyz');
    expect([ready.status, ready.json.status]).toEqual([503, 'unavailable']);
    expect((await server.call('GET', '/healthz')).json).toEqual({ status: 'ok' });
  }

  it.each([1, 2])(
    'gives 503s that send nothing while it is cut off, and is used again when it is back (round %i)',
    async () => {
      expect((await server.search(SEARCH)).status).toBe(200);
      server.sandbox.clearCalls();
      const query = 'slow [[*:latency=200]]';
      const underWay = server.search({ user_input: { query } });
      await vi.waitFor(() => expect(server.sandbox.calls).toHaveLength(2), 20_000);
      await line.cut();
      const lost = await underWay;
      expect(lost.status).toBe(503);
      expect(lost.json.detail).toMatch(
        /providers were asked.+not be recorded.+not be written to the ledger/,
      );
      await expectUnavailable();
      await expectUnavailable();

      await line.repair();
      const answer = await server.search(SEARCH);
      expect(answer.status).toBe(200);
      const path = `/v1/interactions?session_id=${answer.json.session_id}&interaction_id=${answer.json.interaction_id}`;
      expect((await server.call('GET', path)).status).toBe(200);
      expect((await server.call('GET', '/readyz')).status).toBe(200);
    },
  );
}
