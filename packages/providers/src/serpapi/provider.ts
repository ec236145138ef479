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
  prices,
  dataUse,
  search: serpapiSearch,
});
