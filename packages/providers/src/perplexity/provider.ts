import { defineProvider } from '../declaration/declare.ts';
import { perplexitySearch } from './search.ts';

export const perplexity = defineProvider({
  slug: 'perplexity',
  name: 'Perplexity Search',
  baseUrl: 'https://api.perplexity.ai',
  authentication: { in: 'header', name: 'authorization', prefix: 'Bearer ' },
  credentialVariables: ['PERPLEXITY_API_KEY'],
  keyPage: { url: 'https://www.perplexity.ai/account/api/keys' },
  prices: { asOf: '2026-11-21', usd: { search: 0.005, search_fast: 0.001 } },
  dataUse: {
    training: 'unknown',
    retention: 'unknown',
    region: 'unknown',
    source: 'https://docs.perplexity.ai/docs/resources/privacy-security',
    checked: '2026-11-23',
    note: 'The page promises zero retention and no training for the Sonar API, which ended on 2026-09-27. It does not name the search API, which trawl calls.',
  },
  search: perplexitySearch,
});
