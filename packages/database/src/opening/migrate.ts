import { type Kysely, sql } from 'kysely';
import { FIRST_VERSION, migrations, type Versions } from '../migrations/migrations.ts';
import { whenNotBusy } from '../sqlite/sqlite-dialect.ts';
import type { Tables } from '../tables/tables.ts';
import type { OpenDatabase } from './open-database.ts';

const MIGRATION_TABLE = 'schema_migrations';

type MigrationTables = { [MIGRATION_TABLE]: { name: string; timestamp: string } };

/** Any number that no one else locks in the same database. */
const LOCK_ID = sql.lit('3853314791062309107');

/** Made by a build from before the first release, whose tables were other ones. */
export class EarlierBuildError extends Error {
  /** @param build what to check out; it reads the database */
  constructor(build = '"git checkout 20541163c003"') {
    super(
      'the database was made by a build from before the first release: in a clone, run ' +
        `${build}, "npm ci", "npx trawl projects list" and, for each ` +
        'project, "npx trawl export --project NAME > NAME.jsonl", then return to this version, ' +
        'set DATA_DIR or DATABASE_URL to a new place, and run "npx trawl import < NAME.jsonl" ' +
        '(docs/deployment.md, "Upgrade")',
    );
  }
}

/**
 * Brings the schema up to date, in one transaction, so that an interrupted one does not leave half
 * a schema. Several processes may do so at once: a lock of the transaction on PostgreSQL, or the
 * write lock on SQLite, puts them in order. Behind a pooler each transaction may have another
 * connection, so a lock of the session could stay behind.
 * @throws EarlierBuildError
 * @throws Error when the database has a version that this program does not know
 */
export async function migrate(
  database: OpenDatabase,
  versions: Versions = migrations(database.columnTypes),
): Promise<void> {
  await whenNotBusy(async () => {
    if (newVersions(versions, await appliedVersions(database)).length === 0) return;
    await database.db.transaction().execute(async (transaction) => {
      if (!database.isEmbedded) await waitForOthers(transaction);
      await applyNew({ ...database, db: transaction }, versions);
    });
  });
}

/** Others may take as long as a large table needs, whatever the operator set for ordinary locks. */
async function waitForOthers(db: Kysely<Tables>): Promise<void> {
  await sql`set local lock_timeout = '1h'`.execute(db);
  await sql`select pg_advisory_xact_lock(${LOCK_ID}::bigint)`.execute(db);
  await sql`set local lock_timeout to default`.execute(db);
}

async function applyNew(database: OpenDatabase, versions: Versions): Promise<void> {
  const { db } = database;
  await db.schema
    .createTable(MIGRATION_TABLE)
    .ifNotExists()
    .addColumn('name', 'varchar(255)', (column) => column.primaryKey())
    .addColumn('timestamp', 'varchar(255)', (column) => column.notNull())
    .execute();
  for (const name of newVersions(versions, await appliedVersions(database))) {
    await versions[name]?.up(db);
    await db
      .withTables<MigrationTables>()
      .insertInto(MIGRATION_TABLE)
      .values({ name, timestamp: new Date().toISOString() })
      .execute();
  }
}

/**
 * In order. Between releases, a later version may have been applied before an earlier one was
 * written.
 */
function newVersions(versions: Versions, applied: readonly string[]): readonly string[] {
  const known = Object.keys(versions);
  refuseNewer(applied, known);
  return known.filter((name) => !applied.includes(name)).sort();
}

/** How the schema compares with this program's version. `none` = the schema does not exist yet. */
export type SchemaState = 'none' | 'older' | 'current' | 'newer';

/** @throws EarlierBuildError */
export async function schemaState(
  database: OpenDatabase,
  versions: Versions = migrations(database.columnTypes),
): Promise<SchemaState> {
  const known = Object.keys(versions);
  const applied = await appliedVersions(database);
  if (applied.length === 0) return 'none';
  if (applied.some((name) => !known.includes(name))) return 'newer';
  return applied.length < known.length ? 'older' : 'current';
}

async function appliedVersions({ db, findTable }: OpenDatabase): Promise<readonly string[]> {
  const found = await findTable(MIGRATION_TABLE).execute(db);
  if (found.rows.length === 0) return [];
  const rows = await db
    .withTables<MigrationTables>()
    .selectFrom(MIGRATION_TABLE)
    .select('name')
    .orderBy('name')
    .execute();
  const names = rows.map((row) => row.name);
  if (names.length > 0 && !names.includes(FIRST_VERSION)) throw new EarlierBuildError();
  // the last table that the first version got before its release
  if (names.length > 0 && (await findTable('watch_news').execute(db)).rows.length === 0) {
    throw new EarlierBuildError('"git checkout" with the commit of that build');
  }
  return names;
}

function refuseNewer(applied: readonly string[], known: readonly string[]): void {
  const newest = applied.findLast((name) => !known.includes(name));
  if (newest === undefined) return;
  throw new Error(
    `the database was written by a newer trawl: its schema is at version ${newest}, ` +
      `this one knows versions up to ${known.at(-1)}. Update trawl, or name another database.`,
  );
}
