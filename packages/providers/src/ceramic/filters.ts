/**
 * https://docs.ceramic.ai/api-reference/search: a query and counts, no filters; unknown parameters
 * are refused.
 */
import { checked, type FilterRules, unsupported } from '../declaration/filters.ts';

const undated = unsupported('has no date filter and returns no dates');

export const ceramicFilters: FilterRules = {
  include_domains: checked('documents no domain filter'),
  exclude_domains: checked('documents no domain filter'),
  published_after: undated,
  published_before: undated,
  country: unsupported('has no country filter'),
  language: unsupported('has no language filter'),
  safe_search: unsupported('has no safe search'),
};
