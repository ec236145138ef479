import { defineProvider } from '../declaration/declare.ts';
import dataUse from './data-use.json' with { type: 'json' };
import { parallelFetch } from './fetch.ts';
import prices from './prices.json' with { type: 'json' };
import { parallelSearch } from './search.ts';

export const parallel = defineProvider({
  slug: 'parallel',
  name: 'Parallel',
  baseUrl: 'https://api.parallel.ai',
  authentication: { in: 'header', name: 'x-api-key' },
  credentialVariables: ['PARALLEL_API_KEY'],
  keyPage: { url: 'https://platform.parallel.ai' },
  prices,
  dataUse,
  search: parallelSearch,
  fetch: parallelFetch,
});
