import { defineProvider } from '../declaration/declare.ts';
import { searchapiSearch } from './search.ts';

export const searchapi = defineProvider({
  slug: 'searchapi',
  name: 'SearchApi',
  baseUrl: 'https://www.searchapi.io',
  authentication: { in: 'header', name: 'authorization', prefix: 'Bearer ' },
  credentialVariables: ['SEARCHAPI_API_KEY'],
  prices: { asOf: '2026-11-26', usd: { search: 0.004 } },
  dataUse: {
    training: 'unknown',
    retention: 'unknown',
    region: 'unknown',
    source: 'https://www.searchapi.io/docs/google',
    checked: '2026-11-26',
    note: 'Searches are stored: an answer has addresses that open it to anyone. Enterprise plans have a parameter for zero retention. Nothing was found on training. The query is passed on to Google.',
  },
  search: searchapiSearch,
});
