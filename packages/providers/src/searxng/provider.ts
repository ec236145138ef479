import { defineProvider } from '../declaration/declare.ts';
import { searxngSearch } from './search.ts';

export const searxng = defineProvider({
  slug: 'searxng',
  name: 'SearXNG',
  baseUrl: null,
  authentication: { in: 'none' },
  credentialVariables: [],
  prices: { asOf: '2026-11-21', usd: { search: 0 } },
  dataUse: {
    training: 'no',
    retention: 'as your instance is set up',
    region: 'your own',
    source: 'https://docs.searxng.org/own-instance.html',
    checked: '2026-11-23',
    note: 'Self-hosted. The engines that your instance asks see the queries, without who asked; their own terms apply to them.',
  },
  search: searxngSearch,
});
