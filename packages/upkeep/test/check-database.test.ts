import { openDatabase } from '@trawl/database';
import { describeOnDatabases, onlyOn, type TestStore } from '@trawl/test-support/databases';
import { interactionRecord, newProject } from '@trawl/test-support/records';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkWholeDatabase } from '../src/check/check-database.ts';

describeOnDatabases('checking a whole database', (database) => {
  let opened: TestStore;
  let interactionId: string;

  beforeEach(async () => {
    opened = await database.open();
    const projectId = await newProject(opened.store);
    for (let recorded = 0; recorded < 20; recorded += 1) {
      const record = interactionRecord({ projectId });
      interactionId = record.id;
      await opened.store.recorder.record(record);
    }
  });
  afterEach(() => opened.cleanup());

  async function change(...statements: string[]): Promise<void> {
    const { db } = openDatabase(opened.location, { connections: 1 });
    for (const statement of statements) await sql.raw(statement).execute(db);
    await db.destroy();
  }
  const findings = async () =>
    (await checkWholeDatabase(opened.location)).findings.map(
      ({ check, message }) => `${check}: ${message}`,
    );

  it('finds nothing in a database that is in order, and says what it read', async () => {
    expect(await checkWholeDatabase(opened.location)).toEqual({
      ...{ schema: 'current', findings: [], interactions: 20, runs: 20, usageDays: 1 },
    });
  });

  it('names the days whose usage differs from the ledger', async () => {
    await change("update usage_days set calls = calls + 1 where users = 'all'");
    expect(await findings()).toEqual([
      expect.stringMatching(/^usage: usage differs from the ledger on 2026-01-01: /),
    ]);
  });

  it('names the interactions whose runs cannot be read', async () => {
    await change(
      `update runs set body = substr(body, 1, 5) where interaction_id = '${interactionId}'`,
    );
    expect(await findings()).toEqual([
      expect.stringContaining(`runs: 1 runs cannot be read: interactions ${interactionId}`),
    ]);
  });

  it('finds sessions that count wrong', async () => {
    await change('update sessions set interaction_count = 7');
    expect(await findings()).toEqual([
      expect.stringMatching(/^rows: 20 sessions count other interactions than they have/),
    ]);
  });

  onlyOn(database, 'SQLite')('finds rows that lost what they belong to', async () => {
    await change('pragma foreign_keys = off', 'delete from interactions');
    expect((await findings()).map((line) => line.split(':').slice(0, 2).join(':'))).toEqual([
      'rows: 20 runs have no interaction',
      'rows: 20 sessions count other interactions than they have',
    ]);
  });

  it('says that the tables are of a newer version, and reads nothing else', async () => {
    await change("insert into schema_migrations (name, timestamp) values ('9999_later', 'now')");
    expect(await checkWholeDatabase(opened.location)).toMatchObject({
      schema: 'newer',
      findings: [{ check: 'schema', message: expect.stringContaining('update trawl') }],
      interactions: 0,
    });
  });
});
