import { systemClock } from '@trawl/base';
import type { Style } from '@trawl/client/terminal/style';
import type { WebRules } from '@trawl/contract';
import { type ApiKey, type Limits, type Project, usdOf } from '@trawl/router';
import { rowsText } from '../program/table.ts';

/** Names of projects by id. A key whose project is missing here is listed with the id. */
export type NameOfProject = ReadonlyMap<string, string>;

/** Keys without their secret: a table on a terminal, elsewhere lines separated by tabs. */
export const keysText = (
  style: Style,
  keys: readonly ApiKey[],
  nameOf: NameOfProject,
): Promise<string> =>
  rowsText(
    style,
    [
      ['id', 38],
      ['project', 0.25],
      ['name', 0.25],
      ['ends in', 9],
      ['permissions', 27],
      ['created', 26],
      ['limits', 0.25],
      ['providers', 0.25],
      ['state', 0.25],
    ],
    keys.map((key) => [
      key.id,
      nameOf.get(key.projectId) ?? key.projectId,
      key.name,
      key.lastFour,
      key.permissions.join(','),
      key.createdAt,
      limitsText(key),
      `${key.allowedProviders?.join(',') ?? 'all'}${key.noTraining ? ', no training' : ''}`,
      [
        stateOf(key),
        ...(key.replaySession === null ? [] : [`replays ${key.replaySession}`]),
        ...(key.loginClient === null ? [] : [`login of ${key.loginClient}`]),
      ].join(', '),
    ]),
  );

export const projectsText = (style: Style, projects: readonly Project[]): Promise<string> =>
  rowsText(
    style,
    [
      ['id', 38],
      ['name', 0.5],
      ['created', 26],
      ['limits', 0.5],
      ['keeps', 10],
    ],
    projects.map(({ id, name, createdAt, limits, retentionDays }) => [
      id,
      name,
      createdAt,
      limitsText(limits ?? NO_LIMITS),
      retentionText(retentionDays),
    ]),
  );

export const NO_LIMITS: Limits = { rateLimit: null, monthlyBudgetMicros: null };

/** The limits as a cell of a table. */
export function limitsText({ rateLimit, monthlyBudgetMicros }: Limits): string {
  const budget = usdOf(monthlyBudgetMicros);
  const parts = [
    rateLimit === null ? [] : `${rateLimit}/min`,
    budget === null ? [] : `$${budget}/month`,
  ];
  return parts.flat().join(', ') || 'none';
}

export const policyText = ({ noTraining, allowedDomains }: ApiKey): string =>
  [
    noTraining ? 'only providers that train no models' : 'providers that train models too',
    allowedDomains === null ? 'pages of all hosts' : `pages of ${allowedDomains.join(', ')}`,
  ].join('; ');

/** @param days 0 = for ever, absent = as the setting says */
export function retentionText(days: number | undefined): string {
  if (days === undefined) return 'default';
  return days === 0 ? 'for ever' : `${days} days`;
}

export function rulesText(rules: WebRules | null | undefined): string {
  const { deny = [], allow = [] } = rules?.hosts ?? {};
  const parts = [
    ...(deny.length > 0 ? [`deny ${hostsText(deny)}`] : []),
    ...(allow.length > 0 ? [`allow only ${hostsText(allow)}`] : []),
    ...(rules?.secrets === 'refuse' ? ['refuse secrets'] : []),
  ];
  return parts.join('; ') || 'none';
}

const HOSTS_SHOWN = 10;

const hostsText = (hosts: readonly string[]): string =>
  hosts.length > HOSTS_SHOWN
    ? `${hosts.slice(0, HOSTS_SHOWN).join(', ')} and ${hosts.length - HOSTS_SHOWN} more`
    : hosts.join(', ');

function stateOf({ revokedAt, disabledAt, expiresAt }: ApiKey): string {
  if (revokedAt !== null) return `revoked ${revokedAt}`;
  if (disabledAt !== null) return `disabled ${disabledAt}`;
  if (expiresAt === null) return 'active';
  return Date.parse(expiresAt) <= systemClock.now() ? `expired ${expiresAt}` : `until ${expiresAt}`;
}
