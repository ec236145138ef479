import type { AuditEntry } from '@trawl/contract/console';
import type { AuditAction } from '@trawl/contract/vocabulary';
import { MICROS, moneyText } from '../../parts/number-text.ts';

/**
 * What was done, or was refused. A server that is newer than the page may send others: those are
 * shown by their code.
 */
const ACTION_TEXTS: Readonly<Record<AuditAction, string>> = {
  'setup.code_created': 'made a one-time code for the set-up',
  'setup.completed': 'set up the deployment',
  'session.signed_in': 'signed in',
  'session.signed_out': 'signed out',
  'session.revoked': 'ended sign-ins',
  'person.renamed': 'changed their name',
  'person.password_changed': 'changed their password',
  'person.linked': 'took over the account by single sign-on',
  'password_link.created': 'made a link for a new password',
  'password_link.used': 'set a new password with a link',
  'person.deleted': 'deleted an account',
  'invitation.created': 'invited a person',
  'invitation.resent': 'made a new link for an invitation',
  'invitation.revoked': 'revoked an invitation',
  'invitation.accepted': 'accepted an invitation',
  'key.created': 'made an API key',
  'key.changed': 'changed an API key',
  'key.disabled': 'disabled an API key',
  'key.enabled': 'enabled an API key',
  'key.revoked': 'revoked an API key',
  'key.rotated': 'replaced an API key',
  'key.deleted': 'deleted an API key',
  'login.granted': 'let a program log in',
  'login.refused': 'did not let a program log in',
  'login.ended': 'ended the login of a program',
  'login_client.added': 'entered a client of /mcp',
  'login_client.removed': 'removed a client of /mcp',
  'provider_key.added': 'set a key of a provider',
  'provider_key.removed': 'removed a key of a provider',
  'provider.health_reset': 'reset the health of a provider',
  'member.added': 'added a member',
  'member.role_changed': 'changed a role',
  'member.removed': 'removed a member',
  'operator.added': 'made an operator',
  'operator.removed': 'removed an operator',
  'project.created': 'made a project',
  'project.renamed': 'renamed the project',
  'project.limits_changed': 'changed the limits of the project',
  'project.retention_changed': 'changed how long recordings are kept',
  'project.web_rules_changed': 'changed the web rules of the project',
  'project.mcp_login_changed': 'changed who may let programs log in',
  'project.deleted': 'deleted the project',
  'history.deleted': 'deleted a recorded session',
  'routing.promoted': 'put a learned order of providers into use',
  'routing.reverted': 'went back to the order of providers before',
  'routing.shadow_changed': 'changed the shadow mode of auto-routing',
  'access.refused': 'called what needs a higher role',
  'admin.read': 'read by the operator API',
  'admin.refused': 'was refused by the operator API, or elsewhere with a key of it',
};

export const actionText = ({ action }: AuditEntry): string =>
  isKnown(action) ? ACTION_TEXTS[action] : action;

const isKnown = (action: string): action is AuditAction => Object.hasOwn(ACTION_TEXTS, action);

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

/** What changed, in one line: `monthly budget: $5.00; allowed providers: none`. */
export function detailText({ detail }: AuditEntry): string {
  return Object.entries(detail ?? {})
    .map(([name, value]) => {
      const words = name.replace(/_(?:micros|usd)$/, '').replaceAll('_', ' ');
      return `${words}: ${valueText(name, value)}`;
    })
    .join('; ');
}

function valueText(name: string, value: unknown): string {
  if (value === null) return 'none';
  if (typeof value === 'number' && name.endsWith('_micros')) return moneyText(value / MICROS);
  if (typeof value === 'number' && name.endsWith('_usd')) return moneyText(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const isList = Array.isArray(value) && value.every((item) => typeof item === 'string');
  if (isList) return value.length === 0 ? 'none' : value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
