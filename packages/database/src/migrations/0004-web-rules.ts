import { type Migration, sql } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

/**
 * The web rules of projects. A server of the version before does not read them: until it has ended,
 * its requests are under the rules of its settings alone, which are none.
 */
export const webRules = ({ text }: ColumnTypes): Migration => ({
  up: async (db) => {
    await sql`alter table projects add column web_rules ${text}`.execute(db);
  },
});
