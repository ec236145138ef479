import { defineProvider } from '../declaration/declare.ts';
import dataUse from './data-use.json' with { type: 'json' };
import prices from './prices.json' with { type: 'json' };
import { braveSearch } from './search.ts';

export const brave = defineProvider({
  slug: 'brave',
  name: 'Brave Search',
  baseUrl: 'https://api.search.brave.com',
  authentication: { in: 'header', name: 'x-subscription-token' },
  credentialVariables: ['BRAVE_API_KEY'],
  keyPage: { url: 'https://api-dashboard.search.brave.com/app/keys' },
  prices,
  dataUse,
  search: braveSearch,
});
