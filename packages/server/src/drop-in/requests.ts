import { LIMITS } from '@trawl/contract';
import type { FetchAsk, SearchAsk } from '@trawl/drop-ins';
import {
  type ApiKey,
  allowedProvidersOf,
  type Deployment,
  isAllowed,
  isCandidate,
  isUsable,
  usableProfile,
} from '@trawl/router';

/** A request to the API, for one of a drop-in route. */
export interface ApiRequest {
  readonly path: '/v1/interactions' | '/v1/fetch';
  readonly body: Readonly<Record<string, unknown>>;
  /** Whether its providers are named here, not by the client or the profile of its key. */
  readonly isOwnChoice: boolean;
}

/**
 * The search that a client of a vendor asks for. It runs on that vendor where it is configured and
 * the key may use it, otherwise on the default set. The providers and the fallback of the key's
 * profile come before both.
 */
export function searchRequest(
  ask: SearchAsk,
  slug: string,
  deployment: Deployment,
  key: ApiKey,
): ApiRequest {
  const { providers, fallback } = usableProfile(key, deployment).profile.search ?? {};
  const include = providers?.include;
  const only = ask.provider ?? slug;
  const runsItself = only === slug && isAskedItself(slug, deployment, key);
  const ownFields = runsItself ? (ask.ownFields ?? []) : [];
  const fields = new Set(['url', 'title', 'rank', 'summary', ...ask.fields, ...ownFields]);
  const isOnlyItself = ask.provider !== undefined || (runsItself && include === undefined);
  const hasOwn = runsItself && Object.keys(ask.own).length > 0;
  return {
    path: '/v1/interactions',
    isOwnChoice: isOnlyItself,
    body: {
      user_input: { query: ask.query },
      postprocessor_names: ['rank_fusion'],
      metadata: { compat: slug },
      search: {
        num_results: ask.numResults,
        fields: [...fields],
        ...(ask.isLaterPage ? { fallback: 'off' } : {}),
        ...(!ask.isLaterPage && fallback === undefined ? { fallback: 'auto' } : {}),
        ...(Object.keys(ask.filters).length > 0 ? { filters: ask.filters } : {}),
        ...(isOnlyItself || ask.isLaterPage ? { providers: { include: [only] } } : {}),
        ...(hasOwn ? { provider_overrides: { [slug]: ask.own } } : {}),
      },
    },
  };
}

/** Whether a search of this drop-in runs on the vendor itself. */
export function isAskedItself(slug: string, deployment: Deployment, key: ApiKey): boolean {
  const { include, exclude } = usableProfile(key, deployment).profile.search?.providers ?? {};
  const provider = deployment.searchProviders.get(slug);
  return (
    (include === undefined || include.includes(slug)) &&
    exclude?.includes(slug) !== true &&
    provider !== undefined &&
    isCandidate(provider) &&
    isAllowed(allowedProvidersOf(key, deployment), slug)
  );
}

/**
 * The same for pages: that vendor is asked first, then the default chain; or the chain of the key's
 * profile.
 */
export function fetchRequest(
  ask: FetchAsk,
  slug: string,
  deployment: Deployment,
  key: ApiKey,
): ApiRequest {
  const { fetchProviders, fetchChain } = deployment;
  const hasChain = usableProfile(key, deployment).profile.fetch?.providers !== undefined;
  const mayAsk = (name: string) => {
    const provider = fetchProviders.get(name);
    const allowed = allowedProvidersOf(key, deployment);
    return provider !== undefined && isCandidate(provider) && isAllowed(allowed, name);
  };
  const rest = fetchChain.filter((name) => name !== slug && mayAsk(name));
  const { maxAgeSeconds } = ask;
  return {
    path: '/v1/fetch',
    isOwnChoice: false,
    body: {
      urls: ask.urls,
      metadata: { compat: slug },
      options: {
        tier: ask.tier,
        content_format: ask.contentFormat,
        // clients of the vendors expect whole pages, and none has more characters than bytes
        inline_max_chars: LIMITS.fetchBytes,
        ...(mayAsk(slug) && !hasChain ? { providers: [slug, ...rest] } : {}),
        ...(maxAgeSeconds === 0 ? { no_cache: true } : {}),
        ...(maxAgeSeconds ? { max_age_seconds: maxAgeSeconds } : {}),
      },
    },
  };
}

/** The search providers that a key may use here, by slug. */
export function searchProvidersOf(deployment: Deployment, key: ApiKey): readonly string[] {
  const allowed = allowedProvidersOf(key, deployment);
  return [...deployment.searchProviders].flatMap(([slug, provider]) =>
    isUsable(provider) && isAllowed(allowed, slug) ? [slug] : [],
  );
}
