import { faultCode } from '@trawl/base';
import {
  type DatabaseLocation,
  inTransaction,
  KEY_LIMITS,
  LEASE_LIMITS,
  makeDataDir,
  migrate,
  type OpenDatabase,
  openDatabase,
  READING_LIMITS,
  schemaState,
  type Tables,
} from '@trawl/database';
import type { Kysely } from 'kysely';
import { createAccountStore } from '../accounts/account-store.ts';
import { createAlertLog } from '../alerts/alert-log.ts';
import { createHealthStore } from '../health/health-store.ts';
import { createKeyStore } from '../keys/key-store.ts';
import { createProviderKeyStore } from '../keys/provider-key-store.ts';
import { openLeases } from '../leases/leases.ts';
import { createLoginStore } from '../logins/login-store.ts';
import { sweepTokens } from '../logins/login-tokens.ts';
import { createProjectStore } from '../projects/project-store.ts';
import { createInteractionReader } from '../readers/interaction-reader.ts';
import { createKeyUsageReader, createNamedKeyReader } from '../readers/key-usage.ts';
import { createProviderReader } from '../readers/provider-reader.ts';
import { createRunReader } from '../readers/run-reader.ts';
import { createAnswerReader } from '../readers/search-answers.ts';
import { createConsoleSessionReader } from '../readers/sessions/reader.ts';
import { createSessionSummaryReader } from '../readers/sessions/summaries.ts';
import { createUsageReader } from '../readers/usage-reader.ts';
import { createRecorder } from '../recorder/recorder.ts';
import { createSweeps } from '../retention/sweeps.ts';
import { createWatchStore } from '../watches/watch-store.ts';
import { openFault } from './open-fault.ts';
import { lockForServer, type ServerLock } from './server-lock.ts';
import type { Store } from './store.ts';

export interface StoreOptions {
  /** `postgres://…`, or undefined for the embedded database in `dataDir`. */
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
  /**
   * Refuses to open an embedded database on which a server already runs. Default false: commands
   * may run next to a server.
   */
  readonly isServer?: boolean;
  /** The built `recorder-worker.js`. */
  readonly workerUrl: URL | string;
  /**
   * Called each time the recorder's thread ends unexpectedly. Its waiting writes reject on their
   * own.
   */
  readonly onWorkerError?: (error: Error) => void;
}

/** Connections on PostgreSQL. The recorder has its own. */
const READING_CONNECTIONS = 10;
/** Separate from the others, so that slow reads do not delay the check of keys. */
const KEY_CONNECTIONS = 4;
/**
 * Separate too: callers of one budget take turns, and meanwhile others read. Opened with the first
 * lease.
 */
const LEASE_CONNECTIONS = 4;

/**
 * Opens the database, creates or updates its schema, and returns the store. The recorder's thread
 * starts with the first write or `ping`. Rejects when the database cannot be opened, or was made by
 * a newer trawl or by a build from before the first release.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { databaseUrl, dataDir } = options;
  const location = { databaseUrl, dataDir };
  try {
    return await open(location, options);
  } catch (error) {
    throw openFault(location, error);
  }
}

async function open(location: DatabaseLocation, options: StoreOptions): Promise<Store> {
  const lock = await lockIfServer(location, options);
  try {
    const database = await openPrepared(location);
    return storeOn(database, location, lock, options);
  } catch (error) {
    lock?.release();
    throw error;
  }
}

/** The embedded database allows one server. PostgreSQL allows any number. */
async function lockIfServer(
  { databaseUrl, dataDir }: DatabaseLocation,
  { isServer = false }: StoreOptions,
): Promise<ServerLock | undefined> {
  if (!isServer || databaseUrl !== undefined) return undefined;
  makeDataDir(dataDir);
  return lockForServer(dataDir);
}

/**
 * A connection whose read failed with "busy" may keep an old snapshot, and then never gets the
 * write lock. A new connection does not have this problem.
 */
async function openPrepared(location: DatabaseLocation): Promise<OpenDatabase> {
  try {
    return await openOnce(location);
  } catch (error) {
    if (faultCode(error) !== 'SQLITE_BUSY_SNAPSHOT') throw error;
    return openOnce(location);
  }
}

