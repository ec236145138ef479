import { defineProvider } from '../declaration/declare.ts';
import { bochaSearch } from './search.ts';

export const bocha = defineProvider({
  slug: 'bocha',
  name: 'Bocha',
  baseUrl: 'https://api.bochaai.com',
  authentication: { in: 'header', name: 'authorization', prefix: 'Bearer ' },
  credentialVariables: ['BOCHA_API_KEY'],
  keyPage: { url: 'https://open.bochaai.com' },
  prices: { asOf: '2026-11-26', usd: { search: 0.005 } },
  dataUse: {
    training: 'unknown',
    retention: 'unknown',
    region: 'mainland China',
    source: 'https://open.bochaai.com',
    checked: '2026-11-26',
    note: 'By its own words queries and data stay in mainland China, and results follow its rules on content. Nothing was found on training and retention.',
  },
  search: bochaSearch,
});
