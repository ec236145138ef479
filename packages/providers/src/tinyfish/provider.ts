import { defineProvider } from '../declaration/declare.ts';
import { tinyfishFetch } from './fetch.ts';
import { tinyfishSearch } from './search.ts';

export const tinyfish = defineProvider({
  slug: 'tinyfish',
  name: 'TinyFish',
  baseUrl: 'https://api.search.tinyfish.ai',
  // each of its hosts has one resource; behind an operator's base URL they share a host
  pathAtBaseUrl: '/',
  authentication: { in: 'header', name: 'x-api-key' },
  credentialVariables: ['TINYFISH_API_KEY'],
  keyPage: {
    url: 'https://agent.tinyfish.ai/api-keys',
    free: 'all searches and pages, 30 searches a minute',
  },
  prices: { asOf: '2026-11-21', usd: { search: 0, fetch_page: 0 } },
  dataUse: {
    training: 'yes',
    retention: 'unknown',
    region: 'unknown',
    source: 'https://www.tinyfish.ai/terms',
    checked: '2026-11-23',
    note: 'As several public reviews of July to October 2026 read the standard terms: customer data, queries included, may train and fine-tune models, and the privacy policy names no period of deletion. The page itself could not be read for this check. A separate agreement may say otherwise.',
  },
  search: tinyfishSearch,
  fetch: tinyfishFetch,
});
