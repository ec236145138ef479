import { defineProvider } from '../declaration/declare.ts';
import { hackernewsSearch } from './search.ts';

export const hackernews = defineProvider({
  slug: 'hackernews',
  name: 'Hacker News',
  baseUrl: 'https://hn.algolia.com',
  authentication: { in: 'none' },
  credentialVariables: [],
  open: {
    allowance: '10,000 requests an hour per address',
    pace: { everyMs: 500, inFlight: 2 },
  },
  prices: { asOf: '2026-11-27', usd: { search: 0 } },
  dataUse: {
    training: 'unknown',
    retention: 'unknown',
    region: 'unknown',
    source: null,
    checked: '2026-11-27',
    note: 'Nothing was found on training. Queries go to Algolia, which hosts the index; trawl asks it to leave them out of its analytics (analytics=false).',
  },
  search: hackernewsSearch,
});
