import { defineProvider } from '../declaration/declare.ts';
import { serperSearch } from './search.ts';

export const serper = defineProvider({
  slug: 'serper',
  name: 'Serper',
  baseUrl: 'https://google.serper.dev',
  authentication: { in: 'header', name: 'x-api-key' },
  credentialVariables: ['SERPER_API_KEY'],
  keyPage: { url: 'https://serper.dev/api-keys', free: '2,500 searches, once' },
  prices: { asOf: '2026-11-26', usd: { credit: 0.001 } },
  dataUse: {
    training: 'unknown',
    retention: 'unknown',
    region: 'unknown',
    source: null,
    checked: '2026-11-26',
    note: 'Nothing was found: the terms could not be read for this check. The query is passed on to Google.',
  },
  search: serperSearch,
});
