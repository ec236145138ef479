import type { FallbackChoice, TrainingUse, Warning, WebRules } from '@trawl/contract';
import {
  type AnyFetchProvider,
  DEFAULT_FETCH_CHAIN,
  DEFAULT_KEYLESS_PROVIDERS,
  DEFAULT_SEARCH_PROVIDERS,
  FETCH_PROVIDERS,
  type FetchProvider,
  needsCredential,
  type OpenSource,
  type OwnReader,
  type Pace,
  type Prices,
  type Rates,
  type SearchProvider,
  searchProvidersWith,
} from '@trawl/providers';
import type { OperationKind, UpstreamObstacle, UpstreamTarget } from '@trawl/upstream';
import {
  contactRemark,
  existsHere,
  type KeylessReach,
  type KeylessSettings,
  keylessForm,
  keylessReach,
  openObstacle,
  paceOf,
  userAgentOf,
  withContact,
} from './keyless.ts';

/** A search provider as this deployment runs it. */
export interface ConfiguredProvider {
  /** Of the form without a key, where that is the one that runs. */
  readonly declaration: SearchProvider;
  readonly target: UpstreamTarget;
  readonly rates: Rates;
  /** The operator limits the time of its calls. */
  readonly hasOwnTimeLimit: boolean;
  /** Whether the operator has set it up: its credential, or its address where it needs none. */
  readonly isConfigured: boolean;
  /**
   * What it grants without a key, where it is asked or could be asked so; absent = it always needs
   * what the operator sets up.
   */
  readonly keyless?: KeylessOffer;
}

/** How a provider answers without a key in this deployment. */
export interface KeylessOffer {
  readonly allowance: string;
  readonly pace: Pace;
  readonly runs: KeylessReach;
  /** A vendor that has keys, asked without one. */
  readonly isForm: boolean;
  /** What a setting would change. */
  readonly remark?: string | undefined;
}

interface Reachable {
  readonly isConfigured: boolean;
  readonly keyless?: KeylessOffer | undefined;
}

/** Whether a request that names it can run it. */
export const isUsable = ({ isConfigured, keyless }: Reachable): boolean =>
  isConfigured || (keyless !== undefined && keyless.runs !== 'never');

/**
 * Why one that is not usable cannot be asked: a sentence without its end, such as `X is not set`.
 */
export const whyUnusable = ({ target }: Pick<ConfiguredProvider, 'target'>): string =>
  target.obstacle ? `it ${target.obstacle.happened}` : `${target.credentialVariable} is not set`;

/** That a vendor which has keys was asked without one; empty for others. */
export function keylessWarning({
  keyless,
  target,
}: ConfiguredProvider | ConfiguredVendor): readonly Warning[] {
  if (!keyless?.isForm || keyless.runs === 'never') return [];
  const message = `${target.slug} was asked without a key, within its allowance of ${keyless.allowance}; ${target.credentialVariable} sets a key`;
  return [{ code: 'keyless_mode', message }];
}

/** Slugs of those that are asked without a key. */
export const keylessSlugs = ({ searchProviders }: Deployment): ReadonlySet<string> =>
  new Set(
    [...searchProviders].flatMap(([slug, provider]) =>
      !provider.isConfigured && isUsable(provider) ? slug : [],
    ),
  );

/** Slugs in roster order; those that are asked without a key come last. */
export const inRosterOrder = (deployment: Deployment): readonly string[] =>
  setUpFirst([...deployment.searchProviders.keys()], keylessSlugs(deployment));

/** Services that are asked without a key come after providers that the operator has set up. */
export const setUpFirst = (
  slugs: readonly string[],
  keyless: ReadonlySet<string>,
): readonly string[] => [
  ...slugs.filter((slug) => !keyless.has(slug)),
  ...slugs.filter((slug) => keyless.has(slug)),
];

/** Whether it runs without being named: by its topic, or after others. */
export const isCandidate = ({ isConfigured, keyless }: Reachable): boolean =>
  isConfigured || keyless?.runs === 'always';

/** A fetch provider as this deployment runs it. */
export type ConfiguredFetchProvider = ConfiguredVendor | ConfiguredReader;

