import { defineProvider } from '../declaration/declare.ts';
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
    // a request during a block starts its ten minutes again
    pace: { everyMs: 200, inFlight: 1, silence: { ms: 600_000, maxMs: 3_600_000 } },
    contact: { kind: 'needed' },
  },
  prices: { asOf: '2026-11-27', usd: { search: 0 } },
  dataUse: {
    training: 'unknown',
    retention: 'unknown',
    region: 'unknown',
    source: null,
    checked: '2026-11-27',
    note: 'Nothing was found on what becomes of queries. A service of the U.S. government, whose sites are logged.',
  },
  search: edgarSearch,
});
