import { cutCodePoints } from '@trawl/base';
import {
  LIMITS,
  parsedUrl,
  type TypedErrorCode,
  type Warning,
  type WebRule,
  withScheme,
} from '@trawl/contract';
import { comparableUrl, urlWithTracking } from '@trawl/providers';
import type { ConfiguredFetchProvider, Deployment } from '../deployment/deployment.ts';
import { providerHint } from '../deployment/provider-hint.ts';
import { type AllowedDomains, checkDomains } from '../keys/allowed-domains.ts';
import {
  type AllowedProviders,
  isAllowed,
  noneAllowed,
  notAllowed,
  trainingWarnings,
} from '../keys/allowed-providers.ts';
import { RequestError } from '../requests/request-error.ts';
import { checkRule } from '../web-rules/refusal.ts';
import type { WebRules } from '../web-rules/web-rules.ts';
import type { FetchCommand, PageOptions } from './command.ts';

/** One URL of a checked request. */
export interface PageTarget {
  /** As sent. */
  readonly url: string;
  readonly parsed: URL;
  /** Normalized: equal for equal pages. */
  readonly comparable: string;
  /** The web rule that refuses it; absent = none does. */
  readonly rule?: WebRule | undefined;
}

/** A request that passed the checks. */
export interface CheckedFetch {
  readonly targets: readonly PageTarget[];
  /** In the order in which they are asked. */
  readonly chain: readonly ConfiguredFetchProvider[];
  /** About the whole call: left out providers of the default chain, options without effect. */
  readonly notes: readonly Warning[];
}

/** What a key may fetch, and with which providers. */
export interface KeyScope {
  readonly allowedProviders: AllowedProviders;
  readonly allowedDomains: AllowedDomains;
}

/**
 * The rules beyond the schema, in the order in which they are reported; only the first is.
 * @param key the providers that the caller's key may use, and the hosts whose pages it may fetch
 * @throws RequestError of the typed family
 */
export function checkFetch(
  command: FetchCommand,
  deployment: Deployment,
  maxUrls: number,
  { allowedProviders: allowed, allowedDomains }: KeyScope,
): CheckedFetch {
  const { urls, options } = command;
  if (urls.length > maxUrls) {
    const message = `urls: ${urls.length} URLs, over the limit of ${maxUrls} per fetch; send them in several requests`;
    throw refusal(400, message, { code: 'over_url_cap', param: 'urls' });
  }
  const targets = urls.map(checkUrl);
  checkDuplicates(targets);
  if (allowedDomains !== null) {
    checkDomains(
      targets.map(({ parsed }, index) => [`urls[${index}]`, parsed]),
      allowedDomains,
    );
  }
  const { whole, chain } = chainFor(options, deployment, allowed);
  if (chain.length < whole.length) checkAllowedKinds(targets, { whole, chain }, allowed);
  checkKinds(targets, chain);
  const notes = options.pinned ? [] : trainingWarnings(deployment.fetchChain, allowed);
  return { targets, chain, notes: [...notes, ...focusNotes(options)] };
}

/**
 * The providers of a fetch, and those of them that the key may use.
 * @throws RequestError of the typed family
 */
export function chainFor(
  options: Pick<PageOptions, 'pinned'>,
  deployment: Deployment,
  allowed: AllowedProviders,
): Record<'whole' | 'chain', readonly ConfiguredFetchProvider[]> {
  const names = options.pinned ?? deployment.fetchChain;
  const whole = names.map((name, index) => providerOf(name, index, deployment));
  const refused = options.pinned?.findIndex((slug) => !isAllowed(allowed, slug)) ?? -1;
  if (refused >= 0) {
    const param = `options.providers[${refused}]`;
    throw notAllowed(param, [names[refused] ?? ''], allowed, param);
  }
  const chain = whole.filter(({ declaration }) => isAllowed(allowed, declaration.slug));
  if (whole.length > 0 && chain.length === 0) throw noneAllowed('options.providers', allowed);
  return { whole, chain };
}

/** Says that a tier has no passages. */
const focusNotes = ({ focus, fields, tier }: PageOptions): readonly Warning[] =>
  focus === null || fields.has('passages')
    ? []
    : [
        {
          code: 'focus_ignored',
          message: `focus: it has no effect at tier ${tier}; send options.tier extended or max for passages`,
        },
      ];

function providerOf(name: string, index: number, deployment: Deployment): ConfiguredFetchProvider {
  const provider = deployment.fetchProviders.get(name);
  if (provider) return provider;
  const available = [...deployment.fetchProviders.keys()].join(', ');
  throw refusal(
    400,
    `options.providers: unknown provider ${JSON.stringify(name.slice(0, 64))}; available providers: ${available}`,
    { code: 'unknown_provider', param: `options.providers[${index}]` },
    providerHint([name], 'fetch', deployment),
  );
}

/** Refuses a page that some provider of the chain accepts, but none that the key may use. */
function checkAllowedKinds(
  targets: readonly PageTarget[],
  { whole, chain }: Record<'whole' | 'chain', readonly ConfiguredFetchProvider[]>,
  allowed: AllowedProviders,
): void {
  const refused = targets.findIndex(
    ({ parsed }) =>
      whole.some((provider) => accepts(provider, parsed)) &&
      !chain.some((provider) => accepts(provider, parsed)),
  );
  if (refused >= 0) throw noneAllowed(`urls[${refused}]`, allowed, `urls[${refused}]`);
}

