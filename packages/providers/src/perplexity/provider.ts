import { defineProvider } from '../declaration/declare.ts';
import dataUse from './data-use.json' with { type: 'json' };
import prices from './prices.json' with { type: 'json' };
import { perplexitySearch } from './search.ts';

export const perplexity = defineProvider({
  slug: 'perplexity',
  name: 'Perplexity Search',
  baseUrl: 'https://api.perplexity.ai',
  authentication: { in: 'header', name: 'authorization', prefix: 'Bearer ' },
  credentialVariables: ['PERPLEXITY_API_KEY'],
  keyPage: { url: 'https://www.perplexity.ai/account/api/keys' },
  prices,
  dataUse,
  search: perplexitySearch,
});
