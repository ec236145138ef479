import { defineProvider } from '../declaration/declare.ts';
import { UNKNOWN_USE } from '../declaration/vendor.ts';
import { deepseekFetch } from './fetch.ts';
import { deepseekSearch } from './search.ts';

export const deepseek = defineProvider({
  slug: 'deepseek',
  name: 'DeepSeek',
  baseUrl: 'https://api.deepseek.com',
  authentication: { in: 'header', name: 'authorization', prefix: 'Bearer ' },
  credentialVariables: ['DEEPSEEK_API_KEY'],
  keyPage: { url: 'https://platform.deepseek.com/api_keys' },
  prices: { asOf: '2026-11-28', usd: { search: 0.00075, fetch_page: 0.00075 } },
  dataUse: {
    ...UNKNOWN_USE,
    checked: '2026-11-28',
    note: 'Nothing was found on training, retention and the licence of results: the agreement of the open platform could not be read. The vendor is in China.',
  },
  search: deepseekSearch,
  fetch: deepseekFetch,
});
