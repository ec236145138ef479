import type { OpenDatabase, Tables } from '@trawl/database';
import { sql, type Transaction } from 'kysely';

/**
 * Runs a change of roles. Such changes wait for each other, so that two people who remove each other at the same time
 * do not both succeed. On SQLite every transaction does.
 */
export function changingRoles<Value>(
  { db, isEmbedded }: OpenDatabase,
  change: (transaction: Transaction<Tables>) => Promise<Value>,
): Promise<Value> {
  return db.transaction().execute(async (transaction) => {
    if (!isEmbedded) {
      await sql`lock table project_members in share row exclusive mode`.execute(transaction);
    }
    return change(transaction);
  });
}

/** Whether another person is an operator. */
export async function hasOtherOperator(
  transaction: Transaction<Tables>,
  personId: string,
): Promise<boolean> {
  const other = await transaction
    .selectFrom('console_users')
    .select('id')
    .where('is_operator', '=', 1)
    .where('id', '<>', personId)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}
