import { defineProvider } from '../declaration/declare.ts';
import dataUse from './data-use.json' with { type: 'json' };
import prices from './prices.json' with { type: 'json' };
import { edgarSearch } from './search.ts';

export const edgar = defineProvider({
  slug: 'edgar',
  name: 'SEC EDGAR',
  baseUrl: 'https://efts.sec.gov',
  authentication: { in: 'none' },
  credentialVariables: [],
  open: {
    allowance:
      '10 requests a second over all addresses of the SEC, with an e-mail address in the User-Agent',
    // a request during a block starts its ten minutes anew
    pace: { everyMs: 200, inFlight: 1, silence: { ms: 600_000, maxMs: 3_600_000 } },
    contact: { kind: 'needed' },
  },
  prices,
  dataUse,
  search: edgarSearch,
});
