import { defineProvider } from '../declaration/declare.ts';
import dataUse from './data-use.json' with { type: 'json' };
import prices from './prices.json' with { type: 'json' };
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
  prices,
  dataUse,
  search: gleifSearch,
});
