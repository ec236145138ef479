import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '@trawl/store';
import { describeOnDatabases, type FreshDatabase, onlyOn } from '@trawl/test-support/databases';
import { recorderWorkerUrl } from '@trawl/test-support/threads';
import {
  backUp,
  checkStore,
  checkWholeDatabase,
  exportProject,
  importProject,
} from '@trawl/upkeep';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { EarlierBuildError, migrate } from '../src/opening/migrate.ts';
import { openDatabase } from '../src/opening/open-database.ts';

const REFUSED =
  /made by a build from before the first release: .*"git checkout 20541163c003".*"npx trawl export --project NAME > NAME\.jsonl".*"npx trawl import < NAME\.jsonl"/;

/** What those builds left: their versions, and tables. */
const EARLIER = [
  `create table schema_migrations (
    name varchar(255) primary key, timestamp varchar(255) not null)`,
  `insert into schema_migrations values
    ('0001_initial', '2025-11-01T00:00:00.000Z'), ('0016_activity_index', '2025-11-01T00:00:00.000Z')`,
  'create table projects (id text primary key, name text not null)',
  "insert into projects values ('project-1', 'shop')",
  'create table settings (name text primary key, value text not null)',
];

describeOnDatabases('a database of a build from before the first release', (database) => {
  let fresh: FreshDatabase;
  let before: unknown;

  beforeEach(async () => {
    fresh = await database.create();
    const { db } = openDatabase(fresh.location, { connections: 1 });
    for (const statement of EARLIER) await sql.raw(statement).execute(db);
    await db.destroy();
    before = await contents();
  });
  afterEach(async () => {
    expect(await contents()).toEqual(before);
    await fresh.drop();
  });

  /** Its tables and their rows. */
  async function contents(): Promise<unknown> {
    const { db, isEmbedded } = openDatabase(fresh.location, { connections: 1 });
    const listed = isEmbedded
      ? sql<{ name: string }>`select name from sqlite_master order by name`
      : sql<{ name: string }>`select relname as name from pg_class
          where relnamespace = current_schema()::regnamespace order by relname`;
    const names = (await listed.execute(db)).rows;
    const tables = ['projects', 'schema_migrations', 'settings'].map((name) =>
      sql`select * from ${sql.table(name)} order by 1`.execute(db),
    );
    const rows = (await Promise.all(tables)).map((found) => found.rows);
    await db.destroy();
    return { names, rows };
  }

  async function* noLines(): AsyncGenerator<Uint8Array> {}

  it.each([
    [
      'a server',
      () => openStore({ ...fresh.location, isServer: true, workerUrl: recorderWorkerUrl() }),
    ],
    [
      'a command next to a server',
      () => openStore({ ...fresh.location, workerUrl: recorderWorkerUrl() }),
    ],
    ['the check of all rows', () => checkWholeDatabase(fresh.location)],
    ['an export', () => exportProject(fresh.location, 'shop').next()],
    ['an import', () => importProject(fresh.location, 'shop', noLines())],
  ])('is refused by %s, with what to do', async (_who, open) => {
    await expect(open()).rejects.toThrow(REFUSED);
  });

  onlyOn(database, 'SQLite')('is refused by a backup, which leaves no file behind', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'trawl-backup-'));
    await expect(backUp(fresh.location, join(folder, 'copy.db'))).rejects.toThrow(REFUSED);
    expect(await readdir(folder)).toEqual([]);
    await rm(folder, { recursive: true });
  });

  it('is a problem for the doctor, which says what to do', async () => {
    expect(await checkStore(fresh.location)).toEqual({
      kind: 'earlier_build',
      cause: expect.stringMatching(REFUSED),
    });
  });
});

describeOnDatabases('a database of a build from shortly before the first release', (database) => {
  it('is refused, with what to do', async () => {
    const fresh = await database.create();
    onTestFinished(() => fresh.drop());
    const opened = openDatabase(fresh.location, { connections: 1 });
    onTestFinished(() => opened.db.destroy());
    await migrate(opened);
    await sql`drop table watch_news`.execute(opened.db);
    await expect(migrate(opened)).rejects.toThrow(
      /made by a build from before the first release: .*"git checkout" with the commit of that build/,
    );
  });
});

it('the build that the message names is a commit of this history', ({ skip }) => {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8', stdio: 'pipe' });
  let isWhole = false;
  try {
    isWhole = git('rev-parse', '--is-shallow-repository').trim() === 'false';
  } catch {
    // no git, or an archive of the sources
  }
  skip(!isWhole, 'optional: needs a clone with its history');
  const [, commit = ''] =
    /git checkout ([0-9a-f]{12})"/.exec(new EarlierBuildError().message) ?? [];
  expect(git('merge-base', '--is-ancestor', commit, 'HEAD')).toBe('');
});
