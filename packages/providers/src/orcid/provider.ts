import { defineProvider } from '../declaration/declare.ts';
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
  prices: { asOf: '2026-11-27', usd: { search: 0 } },
  dataUse: {
    training: 'unknown',
    retention: 'unknown',
    region: 'unknown',
    source: 'https://info.orcid.org/privacy-policy/',
    checked: '2026-11-27',
    note: 'The public API is for non-commercial use, by the terms for public clients. Nothing was found on training with queries.',
  },
  search: orcidSearch,
});
