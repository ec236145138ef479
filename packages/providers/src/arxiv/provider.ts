import { defineProvider } from '../declaration/declare.ts';
import dataUse from './data-use.json' with { type: 'json' };
import prices from './prices.json' with { type: 'json' };
import { arxivSearch } from './search.ts';

export const arxiv = defineProvider({
  slug: 'arxiv',
  name: 'arXiv',
  baseUrl: 'https://export.arxiv.org',
  authentication: { in: 'none' },
  credentialVariables: [],
  open: {
    allowance: 'one request in three seconds, one at a time, over all machines of an operator',
    // it refuses callers for minutes to hours, also at this pace
    pace: { everyMs: 3_000, inFlight: 1, silence: { ms: 60_000, maxMs: 1_800_000 } },
  },
  prices,
  dataUse,
  search: arxivSearch,
});
