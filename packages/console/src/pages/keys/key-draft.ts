import type { KeyProfile, Permission } from '@trawl/contract';
import type { ConsoleCall, ConsoleKey, KeyList } from '@trawl/contract/console';
import { CONSOLE_LIMITS } from '@trawl/contract/limits';
import { PERMISSIONS } from '@trawl/contract/vocabulary';
import { DAY_MS } from '../../parts/time-text.ts';

export type NewKeyBody = ConsoleCall<'createKey'>['body'];

/** Names of the deployment's providers. */
export interface ProviderNames {
  readonly all: readonly string[];
  /** Those of searches. */
  readonly search: readonly string[];
}

export const providersOf = (
  answer: Pick<KeyList, 'providers' | 'search_providers'> | undefined,
): ProviderNames => ({ all: answer?.providers ?? [], search: answer?.search_providers ?? [] });

/** When a key ends: after some days, at a time, or never. */
export const EXPIRY_DAYS = { '7': 7, '30': 30, '90': 90, '365': 365 } as const;
export type Expiry = 'never' | 'custom' | keyof typeof EXPIRY_DAYS;

/** What a person has typed into the form of a key. */
export interface KeyDraft {
  /** Whether it is the key of a login, whose end and rights have limits. */
  readonly isLogin: boolean;
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly expiry: Expiry;
  /** Of the browser's zone, as `datetime-local` has it; for the expiry `custom`. */
  readonly expiresAt: string;
  /** Empty = no limit. */
  readonly rateLimit: string;
  /** US dollars; empty = no limit. */
  readonly budget: string;
  /** null = all. */
  readonly providers: readonly string[] | null;
  /** Whether it may only use providers that train no models on what is sent. */
  readonly noTraining: boolean;
  /** Host names, separated by commas or spaces; empty = all. */
  readonly domains: string;
  /** What it asks for where its requests do not say, without the providers of fetches. */
  readonly profile: KeyProfile;
  /** Providers of its fetches in turn, separated by commas or spaces; empty = the server's. */
  readonly fetchChain: string;
}

export const EMPTY_DRAFT: KeyDraft = {
  isLogin: false,
  name: '',
  permissions: ['search', 'fetch', 'read'],
  expiry: 'never',
  expiresAt: '',
  rateLimit: '',
  budget: '',
  providers: null,
  noTraining: false,
  domains: '',
  profile: {},
  fetchChain: '',
};

/** What it may do in its project. A key of the operator API may do nothing there. */
export const permissionsOf = (key: ConsoleKey): readonly Permission[] =>
  PERMISSIONS.filter((name) => key.permissions.includes(name));

export const draftOf = (key: ConsoleKey): KeyDraft => ({
  isLogin: key.login_client !== null,
  name: key.name,
  permissions: permissionsOf(key),
  // the end of a login moves with its use, and is not set
  expiry: key.expires_at === null || key.login_client !== null ? 'never' : 'custom',
  expiresAt: key.expires_at === null ? '' : localTime(new Date(key.expires_at)),
  rateLimit: key.rate_limit === null ? '' : String(key.rate_limit),
  budget: key.monthly_budget_usd === null ? '' : String(key.monthly_budget_usd),
  providers: key.allowed_providers,
  noTraining: key.no_training,
  domains: key.allowed_domains?.join(', ') ?? '',
  profile: key.profile ?? {},
  fetchChain: key.profile?.fetch?.providers?.join(', ') ?? '',
});

/** The sections of the form. */
export const SECTIONS = [
  'general',
  'permissions',
  'providers',
  'defaults',
  'limits',
  'expiry',
] as const;
export type Section = (typeof SECTIONS)[number];

/** What is wrong in a section, in one sentence. */
export type DraftFaults = Readonly<Partial<Record<Section, string>>>;

const { nameCharacters: NAME_MAX, rateLimit: RATE_MAX, budgetUsd: BUDGET_MAX } = CONSOLE_LIMITS;

/** The faults that can be seen without the server. */
export function faultsOf(draft: KeyDraft, now: number): DraftFaults {
  const { name, permissions, providers, expiry, expiresAt } = draft;
  const length = name.trim().length;
  return {
    ...(length === 0 ? { general: 'Give the key a name.' } : {}),
    ...(length > NAME_MAX ? { general: `A name has at most ${NAME_MAX} characters.` } : {}),
    ...(permissions.length === 0 ? { permissions: 'Choose at least one permission.' } : {}),
    ...(providers?.length === 0 ? { providers: 'Choose at least one provider, or all.' } : {}),
    ...(draft.profile.search?.providers?.include?.length === 0
      ? { defaults: 'Choose at least one provider, or the server’s default.' }
      : {}),
    ...limitFaults(draft),
    ...(expiry === 'custom' && !(Date.parse(expiresAt) > now)
      ? { expiry: 'Choose a time in the future.' }
      : {}),
  };
}

function limitFaults({ rateLimit, budget }: KeyDraft): DraftFaults {
  const rate = Number(rateLimit);
  if (rateLimit.trim() !== '' && !(Number.isInteger(rate) && rate >= 1 && rate <= RATE_MAX)) {
    return { limits: 'The rate limit is a whole number of requests a minute, such as 60.' };
  }
  const dollars = Number(budget);
  if (budget.trim() !== '' && !(dollars >= 0 && dollars <= BUDGET_MAX)) {
    return { limits: 'The monthly budget is an amount of US dollars, such as 25 or 0.50.' };
  }
  return {};
}

/** The body of a request. @param draft one without faults */
export const bodyOf = (draft: KeyDraft, now: number): NewKeyBody => ({
  name: draft.name.trim(),
  permissions: [...draft.permissions],
  expires_at: expiryOf(draft, now),
  rate_limit: draft.rateLimit.trim() === '' ? null : Number(draft.rateLimit),
  monthly_budget_usd: draft.budget.trim() === '' ? null : Number(draft.budget),
  allowed_providers: draft.providers && [...draft.providers],
  no_training: draft.noTraining,
  allowed_domains: namesOf(draft.domains),
  profile: sentProfile(draft),
});

/** null = none. Whether they are right is checked by the server. */
function namesOf(text: string): string[] | null {
  const names = text.split(/[\s,]+/).filter((name) => name !== '');
  return names.length > 0 ? names : null;
}

/** Without members that say nothing; null = nothing is left. */
function sentProfile({ profile, fetchChain }: KeyDraft): NewKeyBody['profile'] {
  const fetch = { ...profile.fetch, providers: namesOf(fetchChain) ?? undefined };
  return (withoutEmpty({ ...profile, fetch }) ?? null) as NewKeyBody['profile'];
}

function withoutEmpty(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, withoutEmpty(member)]);
  const said = members.filter(([, member]) => member !== undefined);
  return said.length === 0 ? undefined : Object.fromEntries(said);
}

function expiryOf({ expiry, expiresAt }: KeyDraft, now: number): string | null {
  if (expiry === 'never') return null;
  if (expiry === 'custom') return new Date(expiresAt).toISOString();
  return new Date(now + EXPIRY_DAYS[expiry] * DAY_MS).toISOString();
}

/** What a change sends: only what differs, so that a change of another person meanwhile is kept. */
export function changesOf(before: KeyDraft, after: KeyDraft, now: number): Partial<NewKeyBody> {
  const [old, next] = [bodyOf(before, now), bodyOf(after, now)];
  const entries = Object.entries(next).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name as keyof NewKeyBody]),
  );
  return Object.fromEntries(entries);
}

/** As a `datetime-local` control has it, in the browser's zone. */
function localTime(at: Date): string {
  const shifted = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}
