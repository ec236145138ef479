/** https://docs.ceramic.ai/api-reference/search */
import { z } from 'zod';
import type { FailedAnswer } from '../declaration/call.ts';
import { defineProvider } from '../declaration/declare.ts';
import { checked, type FilterRules, unsupported } from '../declaration/filters.ts';
import { defineSearch, never, rowCapabilities } from '../declaration/search.ts';
import { UNKNOWN_USE } from '../declaration/vendor.ts';
import { rowReader } from '../parsed/rows.ts';
import { finiteNumber, object } from '../values/json.ts';

const undated = unsupported('has no date filter and returns no dates');

/**
 * https://docs.ceramic.ai/api-reference/search: a query and counts, no filters; unknown parameters
 * are refused.
 */
const filters: FilterRules = {
  include_domains: checked('documents no domain filter'),
  exclude_domains: checked('documents no domain filter'),
  published_after: undated,
  published_before: undated,
  country: unsupported('has no country filter'),
  language: unsupported('has no language filter'),
  safe_search: unsupported('has no safe search'),
};

const rowsIn = rowReader({ url: 'url', title: 'title', summary: 'description' });

/**
 * A 429 may say in its body how long to wait; the header of the same meaning is read for all
 * providers.
 */
function readFailure({ status, body }: FailedAnswer) {
  const seconds = status === 429 ? finiteNumber(object(body).retry_after_seconds) : null;
  if (seconds === null || seconds < 0) return undefined;
  return { code: 'rate_limited', retryAfterMs: seconds * 1000 } as const;
}

const search = defineSearch({
  description: 'Fast keyword index of the web with a long extract of each page.',
  docsUrl: 'https://docs.ceramic.ai/api-reference/search',
  count: { control: 'trim', max: 10, parameter: 'maxResults' },
  capabilities: rowCapabilities({
    excerpt: never('returns one text per result, which is in summary'),
    full_content: never('returns an extract of the page, which is in summary, not its text'),
    publish_date: never('returns no dates'),
    fetch_meta: never('does not say when or how it read the page'),
    answer: never('returns no answer with its results'),
    verticals: never('returns only web results, no other result blocks'),
  }),
  filters,
  queryLimit: { words: 50 },
  timeoutMs: 15_000,
  concurrency: 32,
  request: ({ query }) => ({ method: 'POST', path: '/search', body: { query } }),
  response: z.looseObject({ result: z.looseObject({ results: z.array(z.unknown()) }) }),
  parse: ({ result }) => ({ rows: rowsIn(result.results) }),
  readFailure,
});

export const ceramic = defineProvider({
  slug: 'ceramic',
  name: 'Ceramic',
  baseUrl: 'https://api.ceramic.ai',
  authentication: { in: 'header', name: 'authorization', prefix: 'Bearer ' },
  credentialVariables: ['CERAMIC_API_KEY'],
  prices: { asOf: '2026-11-21', usd: { search: 0.00025 } },
  dataUse: {
    ...UNKNOWN_USE,
    source: 'https://ceramic.ai/privacy-policy',
    checked: '2026-11-23',
    note: 'Only the beginning of the policy of January 2026 could be read; it says nothing about training. Enterprise agreements may say otherwise.',
  },
  search,
});
