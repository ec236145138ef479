import { defineProvider } from '../declaration/declare.ts';
import {
  WIKIMEDIA_ALLOWANCE,
  WIKIMEDIA_PACE,
  WIKIMEDIA_PACE_WITHOUT,
} from '../declaration/mediawiki.ts';
import dataUse from './data-use.json' with { type: 'json' };
import prices from './prices.json' with { type: 'json' };
import { wikidataSearch } from './search.ts';

export const wikidata = defineProvider({
  slug: 'wikidata',
  name: 'Wikidata',
  baseUrl: 'https://www.wikidata.org',
  authentication: { in: 'none' },
  credentialVariables: [],
  open: {
    allowance: WIKIMEDIA_ALLOWANCE,
    pace: WIKIMEDIA_PACE,
    contact: { kind: 'faster', paceWithout: WIKIMEDIA_PACE_WITHOUT },
  },
  prices,
  dataUse,
  search: wikidataSearch,
});
