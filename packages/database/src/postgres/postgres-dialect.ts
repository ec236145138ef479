import { type Dialect, PostgresDialect } from 'kysely';
import { createPostgresPool, type PostgresLimits } from './postgres-pool.ts';

/**
 * A pool of at most `connections`. The URL may carry libpq's `options`, for one
 * `?options=-c search_path=NAME`.
 */
export const postgresDialect = (
  url: string,
  connections: number,
  limits: PostgresLimits,
): Dialect => new PostgresDialect({ pool: () => createPostgresPool(url, connections, limits) });