export interface ConfiguredVendor {
  /** Of the form without a key, where that is the one that runs. */
  readonly declaration: FetchProvider;
  readonly target: UpstreamTarget;
  readonly rates: Rates;
  readonly hasOwnTimeLimit: boolean;
  readonly isConfigured: boolean;
  /** As of a search. */
  readonly keyless?: KeylessOffer;
}

export interface ConfiguredReader {
  readonly declaration: OwnReader;
  /** Upper bound of one page. */
  readonly timeoutMs: number;
  readonly isConfigured: true;
  readonly keyless?: undefined;
}

/** The facts of this deployment that search and fetch use. */
export interface Deployment {
  /** By slug, in roster order. */
  readonly searchProviders: ReadonlyMap<string, ConfiguredProvider>;
  /** Runs when a request names none. */
  readonly defaultSet: readonly string[];
  /** Names of the default set without a declaration. */
  readonly unknownDefaults: readonly string[];
  /** How searches go on that do not say so themselves. */
  readonly searchFallback: FallbackChoice;
  /** By slug, in roster order. */
  readonly fetchProviders: ReadonlyMap<string, ConfiguredFetchProvider>;
  /** The default chain, in order, with or without credentials. */
  readonly fetchChain: readonly string[];
  /** What each provider does with what it is sent, as it is asked here, by slug. */
  readonly training: ReadonlyMap<string, TrainingUse>;
  /** The keys of this server and of its providers, which are never sent anywhere. */
  readonly ownKeys: readonly string[];
  /** Of `WEB_RULES_FILE`; null = it is not set. */
  readonly webRules: WebRules | null;
  /** Slugs of search providers that come last, as their answers went bad. */
  readonly last: ReadonlySet<string>;
}

/** The operator's settings for providers. */
export interface DeploymentSettings extends KeylessSettings {
  /** undefined = the built-in default set. */
  readonly defaultSearchProviders: readonly string[] | undefined;
  readonly searchFallback: FallbackChoice | undefined;
  /** undefined = the built-in chain. */
  readonly fetchChain: readonly string[] | undefined;
  readonly prices: Prices;
  /** Search providers in addition to the built-in ones; absent = none. */
  readonly declaredProviders?: readonly SearchProvider[] | undefined;
  /** By slug. */
  readonly providers: Readonly<Record<string, ProviderSettings>>;
  /** Absent = not set. */
  readonly bootstrapApiKey?: string | undefined;
  readonly topicEmbeddingsApiKey?: string | undefined;
  /** Keys of providers that are stored, whether they are in use or not. */
  readonly storedKeys?: readonly string[];
  /** Of `WEB_RULES_FILE`; absent = it is not set. */
  readonly webRulesFile?: { readonly rules: WebRules } | undefined;
}

/** One provider's settings; undefined = not set. */
export interface ProviderSettings {
  /** Each another one; empty = not set. */
  readonly credentials: readonly string[];
  /** Without trailing slash. */
  readonly baseUrl: string | undefined;
  /** Asked in order where `baseUrl` fails; of a provider that the operator runs. */
  readonly otherBaseUrls?: readonly string[] | undefined;
  /** Of searches only, where that is a setting of its own; absent = `baseUrl`. */
  readonly searchBaseUrl?: string | undefined;
  /** The value of its `accountSetting`. */
  readonly account?: string | undefined;
  readonly timeoutMs: number | undefined;
}

/** Whether it answers only with a key, or was declared with secrets, which are set then. */
export const requiresKey = ({ authentication, secretParts = [] }: SearchProvider): boolean =>
  needsCredential(authentication) || secretParts.length > 0;

/** Name of the setting that changes the default set. */
export const DEFAULT_SET_VARIABLE = 'DEFAULT_SEARCH_PROVIDERS';

/** Name of the setting that changes a provider's address. */
export const baseUrlVariable = (slug: string): string => `${slug.toUpperCase()}_BASE_URL`;

/** All providers, of searches and fetches. */
export const providerSlugs = ({
  searchProviders,
  fetchProviders,
}: Deployment): readonly string[] => [
  ...new Set([...searchProviders.keys(), ...fetchProviders.keys()]),
];

const UNSET_DEFAULTS = 2;

