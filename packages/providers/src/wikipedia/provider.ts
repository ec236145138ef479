import { defineProvider } from '../declaration/declare.ts';
import {
  WIKIMEDIA_ALLOWANCE,
  WIKIMEDIA_PACE,
  WIKIMEDIA_PACE_WITHOUT,
} from '../declaration/mediawiki.ts';
import { wikipediaSearch } from './search.ts';

export const wikipedia = defineProvider({
  slug: 'wikipedia',
  name: 'Wikipedia',
  baseUrl: 'https://wikipedia.org',
  authentication: { in: 'none' },
  credentialVariables: [],
  open: {
    allowance: WIKIMEDIA_ALLOWANCE,
    pace: WIKIMEDIA_PACE,
    contact: { kind: 'faster', paceWithout: WIKIMEDIA_PACE_WITHOUT },
  },
  prices: { asOf: '2026-11-27', usd: { search: 0 } },
  dataUse: {
    training: 'unknown',
    retention: 'unknown',
    region: 'unknown',
    source: 'https://foundation.wikimedia.org/wiki/Policy:Privacy_policy',
    checked: '2026-11-27',
    note: 'A public service of a foundation. Its privacy policy has no clause on training with queries, neither for nor against.',
  },
  search: wikipediaSearch,
});
