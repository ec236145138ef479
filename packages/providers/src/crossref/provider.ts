import { defineProvider } from '../declaration/declare.ts';
import dataUse from './data-use.json' with { type: 'json' };
import prices from './prices.json' with { type: 'json' };
import { crossrefSearch } from './search.ts';

export const crossref = defineProvider({
  slug: 'crossref',
  name: 'Crossref',
  baseUrl: 'https://api.crossref.org',
  authentication: { in: 'none' },
  credentialVariables: [],
  open: {
    allowance: '10 requests a second with a contact, 5 without, one at a time then',
    pace: { everyMs: 334, inFlight: 3 },
    contact: {
      kind: 'faster',
      paceWithout: { everyMs: 1_000, inFlight: 1 },
      parameter: 'mailto',
    },
  },
  prices,
  dataUse,
  search: crossrefSearch,
});
