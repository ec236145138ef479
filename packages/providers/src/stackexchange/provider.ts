import { defineProvider } from '../declaration/declare.ts';
import { stackexchangeSearch } from './search.ts';

export const stackexchange = defineProvider({
  slug: 'stackexchange',
  name: 'Stack Exchange',
  baseUrl: 'https://api.stackexchange.com',
  authentication: { in: 'query', name: 'key', optional: true },
  credentialVariables: ['STACKEXCHANGE_KEY'],
  keyPage: { url: 'https://stackapps.com/apps/oauth/register', free: '10,000 requests a day' },
  open: {
    allowance: '300 requests a day per address',
    pace: {
      everyMs: 1_000,
      inFlight: 1,
      most: { calls: 280, seconds: 86_400 },
      silence: { ms: 300_000, maxMs: 3_600_000 },
    },
  },
  prices: { asOf: '2026-11-27', usd: { search: 0 } },
  dataUse: {
    training: 'unknown',
    retention: 'unknown',
    region: 'unknown',
    source: null,
    checked: '2026-11-27',
    note: 'Nothing was found on what becomes of queries. The site terms restrict the use of its content for training models.',
  },
  search: stackexchangeSearch,
});
