/**
 * https://docs.parallel.ai/search/source-policy and
 * https://docs.parallel.ai/search/advanced-search-settings
 */
import {
  checked,
  type FilterRules,
  memberAt,
  native,
  prefers,
  unsupported,
} from '../declaration/filters.ts';

const POLICY = 'advanced_settings.source_policy';

export const parallelFilters: FilterRules = {
  include_domains: native('takes hosts in the include_domains of source_policy', (filters) =>
    memberAt(`${POLICY}.include_domains`, filters.include_domains),
  ),
  exclude_domains: native('takes hosts in the exclude_domains of source_policy', (filters) =>
    memberAt(`${POLICY}.exclude_domains`, filters.exclude_domains),
  ),
  published_after: native('takes a day in the after_date of source_policy', (filters) =>
    memberAt(`${POLICY}.after_date`, filters.published_after),
  ),
  published_before: checked('documents no last day; it returns the date of some rows'),
  country: prefers(
    'prefers results for the country in location, and says when it ignores one',
    ({ country }) => memberAt('advanced_settings.location', country?.toLowerCase()),
  ),
  language: unsupported('has no language filter'),
  safe_search: unsupported('has no safe search'),
};
