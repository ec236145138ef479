import { type Migration, Migrator } from 'kysely';
import type { ColumnTypes } from './column-types.ts';
import { initial } from './migrations/0001-initial.ts';
import { knownTitles } from './migrations/0002-known-titles.ts';
import { limits } from './migrations/0003-limits.ts';
import { repeats } from './migrations/0004-repeats.ts';
import { feedback } from './migrations/0005-feedback.ts';
import { usageDays } from './migrations/0006-usage-days.ts';
import { accounts } from './migrations/0007-accounts.ts';
import { resultCounts } from './migrations/0008-result-counts.ts';
import { recordedTitles } from './migrations/0009-recorded-titles.ts';
import { keyProfiles } from './migrations/0010-key-profiles.ts';
import type { OpenDatabase } from './open-database.ts';
import { whenNotBusy } from './sqlite-dialect.ts';

const MIGRATION_TABLE = 'schema_migrations';
const LOCK_TABLE = 'schema_migrations_lock';

/** All schema versions, oldest first: a name starts with the version's number. */
function migrations(types: ColumnTypes): Record<string, Migration> {
  return {
    '0001_initial': initial(types),
    '0002_known_titles': knownTitles(types),
    '0003_limits': limits(),
    '0004_repeats': repeats(types),
    '0005_feedback': feedback(types),
    '0006_usage_days': usageDays(types),
    '0007_accounts': accounts(types),
    '0008_result_counts': resultCounts(),
    '0009_recorded_titles': recordedTitles(types),
    '0010_key_profiles': keyProfiles(types),
  };
}

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
    // Without the name, Kysely would mistake a table of another schema for ours.
    ...(schema === null ? {} : { migrationTableSchema: schema }),
  });
}
