/** https://exa.ai/docs/reference/search */
import { type FilterRules, native, unsupported } from '../declaration/filters.ts';

export const exaFilters: FilterRules = {
  include_domains: native('takes hosts in includeDomains', ({ include_domains }) => ({
    includeDomains: include_domains,
  })),
  exclude_domains: native('takes hosts in excludeDomains', ({ exclude_domains }) => ({
    excludeDomains: exclude_domains,
  })),
  published_after: native('takes a time in startPublishedDate', ({ published_after }) => ({
    startPublishedDate: `${published_after}T00:00:00.000Z`,
  })),
  published_before: native('takes a time in endPublishedDate', ({ published_before }) => ({
    endPublishedDate: `${published_before}T23:59:59.999Z`,
  })),
  country: native("takes the user's country in userLocation", ({ country }) => ({
    userLocation: country,
  })),
  language: unsupported('has no language filter'),
  safe_search: native(
    'filters unsafe content with moderation, in one degree',
    ({ safe_search }) => ({ moderation: safe_search !== 'off' }),
  ),
};
