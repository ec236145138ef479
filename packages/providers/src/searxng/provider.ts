import { defineProvider } from '../declaration/declare.ts';
import dataUse from './data-use.json' with { type: 'json' };
import prices from './prices.json' with { type: 'json' };
import { searxngSearch } from './search.ts';

export const searxng = defineProvider({
  slug: 'searxng',
  name: 'SearXNG',
  baseUrl: null,
  authentication: { in: 'none' },
  credentialVariables: [],
  prices,
  dataUse,
  search: searxngSearch,
});
