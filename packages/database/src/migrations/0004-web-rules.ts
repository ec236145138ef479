import { type Migration, sql } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

/**
 * The web rules of projects. A server of the version before knows no web rules: its requests are
 * not checked until it has ended.
 */
export const webRules = ({ text }: ColumnTypes): Migration => ({
  up: async (db) => {
    await sql`alter table projects add column web_rules ${text}`.execute(db);
  },
});
