import { defineProvider } from '../declaration/declare.ts';
import dataUse from './data-use.json' with { type: 'json' };
import { linkupFetch } from './fetch.ts';
import prices from './prices.json' with { type: 'json' };
import { linkupSearch } from './search.ts';

export const linkup = defineProvider({
  slug: 'linkup',
  name: 'Linkup',
  baseUrl: 'https://api.linkup.so',
  authentication: { in: 'header', name: 'authorization', prefix: 'Bearer ' },
  credentialVariables: ['LINKUP_API_KEY'],
  keyPage: { url: 'https://app.linkup.so', free: 'a monthly credit for some accounts' },
  prices,
  dataUse,
  search: linkupSearch,
  fetch: linkupFetch,
});
