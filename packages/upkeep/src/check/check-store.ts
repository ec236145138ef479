import { constants, existsSync } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import {
  checkIntegrity,
  DamagedError,
  type DatabaseLocation,
  databasePath,
  EarlierBuildError,
  type OpenDatabase,
  openDatabase,
  READING_LIMITS,
  type SchemaState,
  schemaState,
} from '@trawl/database';
import { createGroupWriter, TRIAL_BYTES, writeTrial } from '@trawl/store';
import { isUsageDayRight } from './usage-day.ts';

export type StoreCheck =
  /** The database does not exist yet; the first start creates it in `folder`. */
  | { readonly kind: 'absent'; readonly folder: string }
  /** The database does not exist, and `folder` does not allow new files. */
  | { readonly kind: 'no_folder'; readonly folder: string; readonly cause: string }
  | { readonly kind: 'unreadable' | 'unwritable'; readonly cause: string }
  /** A build from before the first release made it. `cause` says what to do. */
  | { readonly kind: 'earlier_build'; readonly cause: string }
  /** The pages of the embedded file contradict each other. `cause`: the first fault. */
  | { readonly kind: 'damaged'; readonly cause: string }
  | {
      readonly kind: 'works';
      readonly schema: SchemaState;
      /** When the last interaction was recorded; null = none was recorded yet. */
      readonly newestAt: string | null;
      /**
       * The day of that interaction, if its usage sums differ from the ledger; null = they are
       * equal or were not compared.
       */
      readonly wrongUsageDay: string | null;
    };

/**
 * Checks whether the configured database answers, is undamaged, and accepts a record of real size.
 * Creates and migrates nothing. Opens the embedded file only through the driver, so that it may run
 * next to a server.
 */
export async function checkStore(location: DatabaseLocation): Promise<StoreCheck> {
  if (location.databaseUrl === undefined) {
    if (!existsSync(databasePath(location.dataDir))) return checkFolder(location.dataDir);
  }
  const database = openDatabase(location, { connections: 1, limits: READING_LIMITS });
  try {
    return await checkDatabase(database);
  } finally {
    await database.db.destroy();
  }
}

async function checkDatabase(database: OpenDatabase): Promise<StoreCheck> {
  let schema: SchemaState;
  let newestAt: string | null = null;
  let wrongUsageDay: string | null = null;
  try {
    schema = await schemaState(database);
    await checkIntegrity(database, null);
    if (schema === 'current') {
      newestAt = await newestInteraction(database);
      wrongUsageDay = await findWrongUsageDay(database, newestAt);
    }
  } catch (error) {
    if (error instanceof EarlierBuildError) return { kind: 'earlier_build', cause: error.message };
    if (error instanceof DamagedError) return { kind: 'damaged', cause: error.message };
    return { kind: 'unreadable', cause: codeOf(error) };
  }
  try {
    if (schema === 'current')
      await writeTrial(database.db, createGroupWriter(database), TRIAL_BYTES);
    else await tryWrite(database, schema);
  } catch (error) {
    return { kind: 'unwritable', cause: codeOf(error) };
  }
  return { kind: 'works', schema, newestAt, wrongUsageDay };
}

async function newestInteraction({ db }: OpenDatabase): Promise<string | null> {
  const newest = await db
    .selectFrom('interactions')
    .select('created_at')
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst();
  return newest?.created_at ?? null;
}

/** Checks a sample: the newest day with interactions. */
async function findWrongUsageDay(
  database: OpenDatabase,
  newestAt: string | null,
): Promise<string | null> {
  if (newestAt === null) return null;
  const day = newestAt.slice(0, 10);
  return (await isUsageDayRight(database, day)) ? null : day;
}

/** Writes a row and rolls it back: a schema of another version may lack a table of a record. */
async function tryWrite({ db }: OpenDatabase, schema: SchemaState): Promise<void> {
  const transaction = await db.startTransaction().execute();
  try {
    if (schema !== 'none') {
      await transaction
        .insertInto('settings')
        .values({ name: 'write_check', value: '' })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute();
    }
  } finally {
    await transaction.rollback().execute();
  }
}

/** The nearest existing folder must allow a new folder or the file. */
async function checkFolder(dataDir: string): Promise<StoreCheck> {
  let folder = resolve(dataDir);
  while (!existsSync(folder)) folder = dirname(folder);
  try {
    if (!(await stat(folder)).isDirectory()) return { kind: 'no_folder', folder, cause: 'ENOTDIR' };
    await access(folder, constants.W_OK | constants.X_OK);
    return { kind: 'absent', folder };
  } catch (error) {
    return { kind: 'no_folder', folder, cause: codeOf(error) };
  }
}

/** The error's code, because a driver's message may quote the database's URL. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown cause';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
