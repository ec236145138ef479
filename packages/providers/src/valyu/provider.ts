import { defineProvider } from '../declaration/declare.ts';
import { valyuSearch } from './search.ts';

export const valyu = defineProvider({
  slug: 'valyu',
  name: 'Valyu',
  baseUrl: 'https://api.valyu.ai/v1',
  authentication: { in: 'header', name: 'x-api-key' },
  credentialVariables: ['VALYU_API_KEY'],
  keyPage: { url: 'https://platform.valyu.ai', free: '10 USD of credit, once' },
  prices: { asOf: '2026-11-26', usd: { web_result: 0.0015, proprietary_result: 0.05 } },
  dataUse: {
    training: 'unknown',
    retention: 'unknown',
    region: 'unknown',
    source: null,
    checked: '2026-11-26',
    note: 'Nothing was found: the terms could not be read for this check.',
  },
  search: valyuSearch,
});
