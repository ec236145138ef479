import { defineProvider } from '../declaration/declare.ts';
import dataUse from './data-use.json' with { type: 'json' };
import prices from './prices.json' with { type: 'json' };
import { europepmcSearch } from './search.ts';

export const europepmc = defineProvider({
  slug: 'europepmc',
  name: 'Europe PMC',
  baseUrl: 'https://www.ebi.ac.uk/europepmc/webservices/rest',
  authentication: { in: 'none' },
  credentialVariables: [],
  open: {
    allowance: '10 requests a second, 500 a minute',
    pace: { everyMs: 334, inFlight: 3, most: { calls: 300, seconds: 60 } },
  },
  prices,
  dataUse,
  search: europepmcSearch,
});
