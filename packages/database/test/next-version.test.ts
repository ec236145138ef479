import { describeOnDatabases } from '@trawl/test-support/databases';
import { type Answer, startTestServer, type TestServer } from '@trawl/test-support/harness';
import { type Migration, sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrations } from '../src/migrations/migrations.ts';
import { migrate, schemaState } from '../src/opening/migrate.ts';
import { type OpenDatabase, openDatabase } from '../src/opening/open-database.ts';

describeOnDatabases('the next version of the tables, next to a server of this one', (database) => {
  let server: TestServer;
  let opened: OpenDatabase;
  beforeAll(async () => {
    server = await startTestServer({ database });
    opened = openDatabase(server.database.location, { connections: 1 });
  });
  afterAll(async () => {
    await opened.db.destroy();
    await server.stop();
  });

  const search = (query: string) =>
    server.search({ user_input: { query }, search: { providers: { include: ['exa'] } } });

  it('is applied while the server goes on writing and reading', async () => {
    const answers = [await search('before')];
    const during: Promise<Answer>[] = [];
    /**
     * Expands what a search writes, and is not committed before a search is about to be recorded.
     */
    const second: Migration = {
      up: async (db) => {
        await sql`alter table ledger add column sample text`.execute(db);
        await sql`alter table interactions add column sample integer`.execute(db);
        await sql`create table samples (id ${opened.columnTypes.text} primary key)`.execute(db);
        await sql`create index ledger_by_sample on ledger (sample)`.execute(db);
        const { length } = server.sandbox.calls;
        during.push(...['one', 'two', 'three'].map(search));
        await expect.poll(() => server.sandbox.calls.length).toBeGreaterThan(length);
      },
    };
    const both = { ...migrations(opened.columnTypes), '0002_sample': second };
    expect(await schemaState(opened, both)).toBe('older');
    await migrate(opened, both);
    expect([await schemaState(opened, both), await schemaState(opened)]).toEqual([
      'current',
      'newer',
    ]);
    answers.push(...(await Promise.all(during)), await search('after'));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    for (const { json } of answers) {
      const history = await server.call('GET', `/v1/sessions/${json.session_id}/history?type=full`);
      expect(history.json.interactions.map(({ id }: { id: string }) => id)).toEqual([
        json.interaction_id,
      ]);
    }
    const usage = await server.call('GET', '/v1/usage?group_by=provider');
    expect(usage.json.rows).toMatchObject([{ provider: 'exa', calls: answers.length }]);
    const { rows } = await sql`select calls, sample from ledger`.execute(opened.db);
    expect(rows).toEqual(answers.map(() => ({ calls: 1, sample: null })));
  });
});
