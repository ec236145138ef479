import { defineProvider } from '../declaration/declare.ts';
import { mojeekSearch } from './search.ts';

export const mojeek = defineProvider({
  slug: 'mojeek',
  name: 'Mojeek',
  baseUrl: 'https://api.mojeek.com',
  authentication: { in: 'query', name: 'api_key' },
  credentialVariables: ['MOJEEK_API_KEY'],
  prices: { asOf: '2026-11-26', usd: { search: 0.003 } },
  dataUse: {
    training: 'unknown',
    retention: 'unknown',
    region: 'unknown',
    source: null,
    checked: '2026-11-26',
    note: 'Nothing was found: the terms of the API could not be read for this check. A firm in the United Kingdom with an index of its own.',
  },
  search: mojeekSearch,
});
