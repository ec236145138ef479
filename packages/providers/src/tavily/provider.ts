import { defineProvider } from '../declaration/declare.ts';
import dataUse from './data-use.json' with { type: 'json' };
import { tavilyFetch } from './fetch.ts';
import prices from './prices.json' with { type: 'json' };
import { tavilySearch } from './search.ts';

export const tavily = defineProvider({
  slug: 'tavily',
  name: 'Tavily',
  baseUrl: 'https://api.tavily.com',
  authentication: { in: 'header', name: 'authorization', prefix: 'Bearer ' },
  credentialVariables: ['TAVILY_API_KEY'],
  keyPage: { url: 'https://app.tavily.com', free: '1,000 credits a month' },
  prices,
  dataUse,
  search: tavilySearch,
  fetch: tavilyFetch,
});
