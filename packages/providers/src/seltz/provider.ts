import { defineProvider } from '../declaration/declare.ts';
import dataUse from './data-use.json' with { type: 'json' };
import prices from './prices.json' with { type: 'json' };
import { seltzSearch } from './search.ts';

export const seltz = defineProvider({
  slug: 'seltz',
  name: 'Seltz',
  baseUrl: 'https://api.seltz.ai',
  authentication: { in: 'header', name: 'x-api-key' },
  credentialVariables: ['SELTZ_API_KEY'],
  prices,
  dataUse,
  search: seltzSearch,
});
