import { type Dialect, PostgresDialect } from 'kysely';
import type { Pool } from 'pg';

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * A pool of at most `connections`. The URL may carry libpq's `options`, for one `?options=-c search_path=NAME`.
 * Counts and money (`bigint`, `count(*)`) are read as numbers.
 */
export function postgresDialect(url: string, connections: number): Dialect {
  return new PostgresDialect({ pool: () => createPool(url, connections) });
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
