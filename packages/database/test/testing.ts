/** What tests of other packages need of this one, and nothing else does. */
export { createPostgresPool, UNLIMITED } from '../src/postgres/postgres-pool.ts';
