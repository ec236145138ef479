import { defineProvider } from '../declaration/declare.ts';
import { keenableSearch } from './search.ts';

export const keenable = defineProvider({
  slug: 'keenable',
  name: 'Keenable',
  baseUrl: 'https://api.keenable.ai',
  authentication: { in: 'header', name: 'x-api-key', optional: true },
  credentialVariables: ['KEENABLE_API_KEY'],
  open: {
    allowance: '1,000 requests an hour and 10 a second per address',
    pace: { everyMs: 500, inFlight: 2, most: { calls: 1_000, seconds: 3_600 } },
  },
  prices: { asOf: '2026-11-27', usd: { search: 0 } },
  dataUse: {
    training: 'unknown',
    retention: 'unknown',
    region: 'unknown',
    source: null,
    checked: '2026-11-27',
    note: 'Nothing was found: no page on terms, retention or training of queries.',
  },
  search: keenableSearch,
});
