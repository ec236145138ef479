import { defineProvider } from '../declaration/declare.ts';
import { UNKNOWN_USE } from '../declaration/vendor.ts';
import { youFetch } from './fetch.ts';
import { youSearch } from './search.ts';

export const you = defineProvider({
  slug: 'you',
  name: 'You.com',
  baseUrl: 'https://ydc-index.io',
  authentication: { in: 'header', name: 'x-api-key' },
  credentialVariables: ['YOU_API_KEY', 'YDC_API_KEY'],
  keyPage: { url: 'https://you.com/platform', free: '100 US dollars for a new account' },
  prices: { asOf: '2026-11-21', usd: { search: 0.005, page_text: 0.001, fetch_page: 0.001 } },
  dataUse: {
    ...UNKNOWN_USE,
    source: 'https://you.com/docs/administration/zero-data-retention',
    checked: '2026-11-23',
    note: 'With zero data retention, an enterprise agreement for the search API, queries are not kept and train no models. Nothing was found for accounts without it.',
  },
  search: youSearch,
  fetch: youFetch,
});
