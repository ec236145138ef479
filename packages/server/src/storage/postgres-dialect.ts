import { type Dialect, PostgresDialect } from 'kysely';
import pg from 'pg';

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * A pool of at most `connections`. The URL may carry libpq's `options`, for one `?options=-c search_path=NAME`.
 * Counts and money (`bigint`, `count(*)`) are read as numbers.
 */
export function postgresDialect(url: string, connections: number): Dialect {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    allowExitOnIdle: true,
    types: { getTypeParser: numericTypeParser },
  });
  // An idle connection that breaks has been dropped from the pool; unheard, the event would end the process.
  pool.on('error', () => {});
  return new PostgresDialect({ pool });
}

const numericTypeParser: typeof pg.types.getTypeParser = (
  oid: number,
  format?: 'text' | 'binary',
) => {
  if (oid === pg.types.builtins.INT8 && format !== 'binary') return Number;
  return pg.types.getTypeParser(oid, format);
};