export function createDeployment(
  settings: DeploymentSettings,
  declarations: readonly SearchProvider[] = searchProvidersWith(settings.declaredProviders ?? []),
  fetchDeclarations: readonly AnyFetchProvider[] = FETCH_PROVIDERS,
): Deployment {
  const existing = declarations.filter((declaration) => existsHere(declaration, settings));
  const isAnyConfigured = existing.some((declaration) => isSetUp(declaration, settings));
  const reach = keylessReach(settings, isAnyConfigured);
  const searchProviders = new Map(
    existing.map((declaration) => [
      declaration.slug,
      configureSearch(declaration, reach, settings),
    ]),
  );
  const hasFetchKey = fetchDeclarations.some(({ slug }) => hasKeys(settings.providers[slug]));
  const fetchReach = hasFetchKey ? 'never' : reach;
  const fetchProviders = new Map(
    fetchDeclarations.map((declaration) => [
      declaration.slug,
      configureFetch(declaration, fetchReach, settings),
    ]),
  );
  const wanted = [...new Set(settings.defaultSearchProviders ?? DEFAULT_SEARCH_PROVIDERS)];
  const named = wanted.filter((slug) => searchProviders.has(slug));
  return {
    searchProviders,
    defaultSet: settings.defaultSearchProviders ? named : firstUsable(named, searchProviders),
    unknownDefaults: wanted.filter((slug) => !searchProviders.has(slug)),
    searchFallback: settings.searchFallback ?? 'off',
    fetchProviders,
    fetchChain: [...new Set(settings.fetchChain ?? DEFAULT_FETCH_CHAIN)],
    training: trainingOf([...fetchProviders.values()], [...searchProviders.values()]),
    ownKeys: ownKeysOf(settings, existing),
    webRules: settings.webRulesFile?.rules ?? null,
    last: new Set(),
  };
}

/** A shorter one may be an ordinary word or number. */
const KEY_MIN_CHARACTERS = 16;

function ownKeysOf(
  { providers, bootstrapApiKey, topicEmbeddingsApiKey, storedKeys = [] }: DeploymentSettings,
  declarations: readonly SearchProvider[],
): readonly string[] {
  const ofProviders = Object.values(providers).flatMap(({ credentials }) => credentials);
  const declared = declarations.flatMap(({ secretParts = [] }) =>
    secretParts.flatMap(({ secrets }) => secrets),
  );
  const others = [bootstrapApiKey, topicEmbeddingsApiKey].flatMap((key) => key ?? []);
  const all = [...ofProviders, ...storedKeys, ...declared, ...others];
  return [...new Set(all)].filter(({ length }) => length >= KEY_MIN_CHARACTERS);
}

/** What changes while it runs, whatever its settings say. */
export const changing = ({ webRules, last }: Deployment) => ({ webRules, last });

/** Puts other providers last, for requests from now on. */
export function putLast(deployment: Deployment, last: ReadonlySet<string>): void {
  Object.assign(deployment, { last });
}

/** The same order, with those last whose answers went bad. */
export const wellFirst = (
  slugs: readonly string[],
  { last }: Pick<Deployment, 'last'>,
): readonly string[] =>
  last.size === 0
    ? slugs
    : [...slugs.filter((slug) => !last.has(slug)), ...slugs.filter((slug) => last.has(slug))];

/** Those of them that come last: none where there is nothing to come after. */
export const lastOf = (
  slugs: readonly string[],
  { last }: Pick<Deployment, 'last'>,
): ReadonlySet<string> => {
  const named = new Set(slugs);
  return new Set(named.size < 2 ? [] : [...named].filter((slug) => last.has(slug)));
};

/** Uses other rules of the deployment, for requests from now on. */
export function changeWebRules(deployment: Deployment, webRules: WebRules): void {
  Object.assign(deployment, { webRules });
}

/** Of one with both operations, the search as it is asked counts: with or without a key. */
const trainingOf = (
  fetching: readonly ConfiguredFetchProvider[],
  searching: readonly ConfiguredProvider[],
): ReadonlyMap<string, TrainingUse> => {
  const useOf = ({ declaration }: ConfiguredFetchProvider | ConfiguredProvider) =>
    [declaration.slug, declaration.dataUse.training] as const;
  return new Map([...searching, ...fetching, ...searching].map(useOf));
};

/**
 * Makes a running deployment like a new one, for requests from now on; those in progress keep the
 * providers that they have.
 */
export function changeDeployment(deployment: Deployment, changed: Deployment): void {
  Object.assign(deployment, changed);
}

