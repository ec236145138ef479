import type { RunsTable } from '@trawl/database';

/**
 * The JSON text of a stored run. SQLite keeps it as text, PostgreSQL as bytes, which it compresses
 * itself.
 */
export function runText(body: RunsTable['body']): string {
  return typeof body === 'string' ? body : Buffer.from(body).toString('utf8');
}
