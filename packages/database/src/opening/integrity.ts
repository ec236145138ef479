import { sql } from 'kysely';
import type { OpenDatabase } from './open-database.ts';

/** Pages of the embedded database's file contradict each other. */
export class DamagedError extends Error {
  readonly code = 'SQLITE_CORRUPT';
}

/**
 * Reads the pages of the embedded database and compares them, up to the first fault. PostgreSQL has
 * its own tools for this, such as `pg_amcheck`.
 * @param bytesMax a larger file is not read; null = any size
 * @throws DamagedError with what was found
 */
export async function checkIntegrity(
  { db, isEmbedded }: OpenDatabase,
  bytesMax: number | null,
): Promise<'checked' | 'not_checked'> {
  if (!isEmbedded) return 'not_checked';
  if (bytesMax !== null) {
    const size = await sql<{ bytes: number }>`
      select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`.execute(
      db,
    );
    if ((size.rows[0]?.bytes ?? 0) > bytesMax) return 'not_checked';
  }
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(db);
  const found = rows[0]?.quick_check ?? 'ok';
  if (found !== 'ok') throw new DamagedError(found.replaceAll('\n', ' ').slice(0, 200));
  return 'checked';
}
