import { randomUUID } from 'node:crypto';
import type { Tables } from '@trawl/database';
import { openDatabase } from '@trawl/database';
import { describeOnDatabases, type TestDatabase } from '@trawl/test-support/databases';
import { byForm } from '@trawl/test-support/form';
import { type Answer, startTestServer, type TestServer } from '@trawl/test-support/harness';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

const SEARCH = { user_input: [{ query: 'tidal power' }, { query: 'heat pumps' }] };
const CALLS = 4;

const READS = [
  ['GET', 'sessions', ''],
  ['GET', 'sessions', '/history'],
  ['GET', 'sessions', '/trajectory'],
  ['GET', 'interactions', '/history'],
  ['GET', 'runs', '/trajectory'],
  ['DELETE', 'sessions', ''],
] as const;

/** All cases on the one database, and on the other those that show that its errors are known. */
const onBoth = <Case>(
  { name }: TestDatabase,
  all: readonly Case[],
  some: readonly Case[],
): readonly Case[] => (name === 'SQLite' ? all : byForm({ small: some, full: all }));

/** A refusal of the store: it says so, and when to try again. */
function unavailable({ status, json, headers }: Answer): string {
  expect(status).toBe(503);
  expect(json).toEqual({ detail: expect.any(String) });
  expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  return json.detail;
}

describeOnDatabases('a store that cannot be written', (database) => {
  let server: TestServer;
  let db: Kysely<Tables>;
  beforeAll(async () => {
    server = await startTestServer({ database });
    db = openDatabase(server.database.location, { connections: 1 }).db;
  });
  afterAll(async () => {
    await db.destroy();
    await server.stop();
  });

  const callsDuring = async (work: () => Promise<unknown>): Promise<number> => {
    server.sandbox.clearCalls();
    await work();
    return server.sandbox.calls.length;
  };
  /** In a transaction, which waits for the trial writes of the server. */
  const rename = (from: string, to: string) =>
    db
      .transaction()
      .execute((transaction) => transaction.schema.alterTable(from).renameTo(to).execute());
  const readBack = ({ json }: Answer) =>
    server.call(
      'GET',
      `/v1/interactions?session_id=${json.session_id}&interaction_id=${json.interaction_id}`,
    );
  const ledgerOf = (sessionId: string) =>
    db.selectFrom('ledger').select('run_id').where('session_id', '=', sessionId).execute();

  const everyTable = ['interactions', 'runs', 'ledger', 'sessions'] as const;
  it.each(onBoth(database, everyTable, ['runs', 'ledger']))(
    'is reported: without the table %s one 503 after the providers were asked, then 503 before that',
    async (table) => {
      const before = await server.search(SEARCH);
      expect(before.status).toBe(200);
      const session_id = table === 'sessions' ? undefined : randomUUID();

      await rename(table, 'elsewhere');
      try {
        const asked = await callsDuring(async () => {
          const detail = unavailable(await server.search({ ...SEARCH, session_id }));
          expect(detail).toMatch(/store cannot be written.+providers were asked.+not be recorded/);
          expect(detail).toMatch(
            table === 'ledger' ? /not be written to the ledger/ : /are in the ledger/,
          );
        });
        expect(asked).toBe(CALLS);

        const later = await callsDuring(async () => {
          const answers = await Promise.all([
            ...Array.from({ length: 5 }, () => server.search(SEARCH)),
            server.call('POST', '/v1/interactions', { body: {} }),
          ]);
          for (const answer of answers)
            expect(unavailable(answer)).toMatch(/nothing was sent or billed/);
        });
        expect(later).toBe(0);

        const ready = await server.call('GET', '/readyz');
        expect([ready.status, ready.json.status]).toEqual([503, 'unavailable']);
        expect((await server.call('GET', '/healthz')).status).toBe(200);
        expect((await server.call('GET', '/v1/preprocessors')).status).toBe(200);
      } finally {
        await rename('elsewhere', table);
      }

      const after = await server.search(SEARCH);
      expect(after.status).toBe(200);
      expect((await readBack(after)).text.startsWith(after.text.slice(0, -1))).toBe(true);
      expect((await readBack(before)).status).toBe(200);
      expect((await server.call('GET', '/readyz')).status).toBe(200);
      if (session_id === undefined) return;
      // only the cost of the lost request is known; it was booked before the next request was paid
      expect(await ledgerOf(session_id)).toHaveLength(CALLS);
      const lost = await server.call('GET', `/v1/sessions/${session_id}/history`);
      expect(lost.status).toBe(404);
    },
  );

  it('is noticed by /readyz before any request has failed', async () => {
    expect((await server.call('GET', '/readyz')).json).toEqual({ status: 'ok' });
    await rename('interactions', 'elsewhere');
    const { status, json } = await server.call('GET', '/readyz');
    await rename('elsewhere', 'interactions');
    expect([status, json]).toEqual([503, { status: 'unavailable', detail: expect.any(String) }]);
    expect((await server.call('GET', '/readyz')).status).toBe(200);
  });

  it('does not fail requests that were in progress when it came back', async () => {
    await rename('runs', 'elsewhere');
    unavailable(await server.search(SEARCH));
    await rename('elsewhere', 'runs');
    const answers = await Promise.all(Array.from({ length: 20 }, () => server.search(SEARCH)));
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect((await readBack(answer)).status).toBe(200);
    }
  });

  it.each(onBoth(database, READS, READS.slice(-2)))(
    'is a 503 for a %s that needs the table %s (%s), for a short time',
    async (method, table, below) => {
      const posted = await server.search(SEARCH);
      const session = `/v1/sessions/${posted.json.session_id}`;
      const path = method === 'GET' && below === '' ? '/v1/sessions' : `${session}${below}`;
      await rename(table, 'elsewhere');
      const refused = await server.call(method, path);
      await rename('elsewhere', table);
      expect(unavailable(refused)).toMatch(/^The store cannot be (read|written)/);
      expect((await server.call(method, path)).status).toBe(method === 'DELETE' ? 204 : 200);
    },
  );

  it('loses no request while another program locks the database briefly', async () => {
    const other = await db.startTransaction().execute();
    await sql`insert into settings (name, value) values ('held', '')`.execute(other);
    server.sandbox.clearCalls();
    const searching = server.search(SEARCH);
    await vi.waitFor(() => expect(server.sandbox.calls).toHaveLength(CALLS), 20_000);
    await other.rollback().execute();
    const answer = await searching;
    expect(answer.status).toBe(200);
    expect((await readBack(answer)).status).toBe(200);
  });
});
