import { type Migration, sql } from 'kysely';
import type { ColumnTypes } from './column-types.ts';

/**
 * Logins for `/mcp`: a login is a key of a person without a secret, and its codes and tokens, of
 * which only digests are stored. A server of the version before shows such a key as any other, and
 * knows no token.
 */
export const mcpLogin = ({ text, withoutRowid }: ColumnTypes): Migration => ({
  up: async (db) => {
    await sql`alter table api_keys add column login_client ${text}`.execute(db);
    await sql`create index api_keys_by_login on api_keys (created_by)
      where login_client is not null`.execute(db);
    await sql`alter table projects add column mcp_login ${text}`.execute(db);
    await sql`alter table projects add column mcp_login_budget_micros bigint`.execute(db);
    await sql`create table login_tokens (
      digest ${text} not null primary key,
      key_id ${text} not null references api_keys (id) on delete cascade,
      kind ${text} not null,
      expires_at ${text} not null,
      used_at ${text},
      redirect_uri ${text},
      challenge ${text}
    ) ${withoutRowid}`.execute(db);
    await sql`create index login_tokens_by_key on login_tokens (key_id)`.execute(db);
    await sql`create index login_tokens_by_expiry on login_tokens (expires_at)`.execute(db);
    await sql`create table login_clients (
      id ${text} not null primary key,
      name ${text} not null,
      redirect_uris ${text} not null,
      created_at ${text} not null
    ) ${withoutRowid}`.execute(db);
  },
});
