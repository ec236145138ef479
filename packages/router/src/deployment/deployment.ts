import type { FallbackChoice } from '@trawl/contract';
import {
  type AnyFetchProvider,
  DEFAULT_FETCH_CHAIN,
  DEFAULT_SEARCH_PROVIDERS,
  FETCH_PROVIDERS,
  type FetchProvider,
  needsCredential,
  type OwnReader,
  type Prices,
  type Rates,
  SEARCH_PROVIDERS,
  type SearchProvider,
} from '@trawl/providers';
import type { OperationKind, UpstreamTarget } from '@trawl/upstream';

/** A search provider as this deployment runs it. */
export interface ConfiguredProvider {
  readonly declaration: SearchProvider;
  readonly target: UpstreamTarget;
  readonly rates: Rates;
  /** The operator limits the time of its calls. */
  readonly hasOwnTimeLimit: boolean;
  /** Whether its credential is set, or not needed. */
  readonly isConfigured: boolean;
}

/** A fetch provider as this deployment runs it. */
export type ConfiguredFetchProvider = ConfiguredVendor | ConfiguredReader;

export interface ConfiguredVendor {
  readonly declaration: FetchProvider;
  readonly target: UpstreamTarget;
  readonly rates: Rates;
  readonly hasOwnTimeLimit: boolean;
  readonly isConfigured: boolean;
}

export interface ConfiguredReader {
  readonly declaration: OwnReader;
  /** Upper bound of one page. */
  readonly timeoutMs: number;
  readonly isConfigured: true;
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
}

/** The operator's settings for providers. */
export interface DeploymentSettings {
  /** undefined = the built-in default set. */
  readonly defaultSearchProviders: readonly string[] | undefined;
  readonly searchFallback: FallbackChoice | undefined;
  /** undefined = the built-in chain. */
  readonly fetchChain: readonly string[] | undefined;
  readonly prices: Prices;
  /** By slug. */
  readonly providers: Readonly<Record<string, ProviderSettings>>;
}

/** One provider's settings; undefined = not set. */
export interface ProviderSettings {
  readonly credential: string | undefined;
  /** Without trailing slash. */
  readonly baseUrl: string | undefined;
  readonly timeoutMs: number | undefined;
}

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
  declarations: readonly SearchProvider[] = SEARCH_PROVIDERS,
  fetchDeclarations: readonly AnyFetchProvider[] = FETCH_PROVIDERS,
): Deployment {
  const searchProviders = new Map(
    declarations.map((declaration) => [
      declaration.slug,
      configure(declaration, 'search', settings),
    ]),
  );
  const wanted = [...new Set(settings.defaultSearchProviders ?? DEFAULT_SEARCH_PROVIDERS)];
  const named = wanted.filter((slug) => searchProviders.has(slug));
  return {
    searchProviders,
    defaultSet: settings.defaultSearchProviders ? named : firstUsable(named, searchProviders),
    unknownDefaults: wanted.filter((slug) => !searchProviders.has(slug)),
    searchFallback: settings.searchFallback ?? 'off',
    fetchProviders: new Map(
      fetchDeclarations.map((declaration) => [
        declaration.slug,
        configureFetch(declaration, settings),
      ]),
    ),
    fetchChain: [...new Set(settings.fetchChain ?? DEFAULT_FETCH_CHAIN)],
  };
}

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
    .sort((a, b) => needsKey(b) - needsKey(a))
    .map(({ declaration }) => declaration.slug);
  return configured.length > 0 ? configured.slice(0, UNSET_DEFAULTS) : defaults;
}

const needsKey = ({ declaration }: ConfiguredProvider): number =>
  Number(needsCredential(declaration.authentication));

/** Whether it has an address, and a key if it needs one. */
const isUsable = ({ authentication, credential, baseUrl }: UpstreamTarget): boolean =>
  (!needsCredential(authentication) || credential !== undefined) && baseUrl !== null;

function configure<Declaration extends SearchProvider | FetchProvider>(
  declaration: Declaration,
  operation: OperationKind,
  settings: DeploymentSettings,
) {
  const target = targetOf(declaration, operation, settings);
  const rates: Rates = settings.prices.providers[declaration.slug] ?? {};
  const hasOwnTimeLimit = settings.providers[declaration.slug]?.timeoutMs !== undefined;
  return { declaration, target, rates, hasOwnTimeLimit, isConfigured: isUsable(target) };
}

function configureFetch(
  declaration: AnyFetchProvider,
  settings: DeploymentSettings,
): ConfiguredFetchProvider {
  if (declaration.kind === 'own') {
    const timeoutMs = settings.providers[declaration.slug]?.timeoutMs ?? declaration.timeoutMs;
    return { declaration, timeoutMs, isConfigured: true };
  }
  return configure(declaration, 'fetch', settings);
}

function targetOf(
  declaration: SearchProvider | FetchProvider,
  operation: OperationKind,
  settings: DeploymentSettings,
): UpstreamTarget {
  const own = settings.providers[declaration.slug];
  return {
    slug: declaration.slug,
    operation,
    baseUrl: own?.baseUrl ?? declaration.baseUrl,
    pathAtBaseUrl: own?.baseUrl === undefined ? declaration.pathAtBaseUrl : undefined,
    authentication: declaration.authentication,
    credential: own?.credential,
    credentialVariable:
      declaration.baseUrl === null
        ? baseUrlVariable(declaration.slug)
        : declaration.credentialVariables[0],
    timeoutMs: own?.timeoutMs ?? declaration.timeoutMs,
    concurrency: declaration.concurrency,
    readFailure: declaration.readFailure,
  };
}
