/** https://docs.seltz.ai/api-reference/search */
import { z } from 'zod';
import { defineProvider } from '../declaration/declare.ts';
import { type FilterRules, takes, unsupported } from '../declaration/filters.ts';
import { defineSearch, never, rowCapabilities } from '../declaration/search.ts';
import { UNKNOWN_USE } from '../declaration/vendor.ts';
import { rowReader } from '../parsed/rows.ts';

const filters: FilterRules = {
  include_domains: takes('hosts', 'include_domains', 'include_domains'),
  exclude_domains: takes('hosts', 'exclude_domains', 'exclude_domains'),
  published_after: takes('a day', 'published_after', 'from_date'),
  published_before: takes('a day', 'published_before', 'to_date'),
  country: unsupported('has no country filter'),
  language: unsupported('has no language filter'),
  safe_search: unsupported('has no safe search'),
};

/**
 * Documents have no title by design; a title that comes anyway is not mapped and stays in
 * enrichments.
 */
const rowsIn = rowReader({ url: 'url', summary: 'content', date: 'published_date' });

const search = defineSearch({
  description: 'Web knowledge for agents: extracts of documents with URL and date, without titles.',
  docsUrl: 'https://docs.seltz.ai/api-reference/search',
  count: { control: 'native', parameter: 'max_results', max: 20 },
  capabilities: rowCapabilities({
    title: never('returns documents without titles'),
    excerpt: never('returns one text per document, which is the summary'),
    full_content: never('returns an extract of each document, which is the summary'),
    fetch_meta: never('does not say when or how it read the page'),
    answer: never('answers only at another endpoint, which is billed apart and not called'),
    verticals: never('returns only documents, no other result blocks'),
  }),
  filters,
  timeoutMs: 20_000,
  concurrency: 10,
  request: ({ query, count }) => ({
    method: 'POST',
    path: '/v1/search',
    body: { query, max_results: count },
  }),
  // an empty list may be left out
  response: z.looseObject({ documents: z.array(z.unknown()).nullish() }),
  parse: ({ documents }) => ({ rows: rowsIn(documents) }),
});

export const seltz = defineProvider({
  slug: 'seltz',
  name: 'Seltz',
  baseUrl: 'https://api.seltz.ai',
  authentication: { in: 'header', name: 'x-api-key' },
  credentialVariables: ['SELTZ_API_KEY'],
  prices: { asOf: '2026-11-21', usd: { search: 0.005 } },
  dataUse: {
    ...UNKNOWN_USE,
    checked: '2026-11-23',
    note: 'Nothing was found.',
  },
  search,
});
