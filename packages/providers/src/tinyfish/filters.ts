/**
 * https://docs.tinyfish.ai/search-api/reference and the tool definitions of
 * https://github.com/tinyfish-io/tinyfish-mcp-server
 */
import { type FilterRules, native, prefers, unsupported } from '../declaration/filters.ts';

/** Papers have years instead of days. Only an override asks for them. */
const papers = unsupported(
  'accepts only whole years where provider_overrides set domain_type to research_paper',
);
const arePapers = (overrides: { readonly domain_type?: unknown }) =>
  overrides.domain_type === 'research_paper';

/** The year of its first or last day; null for another day. */
const yearOf = (day = '', edge: '-01-01' | '-12-31'): number | null =>
  day.endsWith(edge) ? Number(day.slice(0, 4)) : null;

export const tinyfishFilters: FilterRules = {
  include_domains: native('takes hosts in include_domains', ({ include_domains: hosts = [] }) => ({
    include_domains: hosts.join(','),
  })),
  exclude_domains: native('takes hosts in exclude_domains', ({ exclude_domains: hosts = [] }) => ({
    exclude_domains: hosts.join(','),
  })),
  published_after: native(
    'takes a day in after_date',
    ({ published_after: day }, { overrides }) => {
      if (!arePapers(overrides)) return { after_date: day };
      const year = yearOf(day, '-01-01');
      return year === null ? null : { pub_year_min: year };
    },
    papers,
  ),
  published_before: native(
    'takes a day in before_date',
    ({ published_before: day }, { overrides }) => {
      if (!arePapers(overrides)) return { before_date: day };
      const year = yearOf(day, '-12-31');
      return year === null ? null : { pub_year_max: year };
    },
    papers,
  ),
  country: prefers(
    'prefers pages of the country in location, which also sets the language unless one is asked for',
    ({ country }) => ({ location: country }),
  ),
  language: prefers(
    'prefers pages in the language in language, which also sets the country unless one is asked for',
    ({ language }) => ({ language }),
  ),
  safe_search: unsupported('has no safe search'),
};
