import { defineProvider } from '../declaration/declare.ts';
import { serpapiSearch } from './search.ts';

export const serpapi = defineProvider({
  slug: 'serpapi',
  name: 'SerpApi',
  baseUrl: 'https://serpapi.com',
  authentication: { in: 'query', name: 'api_key' },
  credentialVariables: ['SERPAPI_API_KEY'],
  keyPage: { url: 'https://serpapi.com/manage-api-key', free: '250 searches a month' },
  prices: { asOf: '2026-11-21', usd: { search: 0.015 } },
  dataUse: {
    training: 'unknown',
    retention: 'unknown',
    region: 'unknown',
    source: 'https://serpapi.com/legal',
    checked: '2026-11-26',
    note: 'Public reviews of September and November 2026 say that searches expire after 31 days. The page itself could not be read for this check. Enterprise plans have a mode with reduced retention (ZeroTrace).',
  },
  search: serpapiSearch,
});
