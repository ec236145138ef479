/** https://exa.ai/docs/reference/search */
import type { JsonObject } from '@trawl/contract';
import { checked, type FilterRules, native, prefers, unsupported } from '../declaration/filters.ts';

/** Categories of entities refuse these filters. Only an override asks for them. */
const areEntities = ({ category }: JsonObject) => category === 'company' || category === 'people';
const undated = unsupported(
  'refuses dates where provider_overrides set category to company or people',
);

export const exaFilters: FilterRules = {
  include_domains: native('takes hosts in includeDomains', ({ include_domains }) => ({
    includeDomains: include_domains,
  })),
  exclude_domains: native(
    'takes hosts in excludeDomains',
    ({ exclude_domains }, { overrides }) =>
      areEntities(overrides) ? null : { excludeDomains: exclude_domains },
    checked('refuses excludeDomains where provider_overrides set category to company or people'),
  ),
  published_after: native(
    'takes a time in startPublishedDate',
    ({ published_after }, { overrides }) =>
      areEntities(overrides) ? null : { startPublishedDate: `${published_after}T00:00:00.000Z` },
    undated,
  ),
  published_before: native(
    'takes a time in endPublishedDate',
    ({ published_before }, { overrides }) =>
      areEntities(overrides) ? null : { endPublishedDate: `${published_before}T23:59:59.999Z` },
    undated,
  ),
  country: prefers('prefers results for a user in the country in userLocation', ({ country }) => ({
    userLocation: country,
  })),
  language: unsupported('has no language filter'),
  safe_search: native(
    'filters unsafe content with moderation, in one degree',
    ({ safe_search }) => ({ moderation: safe_search !== 'off' }),
  ),
};
