import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openDatabase } from '@trawl/database';
import { openSqlite } from '@trawl/database/sqlite';
import { describeOnDatabases, type FreshDatabase } from '@trawl/test-support/databases';
import { byForm } from '@trawl/test-support/form';
import { recorderWorkerUrl } from '@trawl/test-support/threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../src/opening/open-store.ts';
import { runProgram } from './run-program.ts';

const run = promisify(execFile);

const PROGRAMS = byForm({ small: 2, full: 4 });
/** They start at once, which takes long on a busy machine. */
const PROGRAMS_MS = 120_000;

describeOnDatabases('opening', (database) => {
  let fresh: FreshDatabase;

  beforeAll(async () => {
    fresh = await database.create();
  });
  afterAll(() => fresh.drop());

  it(
    'works for several processes that open an empty database at once, and each ends on its own',
    async () => {
      const workerUrl = recorderWorkerUrl().href;
      const programs = await Promise.all(
        Array.from({ length: PROGRAMS }, () =>
          runProgram('open-and-write', {
            store: { ...fresh.location, workerUrl },
            projectId: randomUUID(),
          }),
        ),
      );
      const codes = await Promise.all(programs.map(({ ended }) => ended));
      expect(programs.map(({ errors }) => errors())).toStrictEqual(Array(PROGRAMS).fill(''));
      expect(codes).toStrictEqual(Array(PROGRAMS).fill(0));
      const first = new Set(programs.flatMap(({ lines }) => lines));
      expect(first.size).toBe(1);
    },
    PROGRAMS_MS,
  );

  it('works for several stores in one process that open an empty database at once', async () => {
    const empty = await database.create();
    const workerUrl = recorderWorkerUrl();
    const stores = await Promise.all(
      Array.from({ length: 4 }, () => openStore({ ...empty.location, workerUrl })),
    );
    const projects = await Promise.all(
      stores.map(({ keys }) =>
        keys.ensureProject({
          id: randomUUID(),
          name: 'one',
          createdAt: '2026-01-01T00:00:00.000Z',
        }),
      ),
    );
    expect(new Set(projects.map(({ id }) => id)).size).toBe(1);
    await Promise.all(stores.map((store) => store.close()));
    await empty.drop();
  });

  it('refuses a database that a newer version has written, and names both versions', async () => {
    const { db } = openDatabase(fresh.location, { connections: 1 });
    await db
      .withTables<{ schema_migrations: { name: string; timestamp: string } }>()
      .insertInto('schema_migrations')
      .values({ name: '0999_future', timestamp: '2026-01-01T00:00:00.000Z' })
      .execute();
    await db.destroy();
    const opening = openStore({ ...fresh.location, workerUrl: recorderWorkerUrl() });
    await expect(opening).rejects.toThrow(/version 0999_future.* up to \d{4}_\w+\./);
  });
});

