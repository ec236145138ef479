import { defineProvider } from '../declaration/declare.ts';
import dataUse from './data-use.json' with { type: 'json' };
import prices from './prices.json' with { type: 'json' };
import { orcidSearch } from './search.ts';

export const orcid = defineProvider({
  slug: 'orcid',
  name: 'ORCID',
  baseUrl: 'https://pub.orcid.org',
  authentication: { in: 'none' },
  credentialVariables: [],
  open: {
    allowance: '24 requests a second',
    pace: { everyMs: 500, inFlight: 2 },
    onlyIfNamed: 'its public terms are for non-commercial use',
  },
  prices,
  dataUse,
  search: orcidSearch,
});
