import type { KeyState, Permission } from '@trawl/contract';
import { GRACE_MINUTES, type GracePeriod, PERMISSIONS } from '@trawl/contract/vocabulary';
import type { Tone } from '../../parts/badge.tsx';

interface StateWords {
  readonly label: string;
  readonly tone: Tone;
}

export const STATES: Readonly<Record<KeyState, StateWords>> = {
  revoked: { label: 'Revoked', tone: 'neutral' },
  disabled: { label: 'Disabled', tone: 'neutral' },
  expired: { label: 'Expired', tone: 'neutral' },
  out_of_budget: { label: 'Out of budget', tone: 'bad' },
  nearly_out_of_budget: { label: 'Nearly out of budget', tone: 'warn' },
  rate_limited: { label: 'Rate limited', tone: 'warn' },
  expires_soon: { label: 'Expires soon', tone: 'warn' },
  elevated_failures: { label: 'Many failures', tone: 'warn' },
  operational: { label: 'Operational', tone: 'good' },
};

export const PERMISSION_WORDS: Readonly<Record<Permission, string>> = {
  search: 'Run searches, which may cost money',
  fetch: 'Fetch pages, which may cost money',
  read: 'Read sessions, interactions and its own usage',
  manage:
    'Make and run watches, delete sessions, probe providers, and read the usage of the project and the figures of providers',
};

/** Sets of permissions by a word. */
export const PRESETS = [
  { label: 'Search only', permissions: ['search'] },
  { label: 'Search, fetch and read', permissions: ['search', 'fetch', 'read'] },
  { label: 'Read only', permissions: ['read'] },
  { label: 'Everything', permissions: PERMISSIONS },
] as const satisfies readonly { label: string; permissions: readonly Permission[] }[];

const GRACE_WORDS: Readonly<Record<GracePeriod, string>> = {
  now: 'End it now',
  '15m': '15 minutes',
  '1h': '1 hour',
  '6h': '6 hours',
  '24h': '24 hours',
};

export const GRACE_OPTIONS = (Object.keys(GRACE_MINUTES) as GracePeriod[]).map((value) => ({
  value,
  label: GRACE_WORDS[value],
}));

/** Who names a client of `/mcp`: the host of its document, or an operator. */
export const clientPlace = (client: string): string =>
  client.startsWith('https://') ? new URL(client).host : 'entered by an operator';
