import { LIMITS } from '@trawl/contract';
import type { FetchAsk, SearchAsk } from '@trawl/providers';
import { type ApiKey, type Deployment, isAllowed } from '@trawl/router';

/** A request to the API, for one of a drop-in route. */
export interface ApiRequest {
  readonly path: '/v1/interactions' | '/v1/fetch';
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * The search that a client of a vendor asks for. It runs on that vendor where it is configured and the key may use it,
 * otherwise on the default set. This is the place where a profile of the key would decide.
 */
export function searchRequest(
  ask: SearchAsk,
  slug: string,
  deployment: Deployment,
  { allowedProviders }: ApiKey,
): ApiRequest {
  const runsItself =
    deployment.searchProviders.get(slug)?.isConfigured === true &&
    isAllowed(allowedProviders, slug);
  const ownFields = runsItself ? (ask.ownFields ?? []) : [];
  const fields = new Set(['url', 'title', 'rank', 'summary', ...ask.fields, ...ownFields]);
  const hasOwn = runsItself && Object.keys(ask.own).length > 0;
  return {
    path: '/v1/interactions',
    body: {
      user_input: { query: ask.query },
      postprocessor_names: ['rank_fusion'],
      metadata: { compat: slug },
      search: {
        num_results: ask.numResults,
        fields: [...fields],
        fallback: 'auto',
        ...(Object.keys(ask.filters).length > 0 ? { filters: ask.filters } : {}),
        ...(runsItself ? { providers: { include: [slug] } } : {}),
        ...(hasOwn ? { provider_overrides: { [slug]: ask.own } } : {}),
      },
    },
  };
}

/** The same for pages: that vendor is asked first, then the default chain. */
export function fetchRequest(
  ask: FetchAsk,
  slug: string,
  { fetchProviders, fetchChain }: Deployment,
  { allowedProviders }: ApiKey,
): ApiRequest {
  const isUsable = (name: string) =>
    fetchProviders.get(name)?.isConfigured === true && isAllowed(allowedProviders, name);
  const rest = fetchChain.filter((name) => name !== slug && isUsable(name));
  const { maxAgeSeconds } = ask;
  return {
    path: '/v1/fetch',
    body: {
      urls: ask.urls,
      metadata: { compat: slug },
      options: {
        tier: ask.tier,
        content_format: ask.contentFormat,
        // clients of the vendors expect whole pages
        inline_max_chars: LIMITS.fetchCharacters,
        ...(isUsable(slug) ? { providers: [slug, ...rest] } : {}),
        ...(maxAgeSeconds === 0 ? { no_cache: true } : {}),
        ...(maxAgeSeconds ? { max_age_seconds: maxAgeSeconds } : {}),
      },
    },
  };
}
