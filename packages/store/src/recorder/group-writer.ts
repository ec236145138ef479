import type { OpenDatabase } from '@trawl/database';
import type { GroupWriter } from './group-item.ts';
import { createPostgresWriter } from './postgres-writer.ts';
import { createSqliteWriter } from './sqlite-writer.ts';

/** The writer for the kind of this database. */
export function createGroupWriter({ db, embedded }: OpenDatabase): GroupWriter {
  return embedded ? createSqliteWriter(embedded) : createPostgresWriter(db);
}
