import { defineProvider } from '../declaration/declare.ts';
import dataUse from './data-use.json' with { type: 'json' };
import prices from './prices.json' with { type: 'json' };
import { keenableSearch } from './search.ts';

export const keenable = defineProvider({
  slug: 'keenable',
  name: 'Keenable',
  baseUrl: 'https://api.keenable.ai',
  authentication: { in: 'none' },
  credentialVariables: [],
  open: {
    allowance: '1,000 requests an hour and 10 a second per address',
    pace: { everyMs: 500, inFlight: 2, most: { calls: 1_000, seconds: 3_600 } },
  },
  prices,
  dataUse,
  search: keenableSearch,
});
