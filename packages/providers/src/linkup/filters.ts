/** https://docs.linkup.so/pages/documentation/endpoints/search */
import { type FilterRules, native, unsupported } from '../declaration/filters.ts';

/** Dates must be later than this day. */
const EPOCH = '1970-01-01';
const beforeEpoch = unsupported('takes only dates after 1970-01-01 and returns none to check');

export const linkupFilters: FilterRules = {
  include_domains: native('takes up to 100 hosts in includeDomains', ({ include_domains }) => ({
    includeDomains: include_domains,
  })),
  exclude_domains: native('takes hosts in excludeDomains', ({ exclude_domains }) => ({
    excludeDomains: exclude_domains,
  })),
  published_after: native(
    'takes a day in fromDate',
    ({ published_after: day = '' }) => (day > EPOCH ? { fromDate: day } : null),
    beforeEpoch,
  ),
  published_before: native(
    'takes a day in toDate',
    ({ published_before: day = '' }) => (day > EPOCH ? { toDate: day } : null),
    beforeEpoch,
  ),
  country: unsupported('has no country filter'),
  language: unsupported('has no language filter'),
  safe_search: unsupported('has no safe search'),
};
