import {
  DEFAULT_SEARCH_PROVIDERS,
  PRICES,
  type Rates,
  SEARCH_PROVIDERS,
  type SearchProvider,
} from '@trawl/providers';
import { baseUrlVariable, type Config } from './config.ts';
import type { UpstreamTarget } from './upstream/types.ts';

/** A search provider as this deployment runs it. */
export interface ConfiguredProvider {
  readonly declaration: SearchProvider;
  readonly target: UpstreamTarget;
  readonly rates: Rates;
  /** Its credential is set, or it needs none. */
  readonly isConfigured: boolean;
}

/** What the rooms know of this deployment. */
export interface Deployment {
  /** By slug, in roster order. */
  readonly searchProviders: ReadonlyMap<string, ConfiguredProvider>;
  /** Runs when a request names none. */
  readonly defaultSet: readonly string[];
  /** Names of the default set that no declaration answers to. */
  readonly unknownDefaults: readonly string[];
}

const UNSET_DEFAULTS = 2;

export function createDeployment(
  config: Config,
  declarations: readonly SearchProvider[] = SEARCH_PROVIDERS,
): Deployment {
  const searchProviders = new Map(
    declarations.map((declaration) => [declaration.slug, configure(declaration, config)]),
  );
  const wanted = [...new Set(config.defaultSearchProviders ?? DEFAULT_SEARCH_PROVIDERS)];
  const named = wanted.filter((slug) => searchProviders.has(slug));
  return {
    searchProviders,
    defaultSet: config.defaultSearchProviders ? named : firstUsable(named, searchProviders),
    unknownDefaults: wanted.filter((slug) => !searchProviders.has(slug)),
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
  Number(declaration.authentication.in !== 'none');

function configure(declaration: SearchProvider, config: Config): ConfiguredProvider {
  const settings = config.providers[declaration.slug];
  const credential = settings?.credential;
  const baseUrl = settings?.baseUrl ?? declaration.baseUrl;
  const hasKey = declaration.authentication.in === 'none' || credential !== undefined;
  return {
    declaration,
    rates: PRICES.providers[declaration.slug] ?? {},
    isConfigured: hasKey && baseUrl !== null,
    target: {
      slug: declaration.slug,
      baseUrl,
      pathAtBaseUrl: settings?.baseUrl === undefined ? declaration.pathAtBaseUrl : undefined,
      authentication: declaration.authentication,
      credential,
      credentialVariable:
        declaration.baseUrl === null
          ? baseUrlVariable(declaration.slug)
          : declaration.credentialVariables[0],
      timeoutMs: settings?.timeoutMs ?? declaration.timeoutMs,
      concurrency: declaration.concurrency,
      readFailure: declaration.readFailure,
    },
  };
}
