/** https://docs.tinyfish.ai/search-api/reference */
import {
  anySite,
  type FilterRules,
  inQuery,
  native,
  noSite,
  unsupported,
} from '../declaration/filters.ts';

/** Dates are refused for research papers, which only an override asks for. */
const papers = unsupported(
  'refuses dates where provider_overrides set domain_type to research_paper',
);
const arePapers = (overrides: { readonly domain_type?: unknown }) =>
  overrides.domain_type === 'research_paper';

export const tinyfishFilters: FilterRules = {
  // it documents site: alone, and no way to name one of several
  include_domains: inQuery('documents the operator site: for one host', (filters) =>
    filters.include_domains?.length === 1 ? anySite(filters) : null,
  ),
  exclude_domains: inQuery('documents the operator -site:', noSite),
  published_after: native(
    'takes a day in after_date',
    ({ published_after }, { overrides }) =>
      arePapers(overrides) ? null : { after_date: published_after },
    papers,
  ),
  published_before: native(
    'takes a day in before_date',
    ({ published_before }, { overrides }) =>
      arePapers(overrides) ? null : { before_date: published_before },
    papers,
  ),
  country: native('takes a country in location', ({ country }) => ({ location: country })),
  language: native('takes a language in language', ({ language }) => ({ language })),
  safe_search: unsupported('has no safe search'),
};
