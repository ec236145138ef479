import { type Migration, sql } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

/**
 * What was bad when a provider became ill: only answers that say something of it end the illness. A
 * server of the version before ends it by any good answers.
 */
export const illnessCause = ({ text }: ColumnTypes): Migration => ({
  up: async (db) => {
    await sql`alter table provider_health add column ill_by ${text}`.execute(db);
  },
});
