import { mayInvite } from '@trawl/contract';
import type { Tables } from '@trawl/database';
import type { Transaction } from 'kysely';
import { selectedInvitations, toRecord } from './invitation-rows.ts';
import type { InvitationRecord, NewInvitation } from './records.ts';

type Made = Pick<NewInvitation, 'projectId' | 'role' | 'createdBy'>;

/** Whether the maker of an invitation may make it now. The command line may make any. */
export async function isAllowed(
  transaction: Transaction<Tables>,
  { createdBy, projectId, role }: Made,
): Promise<boolean> {
  if (createdBy === null) return true;
  const person = await transaction
    .selectFrom('console_users')
    .leftJoin('project_members', (join) =>
      join
        .onRef('project_members.user_id', '=', 'console_users.id')
        .on('project_members.project_id', '=', projectId ?? ''),
    )
    .select(['is_operator', 'project_members.role'])
    .where('console_users.id', '=', createdBy)
    .executeTakeFirst();
  if (!person) return false;
  const maker = { isOperator: person.is_operator === 1, role: person.role };
  return mayInvite(maker, { projectId, role });
}

/**
 * Ends open invitations of a person: all, or those that the person may not make any more. To be
 * called in the transaction that changes roles, so that no link outlives the right to make it.
 * Expired ones end too, since they could be renewed.
 */
export async function endInvitations(
  transaction: Transaction<Tables>,
  madeBy: string,
  at: string,
  which: 'all' | 'not_allowed',
): Promise<readonly InvitationRecord[]> {
  const rows = await selectedInvitations(transaction)
    .where('invitations.created_by', '=', madeBy)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .execute();
  const ended: InvitationRecord[] = [];
  for (const invitation of rows.map(toRecord)) {
    if (which === 'all' || !(await isAllowed(transaction, invitation))) ended.push(invitation);
  }
  if (ended.length === 0) return ended;
  const ids = ended.map(({ id }) => id);
  await transaction
    .updateTable('invitations')
    .set({ revoked_at: at })
    .where('id', 'in', ids)
    .execute();
  return ended;
}
