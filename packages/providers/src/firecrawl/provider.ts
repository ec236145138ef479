import { defineProvider } from '../declaration/declare.ts';
import dataUse from './data-use.json' with { type: 'json' };
import { firecrawlFetch } from './fetch.ts';
import prices from './prices.json' with { type: 'json' };
import { firecrawlSearch } from './search.ts';

export const firecrawl = defineProvider({
  slug: 'firecrawl',
  name: 'Firecrawl',
  baseUrl: 'https://api.firecrawl.dev',
  authentication: { in: 'header', name: 'authorization', prefix: 'Bearer ' },
  credentialVariables: ['FIRECRAWL_API_KEY'],
  keyPage: { url: 'https://www.firecrawl.dev/app/api-keys', free: '1,000 credits a month' },
  prices,
  dataUse,
  search: firecrawlSearch,
  fetch: firecrawlFetch,
});
