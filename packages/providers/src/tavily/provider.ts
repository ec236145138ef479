import { defineProvider } from '../declaration/declare.ts';
import { tavilyFetch } from './fetch.ts';
import { tavilySearch } from './search.ts';

export const tavily = defineProvider({
  slug: 'tavily',
  name: 'Tavily',
  baseUrl: 'https://api.tavily.com',
  authentication: { in: 'header', name: 'authorization', prefix: 'Bearer ' },
  credentialVariables: ['TAVILY_API_KEY'],
  keyPage: { url: 'https://app.tavily.com', free: '1,000 credits a month' },
  prices: {
    asOf: '2026-11-21',
    usd: { search: 0.008, search_advanced: 0.016, fetch_page: 0.0016 },
  },
  dataUse: {
    training: 'opt_out',
    retention: 'unknown',
    region: 'unknown',
    source:
      'https://help.tavily.com/articles/4205958832-understanding-the-allow-use-of-query-data-setting',
    checked: '2026-11-23',
    note: 'As public reviews of 2026 read the terms: inputs and outputs may train models of some functions, and the account setting "Allow Use of Query Data" switches storage and use of queries off. The page itself could not be read for this check.',
  },
  search: tavilySearch,
  fetch: tavilyFetch,
});
