/** https://docs.perplexity.ai/api-reference/search-post */
import { checked, type FilterRules, native, unsupported } from '../declaration/filters.ts';

/** Entries of `search_domain_filter`; one list either includes or excludes. */
const HOSTS_MAX = 20;
const tooMany = checked('takes at most 20 hosts in search_domain_filter');

const domains = (hosts: readonly string[]) =>
  hosts.length > HOSTS_MAX ? null : { search_domain_filter: hosts };

/** MM/DD/YYYY */
const american = (day = ''): string => {
  const [year, month, date] = day.split('-');
  return `${month}/${date}/${year}`;
};

export const perplexityFilters: FilterRules = {
  include_domains: native(
    'takes up to 20 hosts in search_domain_filter',
    ({ include_domains = [] }) => domains(include_domains),
    tooMany,
  ),
  exclude_domains: native(
    'takes up to 20 hosts with a minus sign in search_domain_filter',
    ({ exclude_domains = [] }) => domains(exclude_domains.map((host) => `-${host}`)),
    tooMany,
  ),
  published_after: native('takes a day in search_after_date_filter', ({ published_after }) => ({
    search_after_date_filter: american(published_after),
  })),
  published_before: native('takes a day in search_before_date_filter', ({ published_before }) => ({
    search_before_date_filter: american(published_before),
  })),
  country: native('takes a country in country', ({ country }) => ({ country })),
  language: native('takes languages in search_language_filter', ({ language }) => ({
    search_language_filter: [language],
  })),
  safe_search: unsupported('has no safe search'),
};
