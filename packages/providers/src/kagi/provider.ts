import { defineProvider } from '../declaration/declare.ts';
import { kagiSearch } from './search.ts';

export const kagi = defineProvider({
  slug: 'kagi',
  name: 'Kagi',
  baseUrl: 'https://kagi.com/api/v1',
  authentication: { in: 'header', name: 'authorization', prefix: 'Bearer ' },
  credentialVariables: ['KAGI_API_KEY'],
  keyPage: { url: 'https://kagi.com/settings/api' },
  prices: { asOf: '2026-11-26', usd: { search: 0.012, extract_page: 0.012 } },
  dataUse: {
    training: 'unknown',
    retention: 'unknown',
    region: 'unknown',
    source: 'https://help.kagi.com/kagi/privacy/privacy-protection.html',
    checked: '2026-11-26',
    note: 'Kagi says to its subscribers that searches are not logged or tied to the account. Whether that holds for the API could not be read.',
  },
  search: kagiSearch,
});
