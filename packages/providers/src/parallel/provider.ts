import { defineProvider } from '../declaration/declare.ts';
import { UNKNOWN_USE } from '../declaration/vendor.ts';
import { parallelFetch } from './fetch.ts';
import { parallelSearch } from './search.ts';

export const parallel = defineProvider({
  slug: 'parallel',
  name: 'Parallel',
  baseUrl: 'https://api.parallel.ai',
  authentication: { in: 'header', name: 'x-api-key' },
  credentialVariables: ['PARALLEL_API_KEY'],
  keyPage: { url: 'https://platform.parallel.ai' },
  prices: {
    asOf: '2026-11-21',
    usd: {
      search: 0.005,
      search_turbo: 0.001,
      search_fast: 0.001,
      result_above_10: 0.001,
      fetch_page: 0.001,
    },
  },
  dataUse: {
    ...UNKNOWN_USE,
    source: 'https://parallel.ai/customer-terms',
    checked: '2026-11-23',
    note: 'Public reviews of September 2026 report that the vendor names no training and data centers in the USA in its FAQ. The clauses could not be read for this check. Zero retention is part of enterprise agreements.',
  },
  search: parallelSearch,
  fetch: parallelFetch,
});
