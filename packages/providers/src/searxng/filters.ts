/** https://docs.searxng.org/dev/search_api.html */
import { checked, type FilterRules, native, unsupported } from '../declaration/filters.ts';

const SAFE_SEARCH = { off: 0, moderate: 1, strict: 2 } as const;

const site = checked('passes operators on, and not every engine understands them');
const day = checked('filters by day, month or year back from now only; it returns some dates');

export const searxngFilters: FilterRules = {
  include_domains: site,
  exclude_domains: site,
  published_after: day,
  published_before: day,
  country: unsupported('documents no country filter'),
  language: native('takes a language in language', ({ language }) => ({ language })),
  safe_search: native('takes 0, 1 and 2 in safesearch', ({ safe_search = 'off' }) => ({
    safesearch: SAFE_SEARCH[safe_search],
  })),
};
