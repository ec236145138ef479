import { defineProvider } from '../declaration/declare.ts';
import dataUse from './data-use.json' with { type: 'json' };
import { exaFetch } from './fetch.ts';
import prices from './prices.json' with { type: 'json' };
import { exaSearch } from './search.ts';

export const exa = defineProvider({
  slug: 'exa',
  name: 'Exa',
  baseUrl: 'https://api.exa.ai',
  authentication: { in: 'header', name: 'x-api-key' },
  credentialVariables: ['EXA_API_KEY'],
  keyPage: { url: 'https://dashboard.exa.ai/api-keys' },
  prices,
  dataUse,
  search: exaSearch,
  fetch: exaFetch,
});
