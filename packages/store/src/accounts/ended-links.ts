import type { Tables } from '@trawl/database';
import type { Kysely, Transaction } from 'kysely';

/** Ends the password link that a person made for this one. One of the command line stays. */
export async function endLinksFor(db: Kysely<Tables>, personId: string): Promise<void> {
  await db
    .deleteFrom('password_links')
    .where('person_id', '=', personId)
    .where('made_by', 'is not', null)
    .execute();
}

/**
 * Ends the password link for a person, and those that the person made. To be called in the
 * transaction that changes what the person may do, so that a role that is given and taken back ends
 * them too.
 */
export async function endLinksOf(
  transaction: Transaction<Tables>,
  personId: string,
): Promise<void> {
  await endLinksFor(transaction, personId);
  await transaction.deleteFrom('password_links').where('made_by', '=', personId).execute();
}
