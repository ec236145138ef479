import type { Tables } from '@trawl/database';
import type { Kysely } from 'kysely';
import type { InvitationRecord } from './records.ts';

/** Invitations with the names of their project and maker. */
export const selectedInvitations = (db: Kysely<Tables>) =>
  db
    .selectFrom('invitations')
    .leftJoin('projects', 'projects.id', 'invitations.project_id')
    .leftJoin('console_users', 'console_users.id', 'invitations.created_by')
    .selectAll('invitations')
    .select(['projects.name as project_name', 'console_users.name as created_by_name']);

export type InvitationRow = Awaited<
  ReturnType<ReturnType<typeof selectedInvitations>['execute']>
>[number];

export const recordOf = ([row]: readonly InvitationRow[]): InvitationRecord | undefined =>
  row && toRecord(row);

export const toRecord = (row: InvitationRow): InvitationRecord => ({
  id: row.id,
  projectId: row.project_id,
  projectName: row.project_name,
  email: row.email,
  role: row.role,
  createdBy: row.created_by,
  createdByName: row.created_by_name,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  acceptedAt: row.accepted_at,
  revokedAt: row.revoked_at,
});
