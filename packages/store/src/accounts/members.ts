import { includesRole, type Role } from '@trawl/contract';
import type { OpenDatabase, Tables } from '@trawl/database';
import type { Kysely, Transaction } from 'kysely';
import { personFacts, personRecord } from './people.ts';
import type { ChangeOutcome, MemberRecord, RoleChange } from './records.ts';
import { changingRolesOf, hasOtherOperator } from './role-lock.ts';

/** The role of a person in a project. */
export interface MemberRole {
  readonly projectId: string;
  readonly personId: string;
  readonly role: Role;
}

/** Which people have which role in a project. */
export interface Members {
  /** The members and all operators, by name. */
  list(projectId: string): Promise<readonly MemberRecord[]>;
  /** A person's roles by the id of the project. */
  rolesOf(personId: string): Promise<ReadonlyMap<string, Role>>;
  /** All roles of all people, in the order of the projects. */
  roles(): Promise<readonly MemberRole[]>;
  /** The last owner stays one; an operator counts as an owner. */
  setRole(projectId: string, personId: string, role: Role, at: string): Promise<RoleChange>;
  /** The last owner stays; an operator counts as an owner. */
  remove(projectId: string, personId: string, at: string): Promise<RoleChange>;
}

export function createMembers(database: OpenDatabase): Members {
  const { db } = database;
  return {
    list: (projectId) => listMembers(database, projectId),
    rolesOf: (personId) => rolesOf(db, personId),
    roles: async () => {
      const rows = await db
        .selectFrom('project_members')
        .select(['project_id', 'user_id', 'role'])
        .orderBy('project_id')
        .execute();
      return rows.map((row) => ({
        projectId: row.project_id,
        personId: row.user_id,
        role: row.role,
      }));
    },
    setRole: (projectId, personId, role, at) =>
      changingRolesOf(database, personId, at, async (transaction) => {
        const isSafe = role === 'owner' || (await hasOtherOwner(transaction, projectId, personId));
        if (!isSafe) return unlessUnknown(transaction, projectId, personId);
        const { numUpdatedRows } = await transaction
          .updateTable('project_members')
          .set({ role })
          .where('project_id', '=', projectId)
          .where('user_id', '=', personId)
          .executeTakeFirstOrThrow();
        return numUpdatedRows > 0 ? 'changed' : 'unknown';
      }),
    remove: (projectId, personId, at) =>
      changingRolesOf(database, personId, at, async (transaction) => {
        if (!(await hasOtherOwner(transaction, projectId, personId))) {
          return unlessUnknown(transaction, projectId, personId);
        }
        const { numDeletedRows } = await transaction
          .deleteFrom('project_members')
          .where('project_id', '=', projectId)
          .where('user_id', '=', personId)
          .executeTakeFirstOrThrow();
        return numDeletedRows > 0 ? 'changed' : 'unknown';
      }),
  };
}

/** By the id of the project. */
export async function rolesOf(
  db: Kysely<Tables>,
  personId: string,
): Promise<ReadonlyMap<string, Role>> {
  const rows = await db
    .selectFrom('project_members')
    .select(['project_id', 'role'])
    .where('user_id', '=', personId)
    .execute();
  return new Map(rows.map((row) => [row.project_id, row.role]));
}

async function listMembers(
  { db }: OpenDatabase,
  projectId: string,
): Promise<readonly MemberRecord[]> {
  const rows = await db
    .selectFrom('console_users')
    .leftJoin('project_members', (join) =>
      join
        .onRef('project_members.user_id', '=', 'console_users.id')
        .on('project_members.project_id', '=', projectId),
    )
    .selectAll('console_users')
    .select((eb) => [
      'project_members.role',
      'project_members.created_at as member_since',
      ...personFacts(eb),
    ])
    .where((eb) => eb.or([eb('role', 'is not', null), eb('is_operator', '=', 1)]))
    .orderBy('name')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    ...personRecord(row),
    role: row.is_operator === 1 ? 'owner' : (row.role ?? 'viewer'),
    memberSince: row.member_since,
  }));
}

/** Adds a member. One who is there already keeps the higher of both roles. */
export async function addMember(
  transaction: Transaction<Tables>,
  added: { readonly projectId: string; readonly personId: string; readonly role: Role },
  at: string,
): Promise<void> {
  const { projectId, personId, role } = added;
  const member = await transaction
    .selectFrom('project_members')
    .select('role')
    .where('project_id', '=', projectId)
    .where('user_id', '=', personId)
    .executeTakeFirst();
  if (member && includesRole(member.role, role)) return;
  await transaction
    .insertInto('project_members')
    .values({ project_id: projectId, user_id: personId, role, created_at: at })
    .onConflict((conflict) => conflict.columns(['project_id', 'user_id']).doUpdateSet({ role }))
    .execute();
}

/** Whether the project has an owner without this person. */
async function hasOtherOwner(
  transaction: Transaction<Tables>,
  projectId: string,
  personId: string,
): Promise<boolean> {
  const other = await transaction
    .selectFrom('project_members')
    .select('user_id')
    .where('project_id', '=', projectId)
    .where('role', '=', 'owner')
    .where('user_id', '<>', personId)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined || hasOtherOperator(transaction, personId);
}

async function unlessUnknown(
  transaction: Transaction<Tables>,
  projectId: string,
  personId: string,
): Promise<ChangeOutcome> {
  const member = await transaction
    .selectFrom('project_members')
    .select('role')
    .where('project_id', '=', projectId)
    .where('user_id', '=', personId)
    .executeTakeFirst();
  return member ? 'last_owner' : 'unknown';
}
