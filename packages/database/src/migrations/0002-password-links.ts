import { type Migration, sql } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

/**
 * Links for a new password with the person who made them. A server of the version before has its
 * links in `console_verifications`, without a maker: neither version accepts a link of the other,
 * so those of the hour of an upgrade have to be made again.
 */
export const passwordLinks = ({ text, withoutRowid }: ColumnTypes): Migration => ({
  up: async (db) => {
    await sql`create table password_links (
      token_digest ${text} not null primary key,
      person_id ${text} not null references console_users (id) on delete cascade,
      made_by ${text} references console_users (id) on delete cascade,
      password_digest ${text},
      expires_at ${text} not null
    ) ${withoutRowid}`.execute(db);
  },
});
