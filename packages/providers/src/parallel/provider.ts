import { defineProvider } from '../declaration/declare.ts';
import { parallelFetch } from './fetch.ts';
import prices from './prices.json' with { type: 'json' };
import { parallelSearch } from './search.ts';

export const parallel = defineProvider({
  slug: 'parallel',
  name: 'Parallel',
  baseUrl: 'https://api.parallel.ai',
  authentication: { in: 'header', name: 'x-api-key' },
  credentialVariables: ['PARALLEL_API_KEY'],
  prices,
  search: parallelSearch,
  fetch: parallelFetch,
});
