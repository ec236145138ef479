import { defineProvider } from '../declaration/declare.ts';
import { braveSearch } from './search.ts';

export const brave = defineProvider({
  slug: 'brave',
  name: 'Brave Search',
  baseUrl: 'https://api.search.brave.com',
  authentication: { in: 'header', name: 'x-subscription-token' },
  credentialVariables: ['BRAVE_API_KEY'],
  keyPage: { url: 'https://api-dashboard.search.brave.com/app/keys' },
  prices: { asOf: '2026-11-21', usd: { search: 0.005 } },
  dataUse: {
    training: 'unknown',
    retention: 'queries up to 90 days, for billing and troubleshooting',
    region: 'unknown',
    source: 'https://api-dashboard.search.brave.com/privacy-policy',
    checked: '2026-11-23',
    note: 'The notice of August 2025 names billing and troubleshooting as the uses of queries, and does not mention training. The company is in the USA. Enterprise agreements offer zero retention.',
  },
  search: braveSearch,
});
