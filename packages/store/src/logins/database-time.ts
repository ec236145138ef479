import type { OpenDatabase, Tables } from '@trawl/database';
import { type Kysely, sql } from 'kysely';

/**
 * The time by which codes and tokens end, ISO 8601: that of the database where several servers
 * share one, since a code lives for a minute and their clocks may differ by more.
 * @param now by the clock of this server
 */
export async function databaseTime(
  { isEmbedded }: Pick<OpenDatabase, 'isEmbedded'>,
  db: Kysely<Tables>,
  now: string,
): Promise<string> {
  if (isEmbedded) return now;
  const { rows } = await sql<{ now: string }>`select to_char(
    clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now`.execute(db);
  return rows[0]?.now ?? now;
}
