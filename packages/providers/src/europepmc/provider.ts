import { defineProvider } from '../declaration/declare.ts';
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
  prices: { asOf: '2026-11-27', usd: { search: 0 } },
  dataUse: {
    training: 'unknown',
    retention: 'unknown',
    region: 'unknown',
    source: 'https://europepmc.org/PrivacyNotice',
    checked: '2026-11-27',
    note: 'A public service of EMBL-EBI. Its privacy notice has no clause on training with queries.',
  },
  search: europepmcSearch,
});
