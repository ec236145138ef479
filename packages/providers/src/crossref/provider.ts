import { defineProvider } from '../declaration/declare.ts';
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
  prices: { asOf: '2026-11-27', usd: { search: 0 } },
  dataUse: {
    training: 'unknown',
    retention: 'unknown',
    region: 'unknown',
    source: 'https://www.crossref.org/operations-and-sustainability/privacy/',
    checked: '2026-11-27',
    note: 'A public service of a membership organization. Queries are logged; nothing was found on training.',
  },
  search: crossrefSearch,
});
