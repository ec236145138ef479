import { defineProvider } from '../declaration/declare.ts';
import dataUse from './data-use.json' with { type: 'json' };
import prices from './prices.json' with { type: 'json' };
import { stackexchangeSearch } from './search.ts';

export const stackexchange = defineProvider({
  slug: 'stackexchange',
  name: 'Stack Exchange',
  baseUrl: 'https://api.stackexchange.com',
  authentication: { in: 'none' },
  credentialVariables: [],
  open: {
    allowance: '300 requests a day per address',
    pace: {
      everyMs: 1_000,
      inFlight: 1,
      most: { calls: 280, seconds: 86_400 },
      silence: { ms: 300_000, maxMs: 3_600_000 },
    },
  },
  prices,
  dataUse,
  search: stackexchangeSearch,
});
