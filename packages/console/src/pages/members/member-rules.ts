import type { Member } from '@trawl/contract/console';
import { ROLES, type Role } from '@trawl/contract/vocabulary';

/** Who looks at the list of members. */
export interface Viewer {
  readonly id: string;
  /** An operator is an owner of every project. */
  readonly isOwner: boolean;
  readonly isAdmin: boolean;
}

/**
 * Why the role of a member stays as it is, for anyone or for this person; undefined = it can be
 * changed.
 */
export function whyFixed(
  member: Member,
  members: readonly Member[],
  viewer: Viewer,
): string | undefined {
  if (member.role !== 'owner') return undefined;
  const isLast = members.every((other) => other.role !== 'owner' || other === member);
  if (isLast) {
    return 'The last owner: a project keeps at least one. Make another person an owner first.';
  }
  if (member.is_operator) return 'An operator of the deployment is an owner of every project.';
  return viewer.isOwner || member.id === viewer.id
    ? undefined
    : 'Only an owner changes or removes an owner.';
}

/**
 * Whether a link for a new password may be asked for. The server also looks at the other projects
 * of the member, and lets operators only make one for a person of single sign-on.
 */
export const mayReset = (member: Member, viewer: Viewer): boolean =>
  viewer.isAdmin &&
  member.id !== viewer.id &&
  !member.is_operator &&
  (viewer.isOwner || member.role !== 'owner');

/** What a role adds to the roles before it. */
const ROLE_TEXTS: Readonly<Record<Role, string>> = {
  viewer: 'reads everything of the project',
  member: 'also searches and fetches in the playground, and gives feedback',
  admin: 'also changes keys, limits and members, and deletes sessions',
  owner: 'also renames the project, and makes and removes owners',
};

/** For a choice of a role. Only owners make owners. */
export const roleOptions = (isOwner: boolean) =>
  ROLES.map((role) => ({
    value: role,
    label: `${role}: ${ROLE_TEXTS[role]}`,
    isDisabled: role === 'owner' && !isOwner,
  }));
