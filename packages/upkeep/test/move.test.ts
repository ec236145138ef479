import { migrate, openDatabase, type Tables } from '@trawl/database';
import {
  databases,
  describeOnDatabases,
  type FreshDatabase,
  type TestDatabase,
} from '@trawl/test-support/databases';
import { startTestServer } from '@trawl/test-support/harness';
import { interactionRecord, newProject } from '@trawl/test-support/records';
import { type Kysely, sql } from 'kysely';
import { describe, expect, it, type TestContext } from 'vitest';
import { checkWholeDatabase } from '../src/check/check-database.ts';
import { moveDatabase } from '../src/move/move-database.ts';
import { exportedLines, recordedLines } from './exports.ts';

const TIME = '2026-03-02T01:02:03.004Z';
/** The largest amount that is exact, and more than 32 bits. */
const MUCH = Number.MAX_SAFE_INTEGER;
const TEXT = 'Grüße, 世界 \u{1f980} "\\" \u0001\u2028';

// each moves databases of its own; some wait for a lock
describe.concurrent('the command', () => {
  describeOnDatabases('moving a whole database', movesAll, 'PostgreSQL');
});

function movesAll(postgres: TestDatabase): void {
  async function emptyTarget({ onTestFinished }: TestContext) {
    const target = await postgres.create();
    onTestFinished(() => target.drop());
    return { ...target, to: target.location.databaseUrl ?? '' };
  }
  /** An embedded database with twenty interactions, which no server uses. */
  async function smallSource({ onTestFinished }: TestContext) {
    const [sqlite] = databases;
    const opened = await sqlite?.open();
    if (!opened) throw new Error('no SQLite');
    onTestFinished(() => opened.cleanup());
    const projectId = await newProject(opened.store);
    for (let recorded = 0; recorded < 20; recorded += 1) {
      await opened.store.recorder.record(interactionRecord({ projectId }));
    }
    return opened;
  }

  it('brings everything, exactly: records, money, keys, people', {
    timeout: 120_000,
  }, async (context) => {
    const before = await startTestServer();
    context.onTestFinished(() => before.stop());
    await recordedLines(before);
    await withRows(before.database.location, (db) => addPeople(db, before.projectId));
    const lines = await exportedLines(before, 'main');
    const target = await emptyTarget(context);
    const { dataDir } = before.database.location;
    // while a server runs
    await expect(moveDatabase({ dataDir, to: target.to })).rejects.toThrow(
      /another server uses the embedded database in .*stop that server/,
    );
    await before.server.stop();

    const copied: string[] = [];
    const onCopied = (table: string) => void copied.push(table);
    const reports = await moveDatabase({ dataDir, to: target.to, onCopied });
    expect(reports.filter(({ isEqual }) => !isEqual)).toEqual([]);
    const tables = reports.map(({ table }) => table);
    expect(tables).toEqual(copied);
    const rows = new Map(reports.map(({ table, target: { rows: count } }) => [table, count]));
    for (const [table, least] of Object.entries(LEAST_ROWS)) {
      expect([table, rows.get(table)]).toEqual([table, expect.any(Number)]);
      expect(rows.get(table), table).toBeGreaterThanOrEqual(least);
    }
    expect((await checkWholeDatabase(target.location)).findings).toEqual([]);
    await withRows(target.location, async (db) => {
      expect(await peopleOf(db)).toEqual({
        email: 'ada@example.com',
        name: TEXT,
        verified: true,
        createdAt: new Date(TIME),
        budget: MUCH,
      });
    });

    expect(await exportedLines({ ...before, database: target }, 'main')).toEqual(lines);

    // a server on it knows the keys, reads what was recorded, and records more
    const after = await startTestServer({
      database: { ...postgres, create: async () => target },
    });
    context.onTestFinished(() => after.server.stop());
    const searched = await after.search(
      { user_input: { query: 'tides' }, search: { providers: { include: ['exa'] } } },
      { key: before.key },
    );
    expect([searched.status, searched.json.status]).toEqual([200, 'succeeded']);
    expect(await sequences(target)).toBe('all different, the new one last');
    expect((await checkWholeDatabase(target.location)).findings).toEqual([]);
  });

  it('refuses a target with rows, or with tables of others, and writes nothing', async (context) => {
    const { location } = await smallSource(context);
    const { dataDir } = location;
    const target = await emptyTarget(context);
    await moveDatabase({ dataDir, to: target.to });
    await expect(moveDatabase({ dataDir, to: target.to })).rejects.toThrow(
      'the target is not empty: its table projects has rows. Name an empty database, or drop what is in it',
    );
    const foreign = await emptyTarget(context);
    await withRows(foreign.location, (db) => sql`create table books (id int)`.execute(db));
    await expect(moveDatabase({ dataDir, to: foreign.to })).rejects.toThrow(
      'the target is not empty: it has books, which is not of trawl',
    );
    await withRows(foreign.location, async (db) => {
      const found = await sql<{ tablename: string }>`
        select tablename from pg_tables where schemaname = current_schema()`.execute(db);
      expect(found.rows).toEqual([{ tablename: 'books' }]);
    });
  });

  it('does not wait for tables that another program uses', async (context) => {
    const { location } = await smallSource(context);
    const { dataDir } = location;
    const target = await emptyTarget(context);
    const opened = openDatabase(target.location, { connections: 1 });
    context.onTestFinished(() => opened.db.destroy());
    await migrate(opened);
    await opened.db.transaction().execute(async (db) => {
      await db.selectFrom('projects').selectAll().execute();
      await expect(moveDatabase({ dataDir, to: target.to })).rejects.toThrow(
        'another program uses the tables of the target: end it; nothing was written',
      );
    });
  });

  it('lets no command write to the source meanwhile', async (context) => {
    const { location } = await smallSource(context);
    const { dataDir } = location;
    const target = await emptyTarget(context);
    const { db, embedded } = openDatabase(location, { connections: 1 });
    context.onTestFinished(() => db.destroy());
    const other = await embedded?.();
    if (!other) throw new Error('no SQLite');
    // a write that is refused waits a while, for each table
    other.prepare('pragma busy_timeout = 0').all([]);
    const revoke = other.prepare("update projects set name = 'of another command'");
    const refusals: unknown[] = [];
    const onCopied = () => {
      expect(() => revoke.run([])).toThrow(/locked/);
      refusals.push('locked');
    };
    await moveDatabase({ dataDir, to: target.to, onCopied });
    expect(refusals).not.toEqual([]);
    revoke.run([]);
  });

  it('leaves no rows after an error, names the column, and can be repeated', async (context) => {
    const { location } = await smallSource(context);
    const { dataDir } = location;
    await withRows(location, (db) =>
      db
        .insertInto('console_users')
        .values({ ...PERSON, created_at: 'yesterday' })
        .execute(),
    );
    const target = await emptyTarget(context);
    await expect(moveDatabase({ dataDir, to: target.to })).rejects.toThrow(
      'the table console_users could not be copied (console_users.created_at: a value is not a moment); the target has no rows, only empty tables',
    );
    await withRows(location, (db) =>
      db.updateTable('console_users').set({ created_at: TIME }).execute(),
    );
    const reports = await moveDatabase({ dataDir, to: target.to });
    expect(reports.every(({ isEqual }) => isEqual)).toBe(true);
  });

  it('finds sums that differ from the ledger, and leaves no rows then', async (context) => {
    const { location } = await smallSource(context);
    await withRows(location, (db) => db.updateTable('usage_days').set({ calls: 7 }).execute());
    const target = await emptyTarget(context);
    const moving = moveDatabase({ dataDir: location.dataDir, to: target.to });
    await expect(moving).rejects.toThrow(
      /^these tables differ after the copy: usage_days\. .*see "Wrong usage"/,
    );
    await expect(moving).rejects.toMatchObject({
      reports: expect.arrayContaining([
        expect.objectContaining({ table: 'usage_days', isEqual: false }),
        expect.objectContaining({ table: 'ledger', isEqual: true }),
      ]),
    });
    await withRows(target.location, async (db) => {
      expect(await db.selectFrom('ledger').selectAll().execute()).toEqual([]);
    });
  });
}

