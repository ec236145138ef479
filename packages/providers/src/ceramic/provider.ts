import { defineProvider } from '../declaration/declare.ts';
import { ceramicSearch } from './search.ts';

export const ceramic = defineProvider({
  slug: 'ceramic',
  name: 'Ceramic',
  baseUrl: 'https://api.ceramic.ai',
  authentication: { in: 'header', name: 'authorization', prefix: 'Bearer ' },
  credentialVariables: ['CERAMIC_API_KEY'],
  prices: { asOf: '2026-11-21', usd: { search: 0.00025 } },
  dataUse: {
    training: 'unknown',
    retention: 'unknown',
    region: 'unknown',
    source: 'https://ceramic.ai/privacy-policy',
    checked: '2026-11-23',
    note: 'Only the beginning of the policy of January 2026 could be read; it says nothing about training. Enterprise agreements may say otherwise.',
  },
  search: ceramicSearch,
});
