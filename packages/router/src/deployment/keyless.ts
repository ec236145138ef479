import type { FetchProvider, OpenSource, Pace, SearchProvider } from '@trawl/providers';
import type { UpstreamObstacle } from '@trawl/upstream';

export const KEYLESS_MODES = ['auto', 'on', 'off'] as const;
export type KeylessMode = (typeof KEYLESS_MODES)[number];

export const KEYLESS_VARIABLE = 'KEYLESS_SEARCH';
export const CONTACT_VARIABLE = 'CONTACT';

/** The operator's settings for services that are asked without a key. */
export interface KeylessSettings {
  /** Absent = `auto`. */
  readonly keylessSearch?: KeylessMode | undefined;
  /** The open sources that exist here; absent = all but those that have to be named. */
  readonly openSources?: readonly string[] | undefined;
  /** An e-mail address or URL of the operator. */
  readonly contact?: string | undefined;
  /** Whether services are asked in their own pace; absent = on. */
  readonly sourcePace?: 'on' | 'off' | undefined;
  /** The address that this server listens on; absent = this machine's own. */
  readonly host?: string | undefined;
  /** Of this program, for the User-Agent. */
  readonly version?: string | undefined;
}

/** When services without a key run: never, where a request names them, or like others. */
export type KeylessReach = 'never' | 'when_named' | 'always';

/** Addresses and names that only this machine reaches. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i;

/**
 * With `auto`, a server for this machine alone that has no provider of its own asks them, so that a
 * first search finds something. Others' queries are not sent to services that the operator has not
 * chosen.
 */
export function keylessReach(
  { keylessSearch = 'auto', host = '127.0.0.1' }: KeylessSettings,
  isAnyConfigured: boolean,
): KeylessReach {
  if (keylessSearch === 'off') return 'never';
  if (keylessSearch === 'on') return 'always';
  return !isAnyConfigured && LOOPBACK.test(host) ? 'always' : 'when_named';
}

/** Whether a source exists in this deployment. */
export function existsHere({ slug, open }: SearchProvider, { openSources }: KeylessSettings) {
  if (open === undefined) return true;
  return openSources?.includes(slug) ?? open.onlyIfNamed === undefined;
}

/** `trawl/1.2.3 (+ops@example.com)` */
export function userAgentOf({ version, contact }: KeylessSettings): string {
  const product = version === undefined ? 'trawl' : `trawl/${version}`;
  return contact === undefined ? product : `${product} (+${contact})`;
}

export const isEmail = (contact: string | undefined): contact is string =>
  contact?.includes('@') === true && !contact.includes('://');

/** The pace of a source with the contact of this deployment. */
export function paceOf({ pace, contact: rule }: OpenSource, { contact }: KeylessSettings): Pace {
  return rule?.kind === 'faster' && contact === undefined ? rule.paceWithout : pace;
}

/** Why a source is not asked in this deployment; undefined = it is. */
export function openObstacle(
  { contact: rule }: OpenSource,
  reach: KeylessReach,
  { contact }: KeylessSettings,
): UpstreamObstacle | undefined {
  if (reach === 'never') {
    const remedy = `set ${KEYLESS_VARIABLE} to auto or on in the server settings`;
    return { happened: `is not asked without a key (${KEYLESS_VARIABLE} is off)`, remedy };
  }
  if (rule?.kind !== 'needed' || isEmail(contact)) return undefined;
  const happened = `serves no caller without an e-mail address (${CONTACT_VARIABLE} is not set to one)`;
  return { happened, remedy: `set ${CONTACT_VARIABLE} to yours in the server settings` };
}

/** What a source would do better with a contact; undefined = nothing. */
export function contactRemark(
  { open }: SearchProvider,
  { contact }: KeylessSettings,
): string | undefined {
  if (open?.contact === undefined) return undefined;
  if (open.contact.kind === 'needed') {
    return isEmail(contact) ? undefined : `needs an e-mail address in ${CONTACT_VARIABLE}`;
  }
  if (contact !== undefined) return undefined;
  return `runs at its slower pace, since ${CONTACT_VARIABLE} is not set`;
}

/**
 * The vendor as it answers without a key: no price, and nothing is known of what it does with what
 * it is sent.
 */
export function keylessForm<Declaration extends SearchProvider | FetchProvider>(
  declaration: Declaration,
): Declaration | undefined {
  const { keyless } = declaration;
  if (keyless === undefined) return undefined;
  const { allowance: _allowance, pace, ...form } = keyless;
  return {
    ...declaration,
    optionalParts: [],
    ...form,
    authentication: { in: 'none' },
    concurrency: pace.inFlight,
    price: () => ({ usd: 0, kind: 'known' }),
    dataUse: { ...declaration.dataUse, ...UNKNOWN_USE },
  };
}

const UNKNOWN_USE = {
  training: 'unknown',
  retention: 'unknown',
  region: 'unknown',
  note: 'Asked without a key: the vendor does not say what it does with such queries, and its promises to customers do not hold for them.',
} as const;

/**
 * A source whose call carries the e-mail address of the operator, where it has a parameter for it.
 */
export function withContact(
  declaration: SearchProvider,
  { contact }: KeylessSettings,
): SearchProvider {
  const rule = declaration.open?.contact;
  const parameter = rule?.kind === 'faster' ? rule.parameter : undefined;
  if (parameter === undefined || !isEmail(contact)) return declaration;
  const { request } = declaration;
  return {
    ...declaration,
    request: (plan) => {
      const call = request(plan);
      return { ...call, query: { ...call.query, [parameter]: contact } };
    },
  };
}
