import { defineProvider } from '../declaration/declare.ts';
import { UNKNOWN_USE } from '../declaration/vendor.ts';
import { jinaFetch } from './fetch.ts';
import { jinaSearch } from './search.ts';

export const jina = defineProvider({
  slug: 'jina',
  name: 'Jina',
  baseUrl: 'https://r.jina.ai',
  authentication: { in: 'header', name: 'authorization', prefix: 'Bearer ', optional: true },
  credentialVariables: ['JINA_API_KEY'],
  keyPage: {
    url: 'https://jina.ai/api-dashboard',
    free: 'ten million tokens, for non-commercial use',
  },
  prices: { asOf: '2026-11-26', usd: { search_million_tokens: 0.05, fetch_million_tokens: 0.05 } },
  dataUse: {
    ...UNKNOWN_USE,
    source: 'https://jina.ai/legal/',
    checked: '2026-11-23',
    note: 'Only the beginning of the terms could be read; it says nothing about training. Queries are passed on to search engines through third parties.',
  },
  search: jinaSearch,
  fetch: jinaFetch,
});
