import { migrations } from '@trawl/schema';
import { type Migration, Migrator } from 'kysely';
import { whenNotBusy } from '../sqlite/sqlite-dialect.ts';
import type { OpenDatabase } from './open-database.ts';

const MIGRATION_TABLE = 'schema_migrations';
const LOCK_TABLE = 'schema_migrations_lock';

/**
 * Brings the schema up to date. Several processes may do so at once: an advisory lock on PostgreSQL, or the write lock
 * on SQLite, puts them in order. Throws when the database has a version that this program does not know.
 */
export async function migrate(database: OpenDatabase): Promise<void> {
  const known = migrations(database.columnTypes);
  await whenNotBusy(async () => {
    const applied = await appliedVersions(database);
    refuseNewer(applied, Object.keys(known));
    if (applied.length === Object.keys(known).length) return;
    const { error } = await (await migrator(database, known)).migrateToLatest();
    if (error !== undefined) throw error;
  });
}

/** How the schema compares with this program's version. `none` = the schema does not exist yet. */
export type SchemaState = 'none' | 'older' | 'current' | 'newer';

export async function schemaState(database: OpenDatabase): Promise<SchemaState> {
  const known = Object.keys(migrations(database.columnTypes));
  const applied = await appliedVersions(database);
  if (applied.length === 0) return 'none';
  if (applied.some((name) => !known.includes(name))) return 'newer';
  return applied.length < known.length ? 'older' : 'current';
}

async function appliedVersions({ db, findTable }: OpenDatabase): Promise<readonly string[]> {
  const found = await findTable(MIGRATION_TABLE).execute(db);
  if (found.rows.length === 0) return [];
  const rows = await db
    .withTables<{ [MIGRATION_TABLE]: { name: string } }>()
    .selectFrom(MIGRATION_TABLE)
    .select('name')
    .orderBy('name')
    .execute();
  return rows.map((row) => row.name);
}

function refuseNewer(applied: readonly string[], known: readonly string[]): void {
  const newest = applied.findLast((name) => !known.includes(name));
  if (newest === undefined) return;
  throw new Error(
    `the database was written by a newer trawl: its schema is at version ${newest}, ` +
      `this one knows versions up to ${known.at(-1)}. Update trawl, or name another database.`,
  );
}

async function migrator(
  database: OpenDatabase,
  known: Record<string, Migration>,
): Promise<Migrator> {
  const found = await database.currentSchema.execute(database.db);
  const schema = found.rows[0]?.schema ?? null;
  return new Migrator({
    db: database.db,
    provider: { getMigrations: async () => known },
    migrationTableName: MIGRATION_TABLE,
    migrationLockTableName: LOCK_TABLE,
    // between releases, a later version may have been applied before an earlier one was written
    allowUnorderedMigrations: true,
    // Without the name, Kysely would mistake a table of another schema for ours.
    ...(schema === null ? {} : { migrationTableSchema: schema }),
  });
}
