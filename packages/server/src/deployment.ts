import {
  type AnyFetchProvider,
  DEFAULT_FETCH_CHAIN,
  DEFAULT_SEARCH_PROVIDERS,
  FETCH_PROVIDERS,
  type FetchProvider,
  needsCredential,
  type OwnReader,
  type Rates,
  SEARCH_PROVIDERS,
  type SearchProvider,
} from '@trawl/providers';
import { baseUrlVariable, type Config } from './config.ts';
import type { Operation, UpstreamTarget } from './upstream/types.ts';

/** A search provider as this deployment runs it. */
export interface ConfiguredProvider {
  readonly declaration: SearchProvider;
  readonly target: UpstreamTarget;
  readonly rates: Rates;
  /** Its credential is set, or it needs none. */
  readonly isConfigured: boolean;
}

/** A fetch provider as this deployment runs it. */
export type ConfiguredFetchProvider = ConfiguredVendor | ConfiguredReader;

export interface ConfiguredVendor {
  readonly declaration: FetchProvider;
  readonly target: UpstreamTarget;
  readonly rates: Rates;
  readonly isConfigured: boolean;
}

export interface ConfiguredReader {
  readonly declaration: OwnReader;
  /** Upper bound of one page. */
  readonly timeoutMs: number;
  readonly isConfigured: true;
}

/** What the rooms know of this deployment. */
export interface Deployment {
  /** By slug, in roster order. */
  readonly searchProviders: ReadonlyMap<string, ConfiguredProvider>;
  /** Runs when a request names none. */
  readonly defaultSet: readonly string[];
  /** Names of the default set that no declaration answers to. */
  readonly unknownDefaults: readonly string[];
  /** By slug, in roster order. */
  readonly fetchProviders: ReadonlyMap<string, ConfiguredFetchProvider>;
  /** The default chain, in order, whether or not a credential is there. */
  readonly fetchChain: readonly string[];
}

const UNSET_DEFAULTS = 2;

export function createDeployment(
  config: Config,
  declarations: readonly SearchProvider[] = SEARCH_PROVIDERS,
  fetchDeclarations: readonly AnyFetchProvider[] = FETCH_PROVIDERS,
): Deployment {
  const searchProviders = new Map(
    declarations.map((declaration) => [declaration.slug, configure(declaration, 'search', config)]),
  );
  const wanted = [...new Set(config.defaultSearchProviders ?? DEFAULT_SEARCH_PROVIDERS)];
  const named = wanted.filter((slug) => searchProviders.has(slug));
  return {
    searchProviders,
    defaultSet: config.defaultSearchProviders ? named : firstUsable(named, searchProviders),
    unknownDefaults: wanted.filter((slug) => !searchProviders.has(slug)),
    fetchProviders: new Map(
      fetchDeclarations.map((declaration) => [
        declaration.slug,
        configureFetch(declaration, config),
      ]),
    ),
    fetchChain: [...new Set(config.fetchChain ?? DEFAULT_FETCH_CHAIN)],
  };
}

/** The standing defaults, or where none of them has a key, the first configured providers in roster order. */
function firstUsable(
  defaults: readonly string[],
  providers: ReadonlyMap<string, ConfiguredProvider>,
): readonly string[] {
  if (defaults.some((slug) => providers.get(slug)?.isConfigured)) return defaults;
  const configured = [...providers.values()]
    .filter((provider) => provider.isConfigured)
    // keyless ones last: a key that someone set is the stronger wish
    .sort((a, b) => needsKey(b) - needsKey(a))
    .map(({ declaration }) => declaration.slug);
  return configured.length > 0 ? configured.slice(0, UNSET_DEFAULTS) : defaults;
}

const needsKey = ({ declaration }: ConfiguredProvider): number =>
  Number(needsCredential(declaration.authentication));

/** A key where one is needed, and an address. */
const isUsable = ({ authentication, credential, baseUrl }: UpstreamTarget): boolean =>
  (!needsCredential(authentication) || credential !== undefined) && baseUrl !== null;

function configure<Declaration extends SearchProvider | FetchProvider>(
  declaration: Declaration,
  operation: Operation,
  config: Config,
) {
  const target = targetOf(declaration, operation, config);
  const rates: Rates = config.prices.providers[declaration.slug] ?? {};
  return { declaration, target, rates, isConfigured: isUsable(target) };
}

function configureFetch(declaration: AnyFetchProvider, config: Config): ConfiguredFetchProvider {
  if (declaration.kind === 'own') {
    const timeoutMs = config.providers[declaration.slug]?.timeoutMs ?? declaration.timeoutMs;
    return { declaration, timeoutMs, isConfigured: true };
  }
  return configure(declaration, 'fetch', config);
}

function targetOf(
  declaration: SearchProvider | FetchProvider,
  operation: Operation,
  config: Config,
): UpstreamTarget {
  const settings = config.providers[declaration.slug];
  return {
    slug: declaration.slug,
    operation,
    baseUrl: settings?.baseUrl ?? declaration.baseUrl,
    pathAtBaseUrl: settings?.baseUrl === undefined ? declaration.pathAtBaseUrl : undefined,
    authentication: declaration.authentication,
    credential: settings?.credential,
    credentialVariable:
      declaration.baseUrl === null
        ? baseUrlVariable(declaration.slug)
        : declaration.credentialVariables[0],
    timeoutMs: settings?.timeoutMs ?? declaration.timeoutMs,
    concurrency: declaration.concurrency,
    readFailure: declaration.readFailure,
  };
}
