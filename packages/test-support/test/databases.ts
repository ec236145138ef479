import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseLocation } from '@trawl/database';
import type { Store } from '@trawl/store';
import { openStore } from '@trawl/store';
import pg from 'pg';
import { describe, it } from 'vitest';
import { byForm } from './form.ts';
import { recorderWorkerUrl } from './threads.ts';

/** A kind of database that tests run on. */
export interface TestDatabase {
  readonly name: 'SQLite' | 'PostgreSQL';
  /** A fresh, empty database without a schema. */
  create(): Promise<FreshDatabase>;
  /** A store on a fresh database. */
  open(options?: OpenOptions): Promise<TestStore>;
}

export interface OpenOptions {
  /** Replaces the recorder's own thread. */
  readonly workerUrl?: URL;
}

export interface FreshDatabase {
  readonly location: DatabaseLocation;
  drop(): Promise<void>;
}

export interface TestStore {
  readonly location: DatabaseLocation;
  readonly workerUrl: URL;
  /** Reports of the store about its recorder's thread. */
  readonly workerErrors: readonly Error[];
  /** The store that was opened first, or last by `reopen`. */
  readonly store: Store;
  /** Closes `store` and opens the database again, as after a restart. */
  reopen(): Promise<Store>;
  /** One more store on the same database, like that of another process. */
  another(): Promise<Store>;
  /** Closes all its stores and drops the database. */
  cleanup(): Promise<void>;
}

const POSTGRES_URL = process.env.TEST_DATABASE_URL ?? 'postgres://root@127.0.0.1:5432/test';
const PROBE_TIMEOUT_MS = 3_000;

const sqlite: TestDatabase = testDatabase('SQLite', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'trawl-test-'));
  return {
    location: { databaseUrl: undefined, dataDir },
    drop: () => rm(dataDir, { recursive: true, force: true }),
  };
});

const postgres: TestDatabase = testDatabase('PostgreSQL', async () => {
  const schema = `trawl_test_${randomUUID().replaceAll('-', '')}`;
  const url = new URL(POSTGRES_URL);
  url.searchParams.set('application_name', schema);
  // without waits for the disk a schema is there in half of the time
  url.searchParams.set('options', `-c search_path=${schema} -c synchronous_commit=off`);
  await runOnPostgres(`create schema ${schema}`);
  return {
    location: { databaseUrl: url.href, dataDir: tmpdir() },
    drop: () => runOnPostgres(`drop schema ${schema} cascade`),
  };
});

const postgresAbsent = await whyPostgresIsAbsent();

/** The available databases: SQLite always, PostgreSQL when it answers. */
export const databases: readonly TestDatabase[] =
  postgresAbsent === undefined ? [sqlite, postgres] : [sqlite];

/**
 * Runs a suite on each kind of database, or on only one. Without PostgreSQL its half is skipped
 * with the reason, or fails when TEST_REQUIRE=all.
 */
export function describeOnDatabases(
  title: string,
  suite: (database: TestDatabase) => void,
  only?: TestDatabase['name'] | undefined,
): void {
  const isMeant = ({ name }: TestDatabase) => only === undefined || name === only;
  for (const database of databases.filter(isMeant)) {
    describe(`${title}, on ${database.name}`, () => suite(database));
  }
  if (postgresAbsent !== undefined && isMeant(postgres)) {
    describe.skip(`${title}, on PostgreSQL (skipped: ${postgresAbsent})`, () => suite(postgres));
  }
}

/**
 * For suites that are not about SQL: they run on this database, in the full form on each. What
 * differs between the two is shown by the tests of the store, of the database and of reading back.
 */
export const describeMainlyOn = (
  name: TestDatabase['name'],
  title: string,
  suite: (database: TestDatabase) => void,
): void => describeOnDatabases(title, suite, byForm({ small: name, full: undefined }));

/** A test for one kind of database; on the other it is left out, not skipped. */
export function onlyOn(
  database: TestDatabase,
  name: TestDatabase['name'],
): typeof it | (() => void) {
  return database.name === name ? it : () => {};
}

async function whyPostgresIsAbsent(): Promise<string | undefined> {
  try {
    await runOnPostgres('select 1');
    return undefined;
  } catch (error) {
    const { host, pathname } = new URL(POSTGRES_URL);
    const reason = `no PostgreSQL at ${host}${pathname}, set TEST_DATABASE_URL`;
    if (process.env.TEST_REQUIRE === 'all') throw new Error(reason, { cause: error });
    return reason;
  }
}

/** Runs one statement outside any store, as an operator would. */
export async function runOnPostgres(statement: string): Promise<void> {
  const client = new pg.Client({
    connectionString: POSTGRES_URL,
    connectionTimeoutMillis: PROBE_TIMEOUT_MS,
  });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function testDatabase(
  name: TestDatabase['name'],
  create: () => Promise<FreshDatabase>,
): TestDatabase {
  return {
    name,
    create,
    open: async (options = {}) => {
      const workerUrl = options.workerUrl ?? recorderWorkerUrl();
      return openTestStore(await create(), workerUrl);
    },
  };
}

async function openTestStore(database: FreshDatabase, workerUrl: URL): Promise<TestStore> {
  const workerErrors: Error[] = [];
  const opened: Store[] = [];
  const another = async () => {
    const store = await openStore({
      ...database.location,
      workerUrl,
      onWorkerError: (error) => workerErrors.push(error),
    });
    opened.push(store);
    return store;
  };
  let store = await another();
  return {
    location: database.location,
    workerUrl,
    workerErrors,
    get store() {
      return store;
    },
    reopen: async () => {
      await store.close();
      store = await another();
      return store;
    },
    another,
    cleanup: async () => {
      await Promise.all(opened.map((one) => one.close()));
      await database.drop();
    },
  };
}
