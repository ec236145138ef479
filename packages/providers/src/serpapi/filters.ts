/**
 * https://serpapi.com/search-api, https://serpapi.com/google-countries and
 * https://serpapi.com/google-lr-languages. SerpApi names `tbs` for dates, but does not document how
 * dates are written in it, so `as_qdr` is used.
 */
import { checked, type FilterRules, native, unsupported } from '../declaration/filters.ts';
import { googleCountry, googleLanguage, googleRestriction } from '../request/google.ts';
import { NO_SITES_IN_QUERY, SITES_IN_QUERY } from '../request/google-filters.ts';
import { DAY_MS } from '../values/dates.ts';

/** `d` and a number of past days, the day itself included; at least one. */
const pastDays = (after: string, today: string): string =>
  `d${Math.max(1, (Date.parse(today) - Date.parse(after)) / DAY_MS + 1)}`;

export const serpapiFilters: FilterRules = {
  include_domains: SITES_IN_QUERY,
  exclude_domains: NO_SITES_IN_QUERY,
  published_after: native(
    'takes a number of past days in as_qdr',
    ({ published_after: day = '' }, { today }) => ({ as_qdr: pastDays(day, today) }),
  ),
  published_before: checked('documents no last day; it returns the date of some rows'),
  country: native(
    'prefers pages of the country in gl; with mode strict, cr also restricts them to it',
    (filters, { strict }) => {
      const code = googleCountry(filters);
      if (code === null) return null;
      // both gb and uk are in the list; uk is the one that it explains as the United Kingdom
      const gl = code === 'gb' ? 'uk' : code;
      return strict ? { gl, cr: googleRestriction(filters) } : { gl };
    },
    unsupported("takes a list of Google's countries without this one"),
  ),
  language: native(
    'takes a language of Google in lr',
    (filters) => {
      const lr = googleLanguage(filters);
      return lr === null ? null : { lr };
    },
    unsupported('takes only languages that Google restricts pages to'),
  ),
  safe_search: native("takes Google's safe search in safe, on or off", ({ safe_search }) => ({
    safe: safe_search === 'off' ? 'off' : 'active',
  })),
};
