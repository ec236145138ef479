/** https://docs.tavily.com/documentation/api-reference/endpoint/search */
import { type FilterRules, native, unsupported } from '../declaration/filters.ts';
import countries from './countries.json' with { type: 'json' };

/** The English names by which Tavily knows countries. */
const COUNTRIES: Readonly<Record<string, string>> = countries;

export const tavilyFilters: FilterRules = {
  include_domains: native('takes up to 300 hosts in include_domains', ({ include_domains }) => ({
    include_domains,
  })),
  exclude_domains: native('takes up to 150 hosts in exclude_domains', ({ exclude_domains }) => ({
    exclude_domains,
  })),
  published_after: native('takes a day in start_date', ({ published_after }) => ({
    start_date: published_after,
  })),
  published_before: native('takes a day in end_date', ({ published_before }) => ({
    end_date: published_before,
  })),
  country: native(
    'takes the name of a country in country, for topic general',
    ({ country = '' }, { overrides }) => {
      const name = COUNTRIES[country];
      const isGeneral = (overrides.topic ?? 'general') === 'general';
      return name !== undefined && isGeneral ? { country: name } : null;
    },
    unsupported(
      'takes a list of countries without this one, and none for topics other than general',
    ),
  ),
  language: unsupported('does not document the values of its language parameter'),
  safe_search: native('takes safe_search, on or off, in enterprise plans', ({ safe_search }) => ({
    safe_search: safe_search !== 'off',
  })),
};
