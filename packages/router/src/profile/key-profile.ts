import type {
  FetchRequest,
  InteractionRequest,
  KeyProfile,
  SearchFilters,
  SearchOptions,
  Warning,
} from '@trawl/contract';
import type { Deployment } from '../deployment/deployment.ts';
import { checkFetch } from '../fetch/check.ts';
import { fetchCommand } from '../fetch/command.ts';
import {
  ALL_PROVIDERS,
  type AllowedProviders,
  isAllowed,
  notAllowed,
} from '../keys/allowed-providers.ts';
import type { ApiKey } from '../keys/records.ts';
import { RequestError } from '../requests/request-error.ts';
import { checkSearch } from '../search/check.ts';
import { searchCommand } from '../search/command.ts';

/** The defaults of a key; empty for a key without any. */
export const profileOf = (key: Pick<ApiKey, 'profile'> | null): KeyProfile => key?.profile ?? {};

/** A profile as it can be applied now, and warnings that name what was left out of it. */
export interface UsableProfile {
  readonly profile: KeyProfile;
  readonly notes: readonly Warning[];
}

/**
 * A profile without providers that this deployment no longer knows: its caller did not name them,
 * and could not correct it. Without any provider left the defaults of the deployment apply.
 */
export function usableProfile(
  key: Pick<ApiKey, 'profile'> | null,
  { searchProviders, fetchProviders }: Pick<Deployment, 'searchProviders' | 'fetchProviders'>,
): UsableProfile {
  const profile = profileOf(key);
  const { search, fetch } = profile;
  const unknown = new Set<string>();
  const known = (
    names: readonly string[] | undefined,
    providers: ReadonlyMap<string, unknown>,
  ): string[] | undefined => {
    for (const name of names ?? []) if (!providers.has(name)) unknown.add(name);
    return names?.filter((name) => providers.has(name));
  };
  const { include, exclude } = search?.providers ?? {};
  const fallback = search?.fallback;
  const kept: KeyProfile = {
    search: search && {
      ...search,
      providers: search.providers && {
        include: notEmpty(known(include, searchProviders)),
        exclude: known(exclude, searchProviders),
      },
      fallback: Array.isArray(fallback) ? known(fallback, searchProviders) : fallback,
    },
    fetch: fetch && { ...fetch, providers: notEmpty(known(fetch.providers, fetchProviders)) },
  };
  if (unknown.size === 0) return { profile, notes: [] };
  const notes = [...unknown].map((name) => ({
    code: 'provider_skipped' as const,
    message: `${name} is in the profile of this key but is not a known provider; it was left out`,
  }));
  return { profile: kept, notes };
}

const notEmpty = (names: string[] | undefined): string[] | undefined =>
  names?.length ? names : undefined;

/** A search with the defaults of its key. What the request says wins, field by field. */
export function withSearchProfile<Request extends InteractionRequest>(
  request: Request,
  profile: KeyProfile,
): Request {
  const defaults = profile.search;
  // a step that is only recorded asks no provider
  if (defaults === undefined || request.user_input === undefined) return request;
  const own = request.search ?? {};
  const namesProviders = (request.preprocessor_names ?? []).length > 0;
  return {
    ...request,
    search: {
      ...own,
      // fields are another way to name a tier
      tier: own.tier ?? (own.fields === undefined ? defaults.tier : undefined),
      fallback: own.fallback ?? defaults.fallback,
      max_age_seconds: own.max_age_seconds ?? (own.no_cache ? undefined : defaults.max_age_seconds),
      max_cost_usd: own.max_cost_usd ?? defaults.max_cost_usd,
      filters: mergedFilters(own.filters, defaults.filters),
      providers: mergedProviders(own.providers, defaults.providers, namesProviders),
    },
  };
}

type Selection = SearchOptions['providers'];

/**
 * Names of the request replace those of the profile; in what the profile names, exclusions of the
 * request hold.
 */
function mergedProviders(own: Selection, defaults: Selection, namesProviders: boolean): Selection {
  if (defaults === undefined || namesProviders) return own;
  const { include, exclude } = own ?? {};
  if (include !== undefined) return own;
  return {
    include: defaults.include?.filter((slug) => !exclude?.includes(slug)),
    exclude: exclude ?? defaults.exclude,
  };
}

/** Pairs that may contradict each other are taken from one side. */
const PAIRS = [
  ['include_domains', 'exclude_domains'],
  ['published_after', 'published_before'],
] as const;

function mergedFilters(
  own: SearchFilters | undefined,
  defaults: SearchFilters | undefined,
): SearchFilters | undefined {
  if (own === undefined || defaults === undefined) return own ?? defaults;
  const taken = PAIRS.filter((pair) => pair.some((name) => own[name] !== undefined)).flat();
  const asked = Object.entries(own).filter(([, value]) => value !== undefined);
  const kept = Object.entries(defaults).filter(([name]) => !taken.some((each) => each === name));
  return { ...Object.fromEntries(kept), ...Object.fromEntries(asked) };
}

/** A fetch with the defaults of its key. What the request says wins, field by field. */
export function withFetchProfile<Request extends FetchRequest>(
  request: Request,
  profile: KeyProfile,
): Request {
  const defaults = profile.fetch;
  if (defaults === undefined) return request;
  const own = request.options ?? {};
  return {
    ...request,
    options: {
      ...own,
      providers: own.providers ?? defaults.providers,
      tier: own.tier ?? defaults.tier,
      max_cost_usd: own.max_cost_usd ?? defaults.max_cost_usd,
    },
  };
}

/** A request of each kind that leaves everything to the profile. */
const SEARCH: InteractionRequest = { user_input: { query: 'profile' } };
const FETCH: FetchRequest = { urls: ['https://example.com/'] };

/**
 * Why a profile does not fit to this deployment and the providers that its key may use, such as
 * "search.providers.include: unknown provider …"; undefined = it fits. A profile fits where a
 * request with its words would be accepted.
 */
export function profileFault(
  profile: KeyProfile,
  deployment: Deployment,
  allowed: AllowedProviders,
): string | undefined {
  const { search, fetch } = profile;
  try {
    if (search !== undefined) {
      const command = searchCommand(withSearchProfile(SEARCH, profile));
      // without names the defaults of the deployment run, of which the key may use none: no fault
      // of the profile
      checkSearch(command, deployment, {
        postprocessors: [],
        allowed: search.providers?.include ? allowed : ALL_PROVIDERS,
      });
      const named = Array.isArray(search.fallback) ? search.fallback : [];
      const refused = named.filter((slug) => !isAllowed(allowed, slug));
      if (refused.length > 0) throw notAllowed('search.fallback', refused, allowed);
    }
    if (fetch !== undefined) {
      const command = fetchCommand(withFetchProfile(FETCH, profile));
      checkFetch(command, deployment, 1, {
        allowedProviders: fetch.providers ? allowed : ALL_PROVIDERS,
        allowedDomains: null,
      });
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return error.message.replace(/^options\./, 'fetch.');
  }
}