async function openOnce(location: DatabaseLocation): Promise<OpenDatabase> {
  const database = openDatabase(location, {
    connections: READING_CONNECTIONS,
    limits: READING_LIMITS,
  });
  try {
    await prepare(database, location);
    return database;
  } catch (error) {
    await database.db.destroy();
    throw error;
  }
}

function storeOn(
  database: OpenDatabase,
  location: DatabaseLocation,
  lock: ServerLock | undefined,
  { workerUrl, onWorkerError = () => {} }: StoreOptions,
): Store {
  const { db } = database;
  const shared = database.isEmbedded ? null : openShared(location);
  const keyDb = shared?.keys ?? db;
  // these writes wait for the recorder's; the reads of the embedded database do not wait with them
  const writes = database.isEmbedded ? openDatabase(location, { connections: 1 }) : database;
  const recorder = createRecorder({ workerUrl, location, onWorkerError });
  return {
    reader: createInteractionReader(database),
    usage: createUsageReader(db),
    runs: createRunReader(database),
    providers: createProviderReader(db),
    answers: createAnswerReader(db),
    namedKeys: createNamedKeyReader(db),
    sessionSummaries: createSessionSummaryReader(db),
    projects: createProjectStore(db),
    consoleSessions: createConsoleSessionReader(database),
    recorder,
    keys: createKeyStore(keyDb),
    keyUsage: createKeyUsageReader(db),
    providerKeys: createProviderKeyStore(keyDb),
    accounts: createAccountStore(database),
    logins: createLoginStore({ ...database, db: keyDb }),
    sweeps: createSweeps(database, recorder, (nowMs) =>
      inTransaction(database.db, (transaction) => sweepTokens(transaction, nowMs)),
    ),
    alerts: createAlertLog(writes),
    health: createHealthStore(database, writes),
    watches: createWatchStore(writes),
    openLeases: shared && ((leases) => openLeases(shared.leases, leases)),
    changing: (work) =>
      inTransaction(writes.db, (transaction) => {
        const own = { ...writes, db: transaction };
        return work({
          keys: createKeyStore(transaction),
          projects: createProjectStore(transaction),
          accounts: createAccountStore(own),
          logins: createLoginStore(own),
          providerKeys: createProviderKeyStore(transaction),
          health: createHealthStore(own, own),
        });
      }),
    setting: (name, initial) => setting(db, name, initial),
    ping: shareWhileRunning(async () => {
      await Promise.all([
        recorder.probe(),
        db.selectFrom('settings').select('name').limit(1).execute(),
      ]);
    }),
    trial: (trial) => recorder.trial(trial),
    close: async () => {
      await recorder.close();
      await Promise.all(
        [db, writes.db, ...Object.values(shared ?? {})].map((one) => one.destroy()),
      );
      lock?.release();
    },
  };
}

/** Pools of a database that several servers share. */
const openShared = (location: DatabaseLocation) => ({
  keys: openDatabase(location, { connections: KEY_CONNECTIONS, limits: KEY_LIMITS }).db,
  leases: openDatabase(location, { connections: LEASE_CONNECTIONS, limits: LEASE_LIMITS }).db,
});

/**
 * Creates or updates the schema. On PostgreSQL an update has its own connection, because it may
 * take longer than the limits of requests.
 */
async function prepare(database: OpenDatabase, location: DatabaseLocation): Promise<void> {
  if (location.databaseUrl === undefined) return migrate(database);
  if ((await schemaState(database)) === 'current') return;
  const unlimited = openDatabase(location, { connections: 1 });
  try {
    await migrate(unlimited);
  } finally {
    await unlimited.db.destroy();
  }
}

async function setting(db: Kysely<Tables>, name: string, initial: string): Promise<string> {
  const read = (from: Kysely<Tables>) =>
    from.selectFrom('settings').select('value').where('name', '=', name);
  const known = await read(db).executeTakeFirst();
  if (known) return known.value;
  return db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('settings')
      .values({ name, value: initial })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    return (await read(transaction).executeTakeFirstOrThrow()).value;
  });
}

/** Callers that arrive while the work runs share its result. */
function shareWhileRunning(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  };
}
