import { isHostOf, type SearchOptions, type Warning } from '@trawl/contract';
import { type AskedFilters, strictlyMissing } from '@trawl/providers';
import type { Deployment } from '../deployment/deployment.ts';
import { RequestError } from '../requests/request-error.ts';
import { type ProviderSet, STAND_INS } from './provider-set.ts';

/**
 * The providers that can have a row for these filters, with warnings that name the others. Where
 * no provider can that may run, those that would run do, and say so in their answers.
 */
export function possibleSet(
  set: ProviderSet,
  asked: AskedFilters | undefined,
  { searchProviders }: Pick<Deployment, 'searchProviders'>,
): ProviderSet {
  if (!asked?.filters.include_domains && !asked?.filters.exclude_domains) return set;
  const { filters } = asked;
  const isPossible = (slug: string) =>
    isInside(searchProviders.get(slug)?.declaration.hosts, filters);
  const candidates = set.candidates?.filter(isPossible) ?? null;
  const fallback = set.fallback && {
    ...set.fallback,
    slugs: set.fallback.slugs.filter(isPossible),
  };
  const possible = set.slugs.filter(isPossible);
  const slugs = possible.length > 0 ? possible : (candidates ?? []).slice(0, STAND_INS);
  if (slugs.length === 0) return { ...set, candidates, fallback };
  const left = set.slugs.filter((slug) => !isPossible(slug));
  return {
    ...set,
    slugs,
    candidates,
    fallback,
    notes: [
      ...set.notes,
      ...left.map((slug): Warning => {
        const hosts = searchProviders.get(slug)?.declaration.hosts?.join(', ');
        const message = `${slug} has rows of ${hosts} only, which search.filters leave out, and did not run`;
        return { code: 'provider_skipped', message };
      }),
    ],
  };
}

/** Whether filters leave in some of these hosts; undefined = rows may be of any host. */
function isInside(hosts: readonly string[] | undefined, filters: AskedFilters['filters']): boolean {
  if (hosts === undefined) return true;
  const { include_domains: included, exclude_domains: excluded = [] } = filters;
  return hosts.some(
    (host) =>
      !isHostOf(host, excluded) &&
      (included?.some((one) => isHostOf(host, [one]) || isHostOf(one, [host])) ?? true),
  );
}

/**
 * With strict filters, the providers that can apply them all, with warnings that name the others.
 * @throws RequestError 400 when none is left
 */
export function applicableSet(
  set: ProviderSet,
  asked: AskedFilters | undefined,
  options: SearchOptions,
  { searchProviders }: Pick<Deployment, 'searchProviders'>,
): ProviderSet {
  if (!asked?.strict || set.slugs.length === 0) return set;
  const missingAt = (slug: string) => {
    const provider = searchProviders.get(slug)?.declaration;
    return provider
      ? strictlyMissing(provider, asked, options.provider_overrides?.[slug] ?? {})
      : [];
  };
  const able = (slug: string) => missingAt(slug).length === 0;
  const candidates = set.candidates?.filter(able) ?? null;
  const fallback = set.fallback && { ...set.fallback, slugs: set.fallback.slugs.filter(able) };
  const named = set.slugs.filter(able);
  const slugs = named.length > 0 ? named : (candidates ?? []).slice(0, STAND_INS);
  if (slugs.length === 0) {
    const missing = set.slugs.map((slug) => `${slug} (${missingAt(slug).join(', ')})`);
    throw new RequestError(
      400,
      `search.filters: with mode strict no provider is left to run: ${missing.join(', ')} cannot apply all filters; name others in search.providers.include, or use mode best_effort`,
    );
  }
  const skipped = (slug: string): Warning => ({
    code: 'provider_skipped',
    message: `${slug} cannot apply ${missingAt(slug).join(', ')} and did not run, as search.filters.mode is strict`,
  });
  const unable = (of: readonly string[]) => of.filter((slug) => !able(slug));
  return {
    ...set,
    slugs,
    candidates,
    fallback,
    notes: [...set.notes, ...unable(set.slugs).map(skipped)],
    unable: new Map(unable(set.candidates ?? []).map((slug) => [slug, skipped(slug)])),
  };
}