describe('the place of a database', () => {
  let dataDir: string;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'trawl-test-'));
  });
  afterAll(() => rm(dataDir, { recursive: true }));

  async function open(location: { databaseUrl?: string; dataDir: string; isServer?: boolean }) {
    return openStore({
      databaseUrl: undefined,
      ...location,
      workerUrl: recorderWorkerUrl(),
    });
  }

  it('makes the data directory and the database readable only for its owner', async () => {
    const directory = join(dataDir, 'made', 'new');
    const store = await open({ dataDir: directory });
    await store.ping();
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    for (const file of ['trawl.db', 'trawl.db-wal', 'trawl.db-shm']) {
      expect((await stat(join(directory, file))).mode & 0o777).toBe(0o600);
    }
    await store.close();
  });

  it('opens the embedded database so that a commit survives a loss of power', () => {
    const connection = openSqlite(join(dataDir, 'made', 'new', 'trawl.db'));
    const pragma = (name: string) => connection.prepare(`pragma ${name}`).all([]);
    expect(pragma('journal_mode')).toEqual([{ journal_mode: 'wal' }]);
    expect(pragma('synchronous')).toEqual([{ synchronous: 2 }]);
    expect(pragma('foreign_keys')).toEqual([{ foreign_keys: 1 }]);
    connection.close();
  });

  it('keeps everything in one file once it is closed', async () => {
    const directory = join(dataDir, 'copied');
    const store = await open({ dataDir: directory });
    await store.setting('kept', 'value');
    await store.ping();
    await store.close();
    await mkdir(join(dataDir, 'copy'));
    await copyFile(join(directory, 'trawl.db'), join(dataDir, 'copy', 'trawl.db'));
    const copy = await open({ dataDir: join(dataDir, 'copy') });
    expect(await copy.setting('kept', 'lost')).toBe('value');
    await copy.close();
  });

  it('names the errors of every kind of call', async () => {
    const folder = join(dataDir, 'errors');
    await mkdir(folder);
    const path = join(folder, 'x.db');
    const [one, other] = [openSqlite(path), openSqlite(path)];
    one.prepare('create table things (name text unique)').run([]);
    other.prepare('select * from things').all([]);
    one.prepare('begin immediate').run([]);
    const insert = "insert into things values ('a')";
    const locked = expect.objectContaining({ code: 'SQLITE_BUSY' });
    expect(() => other.prepare(insert).run([])).toThrow(locked);
    expect(() => other.prepare(`${insert} returning name`).all([])).toThrow(locked);
    one.prepare('rollback').run([]);
    one.prepare(insert).run([]);
    const taken = expect.objectContaining({ code: 'SQLITE_CONSTRAINT' });
    expect(() => one.prepare(insert).run([])).toThrow(taken);
    expect(() => one.prepare(`${insert} returning name`).all([])).toThrow(taken);
    for (const connection of [one, other]) connection.close();
    const damaged = join(folder, 'damaged.db');
    await writeFile(damaged, 'no database '.repeat(500));
    const refused = expect.objectContaining({ code: 'SQLITE_NOTADB' });
    expect(() => openSqlite(damaged)).toThrow(refused);
  });

  it('refuses values that the driver would store as something else', () => {
    const connection = openSqlite(join(dataDir, 'made', 'new', 'trawl.db'));
    const statement = connection.prepare('select ?');
    expect(() => statement.all([true])).toThrow(/boolean/);
    expect(() => statement.all([{ name: 'value' }])).toThrow(/object/);
    expect(() => statement.all([undefined])).toThrow(/undefined/);
    expect(() => statement.all(['a\u0000b'])).toThrow(/string/);
    connection.close();
  });

  it('rejects when the data directory cannot be created', async () => {
    await writeFile(join(dataDir, 'file'), '');
    await expect(open({ dataDir: join(dataDir, 'file', 'below') })).rejects.toThrow(/ENOTDIR/);
  });

  it('names the read-only disk and the fix, with and without a database on it', async ({
    skip,
    onTestFinished,
  }) => {
    const used = join(dataDir, 'used');
    const store = await open({ dataDir: used });
    await store.ping();
    await store.close();
    const disk = await mkdtemp(join(tmpdir(), 'trawl-read-only-'));
    onTestFinished(() => rm(disk, { recursive: true, force: true }));
    const isMounted = await run('mount', ['--bind', used, disk]).then(
      () => true,
      () => false,
    );
    skip(!isMounted, 'needs the right to mount a folder');
    onTestFinished(async () => {
      await run('umount', ['-l', disk]);
    });
    await run('mount', ['-o', 'remount,ro,bind', disk]);
    const refusal = /DATA_DIR: .*read-only file system.*Mount it for writing, or set DATA_DIR/;
    await expect(open({ dataDir: disk, isServer: true })).rejects.toThrow(refusal);
    await expect(open({ dataDir: join(disk, 'new') })).rejects.toThrow(refusal);
  });

  it('rejects when the file is something else, and leaves it as it is', async () => {
    const directory = join(dataDir, 'made');
    const file = join(directory, 'trawl.db');
    await writeFile(file, 'not a database '.repeat(1_000));
    await expect(open({ dataDir: directory })).rejects.toThrow(/not a database/);
    expect((await stat(file)).size).toBe(15_000);
  });

  it('rejects when PostgreSQL is not running', async () => {
    const opening = open({ databaseUrl: 'postgres://127.0.0.1:1/none', dataDir });
    await expect(opening).rejects.toThrow(/ECONNREFUSED/);
  });
});
