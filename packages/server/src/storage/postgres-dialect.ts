import {
  type Dialect,
  type Kysely,
  PostgresDialect,
  PostgresIntrospector,
  sql,
  type TableMetadata,
} from 'kysely';
import type { Pool } from 'pg';

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * A pool of at most `connections`. The URL may carry libpq's `options`, for one `?options=-c search_path=NAME`.
 * Counts and money (`bigint`, `count(*)`) are read as numbers.
 */
export function postgresDialect(url: string, connections: number): Dialect {
  return new OwnSchemaDialect({ pool: () => createPool(url, connections) });
}

class OwnSchemaDialect extends PostgresDialect {
  override createIntrospector(db: Kysely<unknown>): PostgresIntrospector {
    return new OwnSchemaIntrospector(db);
  }
}

/**
 * Names the tables of the current schema, all that migrations ask for. Kysely's own reads every table of the database
 * with its columns, and fails when another program renames or drops one of them meanwhile.
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

async function createPool(url: string, connections: number): Promise<Pool> {
  // Loaded when it is wanted: with the embedded database the driver would only slow the start.
  const { default: pg } = await import('pg');
  const getTypeParser: typeof pg.types.getTypeParser = (
    oid: number,
    format?: 'text' | 'binary',
  ) => {
    if (oid === pg.types.builtins.INT8 && format !== 'binary') return Number;
    return pg.types.getTypeParser(oid, format);
  };
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    allowExitOnIdle: true,
    types: { getTypeParser },
  });
  // A connection that breaks fails its query, or has been dropped from the pool when it was idle. Unheard, these events would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}
