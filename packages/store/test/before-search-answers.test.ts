import { randomUUID } from 'node:crypto';
import { openDatabase } from '@trawl/database';
import { databases } from '@trawl/test-support/databases';
import { interactionRecord, ledgerRecord, runRecord } from '@trawl/test-support/records';
import { recorderWorkerUrl } from '@trawl/test-support/threads';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openStore } from '../src/opening/open-store.ts';

const DAY = '2026-03-02';
const ROWS = 2_000;

describe.each(databases)('the tables of the version before, on $name', (database) => {
  it('are brought up to date at once, and both versions write to them', async () => {
    const { location, drop } = await database.create();
    const open = () =>
      openStore({
        ...location,
        isServer: true,
        workerUrl: recorderWorkerUrl(),
        onWorkerError: () => {},
      });
    const opened = openDatabase(location, { connections: 1 });
    try {
      const first = await open();
      await first.close();
      const { db } = opened;
      // back to the version before
      await sql`drop table search_answers`.execute(db);
      await sql`drop table provider_answers`.execute(db);
      await sql`drop table provider_health`.execute(db);
      await sql`drop table login_tokens`.execute(db);
      await sql`drop table login_clients`.execute(db);
      await sql`drop index api_keys_by_login`.execute(db);
      for (const [table, columns] of [
        ['api_keys', ['login_client']],
        ['projects', ['web_rules', 'mcp_login', 'mcp_login_budget_micros']],
        ['ledger', ['cached_from', 'saved_micros']],
        ['usage_days', ['cached_calls', 'saved_micros']],
      ] as const) {
        for (const column of columns) {
          await sql`alter table ${sql.table(table)} drop column ${sql.ref(column)}`.execute(db);
        }
      }
      await sql`delete from schema_migrations where name >= '0003_search_answers'`.execute(db);
      const projectId = randomUUID();
      await sql`insert into projects (id, name, created_at)
        values (${projectId}, 'before', ${`${DAY}T00:00:00.000Z`})`.execute(db);
      /** As a server of the version before writes a call. */
      const bookAsBefore = (interactionId: string) => sql`
        insert into ledger (id, project_id, key_id, session_id, interaction_id, run_id, provider,
          created_at, calls, outcome, cost_micros)
        values (${randomUUID()}, ${projectId}, 'key-1', ${randomUUID()}, ${interactionId},
          ${randomUUID()}, 'exa', ${`${DAY}T10:00:00.000Z`}, 1, 'succeeded', 7000)`;
      if (database.name === 'SQLite') {
        for (let row = 0; row < ROWS; row += 1) await bookAsBefore(randomUUID()).execute(db);
      }

      const startedAt = performance.now();
      const store = await open();
      if (process.env.TEST_FIGURES) {
        console.log(`${database.name}: opened in ${Math.round(performance.now() - startedAt)} ms`);
      }
      const usageOf = () =>
        store.usage.usage(
          { kind: 'project', id: projectId },
          { from: `${DAY}T00:00:00.001Z`, to: `${DAY}T23:00:00.000Z`, groups: [], limit: 10 },
        );
      const [before] = await usageOf();
      expect(before?.cachedCalls ?? 0).toBe(0);
      await bookAsBefore(randomUUID()).execute(db);
      expect((await usageOf())[0]?.calls).toBe((before?.calls ?? 0) + 1);

      const base = interactionRecord({ projectId });
      const answer = {
        ...{ fingerprint: 'same', answeredAt: `${DAY}T11:00:00.000Z`, costMicros: 7_000 },
        ...{ ownWarnings: 1, hidden: null },
      };
      const run = { ...runRecord('{"id":"new"}'), answer };
      const served = { calls: 0, costMicros: 0, cachedFrom: base.id, savedMicros: 7_000 };
      const ledger = [ledgerRecord(base, { ...served, createdAt: `${DAY}T12:00:00.000Z` })];
      await store.recorder.record({ ...base, runs: [run], ledger } as never);
      const found = await store.answers.newestAnswers(projectId, ['same', 'other'], DAY);
      expect([...found]).toEqual([
        ['same', expect.objectContaining({ interactionId: base.id, text: '{"id":"new"}' })],
      ]);
      expect((await usageOf())[0]).toMatchObject({ cachedCalls: 1, savedMicros: 7_000 });
      expect(await store.recorder.deleteSession(projectId, base.sessionId)).toBe(true);
      expect(await store.answers.newestAnswers(projectId, ['same'], '')).toEqual(new Map());
      await store.close();
    } finally {
      await opened.db.destroy();
      await drop();
    }
  });
});
