import { defineProvider } from '../declaration/declare.ts';
import { UNKNOWN_USE } from '../declaration/vendor.ts';
import { firecrawlFetch } from './fetch.ts';
import { firecrawlSearch } from './search.ts';

export const firecrawl = defineProvider({
  slug: 'firecrawl',
  name: 'Firecrawl',
  baseUrl: 'https://api.firecrawl.dev',
  authentication: { in: 'header', name: 'authorization', prefix: 'Bearer ' },
  credentialVariables: ['FIRECRAWL_API_KEY'],
  keyPage: { url: 'https://www.firecrawl.dev/app/api-keys', free: '1,000 credits a month' },
  prices: {
    asOf: '2026-11-26',
    usd: { search_usd_per_credit: 0.001, fetch_usd_per_credit: 0.001 },
  },
  dataUse: {
    ...UNKNOWN_USE,
    source: 'https://docs.firecrawl.dev/security',
    checked: '2026-11-23',
    note: 'Zero retention of page contents is part of enterprise plans. What is read of the page does not mention training.',
  },
  search: firecrawlSearch,
  fetch: firecrawlFetch,
});
