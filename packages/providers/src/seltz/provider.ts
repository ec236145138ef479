import { defineProvider } from '../declaration/declare.ts';
import { seltzSearch } from './search.ts';

export const seltz = defineProvider({
  slug: 'seltz',
  name: 'Seltz',
  baseUrl: 'https://api.seltz.ai',
  authentication: { in: 'header', name: 'x-api-key' },
  credentialVariables: ['SELTZ_API_KEY'],
  prices: { asOf: '2026-11-21', usd: { search: 0.005 } },
  dataUse: {
    training: 'unknown',
    retention: 'unknown',
    region: 'unknown',
    source: null,
    checked: '2026-11-23',
    note: 'Nothing was found.',
  },
  search: seltzSearch,
});
