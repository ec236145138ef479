import type { AuditEntry } from '@trawl/contract/console';

/** What was done, or was refused. An action that is not here is shown by its code only. */
const ACTION_TEXTS: Readonly<Record<string, string>> = {
  'setup.code_created': 'made a one-time code for the set-up',
  'setup.completed': 'set up the deployment',
  'session.signed_in': 'signed in',
  'session.signed_out': 'signed out',
  'session.revoked': 'ended sign-ins',
  'person.renamed': 'changed their name',
  'person.password_changed': 'changed their password',
  'person.deleted': 'deleted an account',
  'invitation.created': 'invited a person',
  'invitation.resent': 'made a new link for an invitation',
  'invitation.revoked': 'revoked an invitation',
  'invitation.accepted': 'accepted an invitation',
  'member.added': 'added a member',
  'member.role_changed': 'changed a role',
  'member.removed': 'removed a member',
  'operator.added': 'made an operator',
  'operator.removed': 'removed an operator',
};

export const actionText = ({ action }: AuditEntry): string => ACTION_TEXTS[action] ?? action;

const ACTOR_TEXTS: Readonly<Record<AuditEntry['actor']['kind'], string>> = {
  person: 'a person',
  command_line: 'command line on the server',
  key: 'an API key',
  anonymous: 'not signed in',
};

/** Who did it: a name if there is one. */
export const actorText = ({ actor }: AuditEntry): string =>
  actor.name ?? actor.email ?? actor.id ?? ACTOR_TEXTS[actor.kind];

/** To what it was done. */
export const targetText = ({ target }: AuditEntry): string | undefined =>
  target.name ?? target.id ?? undefined;

/** What changed, in one line: `from: viewer, to: admin`. */
export function detailText({ detail }: AuditEntry): string {
  return Object.entries(detail ?? {})
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}
