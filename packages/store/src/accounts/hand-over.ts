import type { OpenDatabase, Tables } from '@trawl/database';
import type { Transaction } from 'kysely';
import { endLinksOf } from './ended-links.ts';
import { endInvitations } from './makers-of-invitations.ts';
import type { HandOver } from './records.ts';
import { changingRoles } from './role-lock.ts';

const KEYS_MAX = 100;

/**
 * Removes the password, and ends the sessions, the open invitations and the password links, of an
 * account. Its roles and API keys stay.
 */
export function handOver(database: OpenDatabase, personId: string, at: string): Promise<HandOver> {
  return changingRoles(database, async (transaction) => {
    await lockPerson(database, transaction, personId);
    await endLinksOf(transaction, personId);
    const passwords = await transaction
      .deleteFrom('console_accounts')
      .where('user_id', '=', personId)
      .where('provider_id', '=', 'credential')
      .executeTakeFirstOrThrow();
    const sessions = await transaction
      .deleteFrom('console_sessions')
      .where('user_id', '=', personId)
      .executeTakeFirstOrThrow();
    const keys = await transaction
      .selectFrom('api_keys')
      .select('id')
      .where('created_by', '=', personId)
      // these end
      .where('login_client', 'is', null)
      .where('revoked_at', 'is', null)
      .where('deleted_at', 'is', null)
      .orderBy('created_at', 'desc')
      .limit(KEYS_MAX)
      .execute();
    return {
      hadPassword: passwords.numDeletedRows > 0,
      sessions: Number(sessions.numDeletedRows),
      endedInvitations: await endInvitations(transaction, personId, at, 'all'),
      keys: keys.map(({ id }) => id),
    };
  });
}

/**
 * Sessions refer to the person, so one that a sign-in in progress makes is either there to end, or
 * made afterwards.
 */
async function lockPerson(
  { isEmbedded }: OpenDatabase,
  transaction: Transaction<Tables>,
  personId: string,
): Promise<void> {
  const person = transaction.selectFrom('console_users').select('id').where('id', '=', personId);
  await (isEmbedded ? person : person.forUpdate()).execute();
}
