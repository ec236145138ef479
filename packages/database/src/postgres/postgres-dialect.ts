import {
  type Dialect,
  type Kysely,
  PostgresDialect,
  PostgresIntrospector,
  sql,
  type TableMetadata,
} from 'kysely';
import { createPostgresPool, type PostgresLimits } from './postgres-pool.ts';

/** A pool of at most `connections`. The URL may carry libpq's `options`, for one `?options=-c search_path=NAME`. */
export function postgresDialect(url: string, connections: number, limits: PostgresLimits): Dialect {
  return new OwnSchemaDialect({ pool: () => createPostgresPool(url, connections, limits) });
}

class OwnSchemaDialect extends PostgresDialect {
  override createIntrospector(db: Kysely<unknown>): PostgresIntrospector {
    return new OwnSchemaIntrospector(db);
  }
}

/**
 * Lists the names of the tables in the current schema, which is all that migrations need. Kysely's own introspector
 * reads every table of the database with its columns, and fails when another program renames or drops one of them in
 * the meantime.
 */
class OwnSchemaIntrospector extends PostgresIntrospector {
  readonly #db: Kysely<unknown>;

  constructor(db: Kysely<unknown>) {
    super(db);
    this.#db = db;
  }

  override async getTables(): Promise<TableMetadata[]> {
    const names = sql<{ name: string; schema: string }>`
      select tablename as name, schemaname as schema from pg_tables where schemaname = current_schema()`;
    const { rows } = await names.execute(this.#db);
    return rows.map((row) => ({ ...row, isView: false, columns: [] }));
  }
}
