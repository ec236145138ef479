import { defineProvider } from '../declaration/declare.ts';
import { gleifSearch } from './search.ts';

export const gleif = defineProvider({
  slug: 'gleif',
  name: 'GLEIF',
  baseUrl: 'https://api.gleif.org',
  authentication: { in: 'none' },
  credentialVariables: [],
  open: {
    allowance: '60 requests a minute',
    pace: { everyMs: 1_000, inFlight: 1 },
  },
  prices: { asOf: '2026-11-27', usd: { search: 0 } },
  dataUse: {
    training: 'unknown',
    retention: 'unknown',
    region: 'unknown',
    source: null,
    checked: '2026-11-27',
    note: 'Nothing was found on what becomes of queries. A public register of a foundation.',
  },
  search: gleifSearch,
});
