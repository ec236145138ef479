import { defineProvider } from '../declaration/declare.ts';
import { exaFetch } from './fetch.ts';
import { exaSearch } from './search.ts';

export const exa = defineProvider({
  slug: 'exa',
  name: 'Exa',
  baseUrl: 'https://api.exa.ai',
  authentication: { in: 'header', name: 'x-api-key' },
  credentialVariables: ['EXA_API_KEY'],
  keyPage: { url: 'https://dashboard.exa.ai/api-keys' },
  prices: {
    asOf: '2026-11-21',
    usd: {
      search: 0.007,
      search_lite: 0.004,
      search_instant: 0.004,
      'search_deep-lite': 0.012,
      search_deep: 0.012,
      'search_deep-reasoning': 0.015,
      result_above_10: 0.001,
      summary_page: 0.001,
      fetch_page: 0.001,
      fetch_highlights: 0.001,
      fetch_summary: 0.001,
    },
  },
  dataUse: {
    training: 'yes',
    retention: 'unknown',
    region: 'unknown',
    source: 'https://exa.ai/privacy-policy',
    checked: '2026-11-23',
    note: 'As two public reviews of September 2026 read the policy: query data improves products, with training and fine-tuning of models. The page itself could not be read for this check. Enterprise agreements offer zero retention.',
  },
  search: exaSearch,
  fetch: exaFetch,
});
