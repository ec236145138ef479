import { defineProvider } from '../declaration/declare.ts';
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
  prices: { asOf: '2026-11-27', usd: { search: 0 } },
  dataUse: {
    training: 'unknown',
    retention: 'unknown',
    region: 'unknown',
    source: null,
    checked: '2026-11-27',
    note: 'Nothing was found on what becomes of queries. A public service of Cornell University; its terms of use are about pace and acknowledgement.',
  },
  search: arxivSearch,
});
