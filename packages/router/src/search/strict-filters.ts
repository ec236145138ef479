import type { SearchOptions, Warning } from '@trawl/contract';
import { type AskedFilters, strictlyMissing } from '@trawl/providers';
import type { Deployment } from '../deployment/deployment.ts';
import { RequestError } from '../requests/request-error.ts';
import { type ProviderSet, STAND_INS } from './provider-set.ts';

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
    const rules = searchProviders.get(slug)?.declaration.filters;
    return rules ? strictlyMissing(rules, asked, options.provider_overrides?.[slug] ?? {}) : [];
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
