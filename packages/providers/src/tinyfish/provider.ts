import { defineProvider } from '../declaration/declare.ts';
import dataUse from './data-use.json' with { type: 'json' };
import { tinyfishFetch } from './fetch.ts';
import prices from './prices.json' with { type: 'json' };
import { tinyfishSearch } from './search.ts';

export const tinyfish = defineProvider({
  slug: 'tinyfish',
  name: 'TinyFish',
  baseUrl: 'https://api.search.tinyfish.ai',
  // each of its hosts has one resource; behind an operator's base URL they share a host
  pathAtBaseUrl: '/',
  authentication: { in: 'header', name: 'x-api-key' },
  credentialVariables: ['TINYFISH_API_KEY'],
  keyPage: {
    url: 'https://agent.tinyfish.ai/api-keys',
    free: 'all searches and pages, 30 searches a minute',
  },
  prices,
  dataUse,
  search: tinyfishSearch,
  fetch: tinyfishFetch,
});
