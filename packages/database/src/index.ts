export { checkIntegrity, DamagedError } from './opening/integrity.ts';
export {
  EarlierBuildError,
  migrate,
  type SchemaState,
  schemaState,
} from './opening/migrate.ts';
export {
  type DatabaseLocation,
  databasePath,
  inTransaction,
  makeDataDir,
  type OpenDatabase,
  openDatabase,
} from './opening/open-database.ts';
export {
  KEY_LIMITS,
  LEASE_LIMITS,
  READING_LIMITS,
  RECORDING_LIMITS,
} from './postgres/postgres-pool.ts';
export { type OpenConnection, whenNotBusy } from './sqlite/sqlite-dialect.ts';
export type { SqliteConnection, SqliteStatement } from './sqlite/sqlite-driver.ts';
export type * from './tables/tables.ts';