/**
 * Characters that must be percent-encoded in a URL; Chrome and others would drop or encode them
 * silently.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for control characters
const UNENCODED = /[\s\u0000-\u001f\u007f]/;

/**
 * URL parsers differ on where the host ends there, so a provider could be asked for a host other
 * than the checked one.
 */
const BACKSLASH_BY_HOST = /^https?:\/{2,}[^/?#]*\\/i;

function checkUrl(url: string, index: number): PageTarget {
  const read = readPageUrl(url);
  if ('target' in read) return read.target;
  const param = `urls[${index}]`;
  throw refusal(422, `${param}: ${read.fault}`, { code: 'invalid_url', param });
}

/** Parsers drop the slashes of `https:///host`, so a part of the path would become the host. */
const WITH_HOST = /^https?:\/\/[^/?#]/i;

/** An empty user name is dropped by parsers too. */
const USER_INFO = /^https?:\/\/[^/?#]*@/i;

/** The page of a URL that a caller sent, or why it is not accepted. */
export function readPageUrl(
  url: string,
): { readonly target: PageTarget } | { readonly fault: string } {
  if (cutCodePoints(url, LIMITS.urlCharacters) !== url) {
    return { fault: `longer than ${LIMITS.urlCharacters} characters` };
  }
  if (UNENCODED.test(url)) {
    return { fault: 'holds a space or control character; percent-encode it or leave it out' };
  }
  const parsed = parsedUrl(url);
  const comparable = WITH_HOST.test(url) ? comparableUrl(url) : null;
  if (comparable === null || parsed === null) {
    const meant = withScheme(url);
    const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
    return { fault: `give an absolute http:// or https:// URL with a host${hint}` };
  }
  if (BACKSLASH_BY_HOST.test(url)) {
    return { fault: 'holds a backslash in or before its host; write / or leave it out' };
  }
  if (USER_INFO.test(url)) {
    return { fault: 'user names and passwords in a URL are not accepted; leave them out' };
  }
  return { target: { url, parsed, comparable: comparable.url } };
}

function checkDuplicates(targets: readonly PageTarget[]): void {
  const firstAt = new Map<string, number>();
  for (const [index, { url, comparable }] of targets.entries()) {
    // pages may differ by a parameter that usually only tracks, so they are not refused for it
    const address = urlWithTracking(url) ?? comparable;
    const first = firstAt.get(address);
    if (first !== undefined) {
      const message = `urls[${index}]: the same page as urls[${first}]; send each page once`;
      throw refusal(422, message, { code: 'duplicate_urls', param: `urls[${index}]` });
    }
    firstAt.set(address, index);
  }
}

/** Some provider of the chain must take each URL. Only a pinned chain can be without one. */
function checkKinds(
  targets: readonly PageTarget[],
  chain: readonly ConfiguredFetchProvider[],
): void {
  const refused = targets.findIndex(
    ({ parsed }) => !chain.some((provider) => accepts(provider, parsed)),
  );
  if (refused < 0) return;
  const names = chain.map(({ declaration }) => declaration.slug).join(', ');
  throw refusal(
    400,
    `urls[${refused}]: no page that ${names} ${chain.length === 1 ? 'accepts' : 'accept'}; pin another provider or none`,
    { code: 'invalid_kind', param: `urls[${refused}]` },
  );
}

export function accepts({ declaration }: ConfiguredFetchProvider, url: URL): boolean {
  return declaration.accepts?.(url) ?? true;
}

function refusal(
  status: 400 | 422,
  message: string,
  typed: { readonly code: TypedErrorCode; readonly param: string },
  hint?: string,
): RequestError {
  return new RequestError(status, message, { typed, hint });
}

/**
 * The pages with the rules that refuse them, and the request with their URLs as they are recorded
 * and answered: a key or a secret in one is in neither.
 * @throws RequestError 403 for a query of passages that has one
 */
export function underWebRules(
  command: FetchCommand,
  targets: readonly PageTarget[],
  rules: WebRules,
): { readonly command: FetchCommand; readonly targets: readonly PageTarget[] } {
  const { focus } = command.options;
  if (focus !== null) checkRule('options.focus.query', rules.ofText(focus.query));
  const ruled = targets.map((target) => {
    const rule = rules.ofUrl(target.url);
    return rule === null ? target : { ...shownTarget(target, rule, rules), rule };
  });
  if (ruled.every((target, index) => target === targets[index])) return { command, targets };
  return { command: { ...command, urls: ruled.map(({ url }) => url) }, targets: ruled };
}

const REDACTED = '[redacted]';

function shownTarget(target: PageTarget, rule: WebRule, rules: WebRules): PageTarget {
  if (rule !== 'keys' && rule !== 'secrets') return target;
  const { origin, protocol } = target.parsed;
  const hasSecretHost = rules.ofTokens(origin) !== null;
  const url = `${hasSecretHost ? `${protocol}//${REDACTED}` : origin}/${REDACTED}`;
  return { ...target, url, comparable: url };
}