/**
 * Those of the built-in defaults that are configured, else the first configured providers in roster
 * order.
 */
function firstUsable(
  defaults: readonly string[],
  providers: ReadonlyMap<string, ConfiguredProvider>,
): readonly string[] {
  const usable = defaults.filter((slug) => providers.get(slug)?.isConfigured);
  if (usable.length > 0) return usable;
  const configured = [...providers.values()]
    .filter((provider) => provider.isConfigured)
    // providers that need no key come last: a key that was set shows a preference
    .sort((a, b) => needsKey(b) - needsKey(a));
  const usual = configured.filter(({ declaration }) => !declaration.isDefaultOnlyAlone);
  const chosen = (usual.length > 0 ? usual : configured).slice(0, UNSET_DEFAULTS);
  if (chosen.length > 0) return chosen.map(({ declaration }) => declaration.slug);
  const keyless = DEFAULT_KEYLESS_PROVIDERS.filter((slug) => {
    const provider = providers.get(slug);
    return provider !== undefined && isCandidate(provider);
  });
  return keyless.length > 0 ? keyless : defaults;
}

/** A declared provider was chosen like one whose key was set. */
const needsKey = ({ declaration }: ConfiguredProvider): number =>
  Number(needsCredential(declaration.authentication) || declaration.isDeclared === true);

const hasKeys = (own: ProviderSettings | undefined): own is ProviderSettings =>
  own !== undefined && own.credentials.length > 0;

/** Whether it has an address, and a key and a value of the account if it needs them. */
function isSetUp(declaration: SearchProvider | FetchProvider, settings: DeploymentSettings) {
  const own = settings.providers[declaration.slug];
  const hasKey = !needsCredential(declaration.authentication) || hasKeys(own);
  const hasAddress = (ownBaseUrl(declaration, own) ?? declaration.baseUrl) !== null;
  const hasAccount = accountSettingOf(declaration) === undefined || own?.account !== undefined;
  return hasKey && hasAddress && hasAccount && declaration.open === undefined;
}

const accountSettingOf = (declaration: SearchProvider | FetchProvider) =>
  'accountSetting' in declaration ? declaration.accountSetting : undefined;

/** The operator's own address for the operation; undefined = that of the vendor. */
function ownBaseUrl(
  declaration: SearchProvider | FetchProvider,
  own: ProviderSettings | undefined,
): string | undefined {
  const hasSearchAddress = 'baseUrlVariable' in declaration;
  return (hasSearchAddress ? own?.searchBaseUrl : undefined) ?? own?.baseUrl;
}

/** The search with the value of the operator's account in each call. */
function withAccount(
  declaration: SearchProvider,
  { providers }: DeploymentSettings,
): SearchProvider {
  const { accountSetting, request, slug } = declaration;
  const value = providers[slug]?.account;
  if (accountSetting === undefined || value === undefined) return declaration;
  return {
    ...declaration,
    request: (plan) => {
      const call = request(plan);
      return { ...call, body: { ...call.body, [accountSetting.parameter]: value } };
    },
  };
}

/** Why a provider with a key is not asked: a value of the account is missing. */
function accountObstacle(
  declaration: SearchProvider | FetchProvider,
  own: ProviderSettings | undefined,
): UpstreamObstacle | undefined {
  const setting = accountSettingOf(declaration);
  if (setting === undefined || !hasKeys(own) || own.account !== undefined) {
    return undefined;
  }
  const { variable, meaning } = setting;
  const happened = `cannot be asked without ${variable}`;
  return { happened, remedy: `set it in the server settings: ${meaning}` };
}

function configureSearch(
  declared: SearchProvider,
  reach: KeylessReach,
  settings: DeploymentSettings,
): ConfiguredProvider {
  const { open } = declared;
  if (open !== undefined) return configureSource(declared, open, reach, settings);
  if (declared.keyless === undefined || isSetUp(declared, settings)) {
    return configure(withAccount(declared, settings), 'search', settings);
  }
  return configureKeyless({ declared, operation: 'search', ...declared.keyless }, reach, settings);
}

