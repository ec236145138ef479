import { inTransaction, type OpenDatabase, type Tables } from '@trawl/database';
import { sql, type Transaction } from 'kysely';
import { endLinksOf } from './ended-links.ts';
import { endInvitations } from './makers-of-invitations.ts';
import type { ChangeOutcome, RoleChange } from './records.ts';

/**
 * Runs a change of roles. Such changes wait for each other, so that two people who remove each
 * other at the same time do not both succeed. On SQLite every transaction does.
 */
export function changingRoles<Value>(
  { db, isEmbedded }: OpenDatabase,
  change: (transaction: Transaction<Tables>) => Promise<Value>,
): Promise<Value> {
  return inTransaction(db, async (transaction) => {
    if (!isEmbedded) {
      await sql`lock table project_members in share row exclusive mode`.execute(transaction);
    }
    return change(transaction);
  });
}

/**
 * Runs a change of the roles of a person. It ends the invitations that the person may not make any
 * more, and the password links by and for that person.
 */
export function changingRolesOf(
  database: OpenDatabase,
  personId: string,
  at: string,
  change: (transaction: Transaction<Tables>) => Promise<ChangeOutcome>,
): Promise<RoleChange> {
  return changingRoles(database, async (transaction) => {
    const outcome = await change(transaction);
    if (outcome !== 'changed') return { outcome, endedInvitations: [] };
    await endLinksOf(transaction, personId);
    const endedInvitations = await endInvitations(transaction, personId, at, 'not_allowed');
    return { outcome, endedInvitations };
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
