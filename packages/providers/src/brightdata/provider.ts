import { defineProvider } from '../declaration/declare.ts';
import { UNKNOWN_USE } from '../declaration/vendor.ts';
import { brightdataFetch } from './fetch.ts';
import { brightdataSearch } from './search.ts';

export const brightdata = defineProvider({
  slug: 'brightdata',
  name: 'Bright Data',
  baseUrl: 'https://api.brightdata.com',
  authentication: { in: 'header', name: 'authorization', prefix: 'Bearer ' },
  credentialVariables: ['BRIGHTDATA_API_KEY'],
  prices: { asOf: '2026-11-21', usd: { search: 0.0015, fetch_record: 0.002 } },
  dataUse: {
    ...UNKNOWN_USE,
    checked: '2026-11-23',
    note: 'Nothing was found about requests of customers.',
  },
  search: brightdataSearch,
  fetch: brightdataFetch,
});