/** An open source, with the operator's key if there is one: then it is not asked without. */
function configureSource(
  declared: SearchProvider,
  open: OpenSource,
  sharedReach: KeylessReach,
  settings: DeploymentSettings,
): ConfiguredProvider {
  const key = hasKeys(settings.providers[declared.slug]) ? declared.keyed : undefined;
  const { allowance = open.allowance, pace = paceOf(open, settings), ...form } = key ?? {};
  const source = configure(withContact({ ...declared, ...form }, settings), 'search', settings);
  const reach = key && sharedReach === 'never' ? 'when_named' : sharedReach;
  const obstacle = openObstacle(open, reach, settings);
  const runs = obstacle === undefined ? reach : 'never';
  const remark = contactRemark(declared, settings);
  return {
    ...source,
    target: { ...pacedTarget(source.target, pace, settings), obstacle },
    keyless: { allowance, pace, runs, isForm: false, remark },
  };
}

interface KeylessVendor<Declaration> {
  readonly declared: Declaration;
  readonly operation: OperationKind;
  readonly allowance: string;
  readonly pace: Pace;
}

/**
 * A vendor whose key is not set. It is asked without one only where services without a key run by
 * themselves.
 */
function configureKeyless<Declaration extends SearchProvider | FetchProvider>(
  { declared, operation, allowance, pace }: KeylessVendor<Declaration>,
  reach: KeylessReach,
  settings: DeploymentSettings,
) {
  const form = reach === 'always' ? keylessForm(declared) : undefined;
  const offer = { allowance, pace, runs: form ? reach : 'never', isForm: true } as const;
  if (form === undefined) return { ...configure(declared, operation, settings), keyless: offer };
  const configured = configure(form, operation, settings);
  const target = pacedTarget(configured.target, pace, settings);
  return { ...configured, isConfigured: false, target, keyless: offer };
}

const pacedTarget = (
  target: UpstreamTarget,
  pace: Pace,
  settings: KeylessSettings,
): UpstreamTarget => ({
  ...target,
  concurrency: pace.inFlight,
  pace: settings.sourcePace === 'off' ? undefined : pace,
  // a second call at once would break the pace, and some sources block for it
  isSentOnce: true,
  userAgent: userAgentOf(settings),
});

function configure<Declaration extends SearchProvider | FetchProvider>(
  declaration: Declaration,
  operation: OperationKind,
  settings: DeploymentSettings,
) {
  const target = targetOf(declaration, operation, settings);
  const rates: Rates = settings.prices.providers[declaration.slug] ?? declaration.prices.usd;
  const hasOwnTimeLimit = settings.providers[declaration.slug]?.timeoutMs !== undefined;
  const isConfigured = isSetUp(declaration, settings);
  return { declaration, target, rates, hasOwnTimeLimit, isConfigured };
}

function configureFetch(
  declaration: AnyFetchProvider,
  reach: KeylessReach,
  settings: DeploymentSettings,
): ConfiguredFetchProvider {
  if (declaration.kind === 'own') {
    const timeoutMs = settings.providers[declaration.slug]?.timeoutMs ?? declaration.timeoutMs;
    return { declaration, timeoutMs, isConfigured: true };
  }
  const { keyless } = declaration;
  if (keyless === undefined || isSetUp(declaration, settings)) {
    return configure(declaration, 'fetch', settings);
  }
  const vendor = { declared: declaration, operation: 'fetch', ...keyless } as const;
  return configureKeyless(vendor, reach, settings);
}

function targetOf(
  declaration: SearchProvider | FetchProvider,
  operation: OperationKind,
  settings: DeploymentSettings,
): UpstreamTarget {
  const own = settings.providers[declaration.slug];
  const baseUrl = ownBaseUrl(declaration, own);
  return {
    slug: declaration.slug,
    operation,
    baseUrl: baseUrl ?? declaration.baseUrl,
    otherBaseUrls: own?.otherBaseUrls,
    isOwnAddress: baseUrl !== undefined,
    pathAtBaseUrl: baseUrl === undefined ? declaration.pathAtBaseUrl : undefined,
    authentication: declaration.authentication,
    secretParts: declaration.secretParts,
    credentials: own?.credentials ?? [],
    credentialVariable:
      declaration.baseUrl === null
        ? baseUrlVariable(declaration.slug)
        : declaration.credentialVariables[0],
    timeoutMs: own?.timeoutMs ?? declaration.timeoutMs,
    concurrency: declaration.concurrency,
    readBackoff: declaration.readBackoff,
    readFailure: declaration.readFailure,
    obstacle: accountObstacle(declaration, own),
  };
}
