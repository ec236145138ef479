import { defineProvider } from '../declaration/declare.ts';
import dataUse from './data-use.json' with { type: 'json' };
import prices from './prices.json' with { type: 'json' };
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
  prices,
  dataUse,
  search: hackernewsSearch,
});
