import { isRole } from '@trawl/contract';
import type { OpenDatabase, Tables } from '@trawl/database';
import type { Kysely, Transaction } from 'kysely';
import { endLinksOf } from './ended-links.ts';
import { recordOf, selectedInvitations, toRecord } from './invitation-rows.ts';
import { isAllowed } from './makers-of-invitations.ts';
import { addMember } from './members.ts';
import type { InvitationRecord, NewInvitation } from './records.ts';
import { changingRoles } from './role-lock.ts';

/**
 * Invitations. Tokens are known by their digest only. One is open until it is accepted, revoked or
 * expired.
 */
export interface Invitations {
  /** false when the maker may not make it (any more). */
  create(invitation: NewInvitation, tokenDigest: string): Promise<boolean>;
  find(invitationId: string): Promise<InvitationRecord | undefined>;
  findByToken(tokenDigest: string): Promise<InvitationRecord | undefined>;
  /**
   * Neither accepted nor revoked, newest first; with null those of operators. Expired ones are
   * listed too.
   */
  list(projectId: string | null): Promise<readonly InvitationRecord[]>;
  /** The open ones of an address, in lower case. */
  openFor(email: string, now: string): Promise<readonly InvitationRecord[]>;
  /**
   * A new link, whose maker is the maker of the invitation from then on: no one else knows it.
   * false when the invitation was accepted or revoked, or does not exist, or when the maker may not
   * make it (any more).
   */
  renew(invitationId: string, link: NewLink): Promise<boolean>;
  /** false when it was accepted or revoked already, or does not exist. */
  revoke(invitationId: string, at: string): Promise<boolean>;
  /** Accepts an open invitation: the person gets its role. false when it is not open any more. */
  accept(invitationId: string, personId: string, at: string): Promise<boolean>;
}

export interface NewLink {
  readonly tokenDigest: string;
  readonly expiresAt: string;
  /** The id of a person; null = the command line. */
  readonly createdBy: string | null;
}

export function createInvitations(database: OpenDatabase): Invitations {
  const { db } = database;
  return {
    create: (invitation, tokenDigest) =>
      changingRoles(database, async (transaction) => {
        if (!(await isAllowed(transaction, invitation))) return false;
        const row = rowOf(invitation, tokenDigest);
        await transaction.insertInto('invitations').values(row).execute();
        return true;
      }),
    find: async (id) =>
      recordOf(await selectedInvitations(db).where('invitations.id', '=', id).execute()),
    findByToken: async (digest) =>
      recordOf(await selectedInvitations(db).where('token_digest', '=', digest).execute()),
    list: async (projectId) => {
      const rows = await selectedInvitations(db)
        .where('accepted_at', 'is', null)
        .where('revoked_at', 'is', null)
        .where('project_id', projectId === null ? 'is' : '=', projectId)
        .orderBy('invitations.created_at', 'desc')
        .orderBy('invitations.id', 'desc')
        .execute();
      return rows.map(toRecord);
    },
    openFor: async (email, now) => {
      const rows = await selectedInvitations(db)
        .where('accepted_at', 'is', null)
        .where('revoked_at', 'is', null)
        .where('invitations.email', '=', email)
        .where('expires_at', '>', now)
        .execute();
      return rows.map(toRecord);
    },
    renew: (id, { tokenDigest, expiresAt, createdBy }) =>
      changingRoles(database, async (transaction) => {
        const found = recordOf(
          await selectedInvitations(transaction).where('invitations.id', '=', id).execute(),
        );
        if (!found || !(await isAllowed(transaction, { ...found, createdBy }))) return false;
        return changed(transaction, id, {
          token_digest: tokenDigest,
          expires_at: expiresAt,
          created_by: createdBy,
        });
      }),
    revoke: (id, at) => changed(db, id, { revoked_at: at }),
    accept: (id, personId, at) =>
      changingRoles(database, (transaction) => accept(transaction, id, personId, at)),
  };
}

const rowOf = (invitation: NewInvitation, tokenDigest: string) => ({
  id: invitation.id,
  project_id: invitation.projectId,
  email: invitation.email,
  role: invitation.role,
  token_digest: tokenDigest,
  created_by: invitation.createdBy,
  created_at: invitation.createdAt,
  expires_at: invitation.expiresAt,
});

/** Changes an invitation that was neither accepted nor revoked. */
async function changed(
  db: Kysely<Tables>,
  id: string,
  values: {
    readonly token_digest?: string;
    readonly expires_at?: string;
    readonly created_by?: string | null;
    readonly revoked_at?: string;
  },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('invitations')
    .set(values)
    .where('id', '=', id)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0;
}

/**
 * One statement takes the invitation, so that of two who accept it at the same time one succeeds.
 */
async function accept(
  transaction: Transaction<Tables>,
  id: string,
  personId: string,
  at: string,
): Promise<boolean> {
  // no link outlives the right to make it
  const found = recordOf(
    await selectedInvitations(transaction).where('invitations.id', '=', id).execute(),
  );
  if (!found || !(await isAllowed(transaction, found))) return false;
  const taken = await transaction
    .updateTable('invitations')
    .set({ accepted_at: at })
    .where('id', '=', id)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at)
    .returning(['project_id', 'role'])
    .executeTakeFirst();
  if (!taken) return false;
  await endLinksOf(transaction, personId);
  const { project_id: projectId, role } = taken;
  if (projectId !== null && isRole(role)) {
    await addMember(transaction, { projectId, personId, role }, at);
  } else {
    await transaction
      .updateTable('console_users')
      .set({ is_operator: 1 })
      .where('id', '=', personId)
      .execute();
  }
  return true;
}
