import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Tables } from '@trawl/database';
import { openDatabase } from '@trawl/database';
import { damagePages } from '@trawl/test-support/damage';
import { describeOnDatabases, type FreshDatabase } from '@trawl/test-support/databases';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { checkStore } from '@trawl/upkeep';
import { type Kysely, sql } from 'kysely';
import { expect, it, vi } from 'vitest';

const SEARCH = { user_input: { query: 'tidal power' } };
const CALLS = 2;
/** A delay of the providers that is long enough to stop the database. */
const SLOW = { user_input: { query: 'tidal power [[*:latency=1000]]' } };
const BATCH = {
  user_input: Array.from({ length: 8 }, (_, index) => ({ query: `tidal power ${index}` })),
  search: { tier: 'max', include_raw: true },
};
const RECOVERY = { timeout: 30_000, interval: 100 };

const becomesReady = (server: TestServer) =>
  vi.waitFor(async () => expect((await server.call('GET', '/readyz')).status).toBe(200), RECOVERY);

async function paidCalls(db: Kysely<Tables>): Promise<number> {
  const rows = await db.selectFrom('ledger').select('calls').execute();
  return rows.reduce((sum, { calls }) => sum + calls, 0);
}

const outageLines = (server: TestServer, message: RegExp) =>
  server
    .logged()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => message.test(String(msg)));

describeOnDatabases(
  'damaged pages in the middle of the file',
  () => {
    it('are found at the start: nothing is paid, /readyz and doctor say why', async () => {
      const dataDir = await mkdtemp(join(tmpdir(), 'trawl-damaged-'));
      const env = { DATA_DIR: dataDir };
      const before = await startTestServer({ env });
      const searches = Array.from({ length: 8 }, () => before.search(BATCH));
      for (const { status } of await Promise.all(searches)) expect(status).toBe(200);
      await before.stop();
      damagePages(join(dataDir, 'trawl.db'));

      const server = await startTestServer({ env });
      const ready = await server.call('GET', '/readyz');
      expect([ready.status, ready.json.detail]).toEqual([
        503,
        expect.stringContaining('its file is damaged'),
      ]);
      const answers = await Promise.all(Array.from({ length: 20 }, () => server.search(SEARCH)));
      for (const { status, text: said } of answers) {
        expect([status, said]).toEqual([503, expect.stringContaining('nothing was sent')]);
      }
      expect(server.sandbox.calls).toHaveLength(0);
      expect(await checkStore({ databaseUrl: undefined, dataDir })).toMatchObject({
        kind: 'damaged',
      });
      await server.stop();
      await rm(dataDir, { recursive: true });
    });
  },
  'SQLite',
);

describeOnDatabases(
  'a locked table',
  (database) => {
    it('is a 503 by the deadline of the request; its calls are logged and booked once', async () => {
      const server = await startTestServer({ database, env: { REQUEST_DEADLINE_MS: '2000' } });
      const { db } = openDatabase(server.database.location, { connections: 2 });
      expect((await server.search(SEARCH)).status).toBe(200);

      const holder = await db.startTransaction().execute();
      await sql`lock table ledger in access exclusive mode`.execute(holder);
      const refused = await server.search(SEARCH);
      expect([refused.status, refused.json.detail]).toEqual([
        503,
        expect.stringMatching(/did not record the answer in time.+Idempotency-Key/),
      ]);
      expect(outageLines(server, /^a paid call is not in the ledger yet/)).toEqual(
        Array.from({ length: CALLS }, () =>
          expect.objectContaining({
            interaction_id: expect.any(String),
            project_id: server.projectId,
            provider: expect.stringMatching(/^(exa|brave)$/),
            calls: 1,
            cost_micros: expect.any(Number),
          }),
        ),
      );
      server.sandbox.clearCalls();
      expect((await server.search(SEARCH)).status).toBe(503);
      expect(server.sandbox.calls).toHaveLength(0);

      await holder.rollback().execute();
      await becomesReady(server);
      expect(await paidCalls(db)).toBe(CALLS * 2);
      expect((await server.search(SEARCH)).status).toBe(200);
      await db.destroy();
      await server.stop();
    });
  },
  'PostgreSQL',
);

describeOnDatabases(
  'a database that hangs',
  (database) => {
    it('is not waited for: requests get a 503, /readyz answers, and all is booked when it works again', async () => {
      const fresh = await database.create();
      const line = await openLine(fresh);
      const server = await startTestServer({ database, env: { DATABASE_URL: line.url } });
      const { db } = openDatabase(fresh.location, { connections: 1 });
      expect((await server.search(SEARCH)).status).toBe(200);

      server.sandbox.clearCalls();
      const inProgress = server.search(SLOW);
      await vi.waitFor(() => expect(server.sandbox.calls).toHaveLength(CALLS), RECOVERY);
      line.freeze();
      const ready = await server.call('GET', '/readyz');
      expect([ready.status, ready.json.status]).toEqual([503, 'unavailable']);
      expect((await inProgress).status).toBe(503);
      const later = await Promise.all([
        server.search(SEARCH),
        server.call('GET', '/v1/sessions'),
        server.call('GET', '/readyz'),
      ]);
      expect(later.map(({ status }) => status)).toEqual([503, 503, 503]);
      expect(server.sandbox.calls).toHaveLength(CALLS);

      line.thaw();
      await becomesReady(server);
      expect((await server.search(SEARCH)).status).toBe(200);
      expect(await paidCalls(db)).toBe(CALLS * 3);
      await db.destroy();
      await server.stop();
      line.close();
      await fresh.drop();
    });

    it('does not keep a server from stopping, and costs outside the ledger are logged', async () => {
      const fresh = await database.create();
      const line = await openLine(fresh);
      const server = await startTestServer({ database, env: { DATABASE_URL: line.url } });
      const inProgress = server.search(SLOW);
      await vi.waitFor(() => expect(server.sandbox.calls).toHaveLength(CALLS), RECOVERY);
      line.freeze();
      expect((await inProgress).status).toBe(503);
      await server.stop();
      expect(outageLines(server, /^final: a paid call is not in the ledger/)).toHaveLength(CALLS);
      line.close();
      await fresh.drop();
    });
  },
  'PostgreSQL',
);

/**
 * A connection to the database that delivers nothing while it is frozen, and everything afterwards.
 */
async function openLine(database: FreshDatabase) {
  const url = new URL(database.location.databaseUrl ?? '');
  const target = { host: url.hostname, port: Number(url.port || 5432) };
  const sockets = new Set<net.Socket>();
  let isFrozen = false;
  const relay = net.createServer((socket) => {
    const far = net.connect(target);
    for (const [one, other] of [
      [socket, far],
      [far, socket],
    ] as const) {
      sockets.add(one);
      one.on('data', (chunk) => other.write(chunk));
      one.on('error', () => {});
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      if (isFrozen) one.pause();
    }
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  url.host = `127.0.0.1:${(relay.address() as AddressInfo).port}`;
  return {
    url: url.href,
    freeze: () => {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw: () => {
      isFrozen = false;
      for (const socket of sockets) socket.resume();
    },
    close: () => {
      relay.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
