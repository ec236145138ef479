import { ROLES, type Role } from '@trawl/contract/vocabulary';

/** What a role adds to the roles before it. */
export const ROLE_TEXTS: Readonly<Record<Role, string>> = {
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
