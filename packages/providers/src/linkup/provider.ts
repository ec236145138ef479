import { defineProvider } from '../declaration/declare.ts';
import { linkupFetch } from './fetch.ts';
import { linkupSearch } from './search.ts';

export const linkup = defineProvider({
  slug: 'linkup',
  name: 'Linkup',
  baseUrl: 'https://api.linkup.so',
  authentication: { in: 'header', name: 'authorization', prefix: 'Bearer ' },
  credentialVariables: ['LINKUP_API_KEY'],
  keyPage: { url: 'https://app.linkup.so', free: 'a monthly credit for some accounts' },
  prices: {
    asOf: '2026-11-21',
    usd: {
      search: 0.005,
      search_answer: 0.006,
      search_deep: 0.05,
      search_deep_answer: 0.055,
      fetch_page: 0.005,
    },
  },
  dataUse: {
    training: 'unknown',
    retention: 'unknown',
    region: 'USA, EU, Canada or Asia-Pacific, by load',
    source: 'https://docs.linkup.so/pages/security-and-privacy/data-processing-privacy',
    checked: '2026-11-23',
    note: 'Zero retention on request, not by default. Processing in one region is part of enterprise agreements. The page does not mention training.',
  },
  search: linkupSearch,
  fetch: linkupFetch,
});
