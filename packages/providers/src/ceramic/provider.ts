import { defineProvider } from '../declaration/declare.ts';
import dataUse from './data-use.json' with { type: 'json' };
import prices from './prices.json' with { type: 'json' };
import { ceramicSearch } from './search.ts';

export const ceramic = defineProvider({
  slug: 'ceramic',
  name: 'Ceramic',
  baseUrl: 'https://api.ceramic.ai',
  authentication: { in: 'header', name: 'authorization', prefix: 'Bearer ' },
  credentialVariables: ['CERAMIC_API_KEY'],
  prices,
  dataUse,
  search: ceramicSearch,
});
