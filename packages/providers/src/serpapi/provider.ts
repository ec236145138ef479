import { defineProvider } from '../declaration/declare.ts';
import dataUse from './data-use.json' with { type: 'json' };
import prices from './prices.json' with { type: 'json' };
import { serpapiSearch } from './search.ts';

export const serpapi = defineProvider({
  slug: 'serpapi',
  name: 'SerpApi',
  baseUrl: 'https://serpapi.com',
  authentication: { in: 'query', name: 'api_key' },
  credentialVariables: ['SERPAPI_API_KEY'],
  keyPage: { url: 'https://serpapi.com/manage-api-key', free: '250 searches a month' },
  prices,
  dataUse,
  search: serpapiSearch,
});