/** Tables in which the first test has rows. */
const LEAST_ROWS = {
  projects: 1,
  api_keys: 1,
  settings: 1,
  sessions: 2,
  interactions: 4,
  runs: 5,
  repeats: 1,
  feedback: 1,
  ledger: 5,
  usage_days: 3,
  console_users: 1,
  console_sessions: 1,
  console_accounts: 1,
  console_verifications: 1,
  password_links: 1,
  login_tokens: 1,
  login_clients: 1,
  project_members: 1,
  invitations: 1,
  audit_log: 1,
  alerts: 1,
};

const TIMES = { created_at: TIME, updated_at: TIME };
const PERSON = {
  id: 'ada',
  name: TEXT,
  email: 'ada@example.com',
  email_verified: 1,
  image: null,
  is_operator: 1,
  ...TIMES,
};

async function withRows(
  location: FreshDatabase['location'],
  use: (db: Kysely<Tables>) => Promise<unknown>,
): Promise<void> {
  const { db } = openDatabase(location, { connections: 1 });
  try {
    await use(db);
  } finally {
    await db.destroy();
  }
}

/** A row in each table that a server without people leaves empty. */
async function addPeople(db: Kysely<Tables>, projectId: string): Promise<void> {
  const user = { user_id: PERSON.id };
  await db.insertInto('console_users').values(PERSON).execute();
  await db
    .insertInto('console_sessions')
    .values({
      id: 's',
      token: 't',
      ...user,
      ...TIMES,
      expires_at: TIME,
      ip_address: null,
      user_agent: TEXT,
    })
    .execute();
  await db
    .insertInto('console_accounts')
    .values({
      id: 'a',
      account_id: 'ada',
      provider_id: 'credential',
      password: 'digest',
      ...user,
      ...TIMES,
    })
    .execute();
  await db
    .insertInto('console_verifications')
    .values({ id: 'v', identifier: 'i', value: '{"a": 1.0e3}', expires_at: TIME, ...TIMES })
    .execute();
  await db
    .insertInto('password_links')
    .values({ token_digest: 'd', person_id: PERSON.id, made_by: PERSON.id, expires_at: TIME })
    .execute();
  const { id: keyId } = await db.selectFrom('api_keys').select('id').executeTakeFirstOrThrow();
  await db
    .insertInto('login_tokens')
    .values({ digest: 'd', key_id: keyId, kind: 'refresh', expires_at: TIME })
    .execute();
  await db
    .insertInto('login_clients')
    .values({ id: 'c', name: TEXT, redirect_uris: '["https://a.example/b"]', created_at: TIME })
    .execute();
  await db
    .insertInto('project_members')
    .values({ project_id: projectId, ...user, role: 'owner', created_at: TIME })
    .execute();
  await sql`insert into invitations (id, email, role, token_digest, created_at, expires_at)
    values ('i', 'b@example.com', 'operator', 'd', ${TIME}, ${TIME})`.execute(db);
  await sql`insert into audit_log (id, created_at, actor_kind, action, outcome, detail)
    values ('x', ${TIME}, 'cli', 'key.create', 'ok', '{"b":1,"a":[1.50]}')`.execute(db);
  await sql`insert into alerts (id, type, subject, created_at, message, state, tries)
    values ('y', 'test', 'test', ${TIME}, ${TEXT}, 'delivered', 1)`.execute(db);
  await db.updateTable('projects').set({ monthly_budget_micros: MUCH }).execute();
}

async function peopleOf(db: Kysely<Tables>) {
  const { name, email, email_verified, created_at } = await db
    .selectFrom('console_users')
    .selectAll()
    .executeTakeFirstOrThrow();
  const project = await db
    .selectFrom('projects')
    .select('monthly_budget_micros')
    .executeTakeFirstOrThrow();
  const { monthly_budget_micros: budget } = project;
  return { name, email, verified: email_verified, createdAt: created_at, budget };
}

/** How the numbers of interactions go on. */
async function sequences({ location }: FreshDatabase): Promise<string> {
  let found = '';
  await withRows(location, async (db) => {
    const rows = await db
      .selectFrom('interactions')
      .select(['sequence', 'created_at'])
      .orderBy('created_at')
      .orderBy('sequence')
      .execute();
    const numbers = rows.map(({ sequence }) => sequence);
    const isLast = numbers.at(-1) === Math.max(...numbers);
    const areDifferent = new Set(numbers).size === numbers.length;
    found = areDifferent && isLast ? 'all different, the new one last' : numbers.join(' ');
  });
  return found;
}
