import type { Tables } from '@trawl/database';
import { type Kysely, sql } from 'kysely';
import type { GroupItem } from './group-item.ts';
import type { Result } from './recorder-protocol.ts';

/**
 * Whether this item's interaction is stored after an uncertain commit. Ledger rows alone can always
 * be written again.
 */
export async function isStored(db: Kysely<Tables>, item: GroupItem): Promise<boolean> {
  if (!item.record) return false;
  const row = await db
    .selectFrom('interactions')
    .select('id')
    .where('id', '=', item.record.session.interactionId)
    .executeTakeFirst();
  return row !== undefined;
}

/** The tables of a record, each with one of its columns. */
const RECORD_TABLES = {
  sessions: 'id',
  interactions: 'id',
  runs: 'id',
  ledger: 'id',
  repeats: 'key_id',
  usage_days: 'day',
  search_answers: 'fingerprint',
} as const satisfies Partial<Record<keyof Tables, string>>;

/**
 * Inserts zero rows into each table of a record, overwrites a row with itself, and commits. It
 * fails whenever a record would fail: when nothing can be written, or a table is missing or
 * forbidden.
 */
export async function probe(db: Kysely<Tables>): Promise<Result> {
  await db.transaction().execute(async (transaction) => {
    for (const [name, columnName] of Object.entries(RECORD_TABLES)) {
      const table = sql.table(name);
      const column = sql.ref(columnName);
      await sql`insert into ${table} (${column}) select ${column} from ${table} where 1 = 0`.execute(
        transaction,
      );
    }
    await transaction
      .insertInto('settings')
      .values({ name: 'probe', value: '' })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: '' }))
      .execute();
  });
  return { status: 'committed', found: true };
}
