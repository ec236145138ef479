import { defineProvider } from '../declaration/declare.ts';
import dataUse from './data-use.json' with { type: 'json' };
import { youFetch } from './fetch.ts';
import prices from './prices.json' with { type: 'json' };
import { youSearch } from './search.ts';

export const you = defineProvider({
  slug: 'you',
  name: 'You.com',
  baseUrl: 'https://ydc-index.io',
  authentication: { in: 'header', name: 'x-api-key' },
  credentialVariables: ['YOU_API_KEY', 'YDC_API_KEY'],
  keyPage: { url: 'https://you.com/platform', free: '100 US dollars for a new account' },
  prices,
  dataUse,
  search: youSearch,
  fetch: youFetch,
});
