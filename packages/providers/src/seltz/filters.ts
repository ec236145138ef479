/** https://docs.seltz.ai/api-reference/search */
import { type FilterRules, native, unsupported } from '../declaration/filters.ts';

export const seltzFilters: FilterRules = {
  include_domains: native('takes hosts in include_domains', ({ include_domains }) => ({
    include_domains,
  })),
  exclude_domains: native('takes hosts in exclude_domains', ({ exclude_domains }) => ({
    exclude_domains,
  })),
  published_after: native('takes a day in from_date', ({ published_after }) => ({
    from_date: published_after,
  })),
  published_before: native('takes a day in to_date', ({ published_before }) => ({
    to_date: published_before,
  })),
  country: unsupported('has no country filter'),
  language: unsupported('has no language filter'),
  safe_search: unsupported('has no safe search'),
};
