import { type Migration, sql } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

/**
 * What is counted of the answers of providers, and the state that follows from it. No row belongs
 * to an interaction, so that deleting what was recorded changes no state. A server of the version
 * before counts nothing.
 */
export const providerHealth = ({ text, withoutRowid }: ColumnTypes): Migration => ({
  up: async (db) => {
    await sql`create table provider_answers (
      provider ${text} not null,
      id ${text} not null,
      project_id ${text} not null,
      interaction_id ${text} not null,
      answered_at ${text} not null,
      others_found integer,
      asked integer not null,
      found integer not null,
      fields integer not null,
      filled integer not null,
      primary key (provider, id)
    ) ${withoutRowid}`.execute(db);
    await sql`create index provider_answers_by_time
      on provider_answers (provider, answered_at)`.execute(db);
    await sql`create table provider_health (
      provider ${text} not null primary key,
      state ${text} not null,
      since ${text} not null,
      counts_from ${text} not null,
      ill_from ${text},
      ill_to ${text}
    ) ${withoutRowid}`.execute(db);
  },
});
