/** https://docs.perplexity.ai/api-reference/search-post */
import { z } from 'zod';
import { defineProvider } from '../declaration/declare.ts';
import { checked, type FilterRules, native, takes, unsupported } from '../declaration/filters.ts';
import {
  defineSearch,
  never,
  rowCapabilities,
  type SearchPlan,
  supplied,
} from '../declaration/search.ts';
import { UNKNOWN_USE } from '../declaration/vendor.ts';
import { rowReader } from '../parsed/rows.ts';
import { object } from '../values/json.ts';
import type { Rates } from '../values/price.ts';
import { text } from '../values/text.ts';

/** Entries of `search_domain_filter`; one list either includes or excludes. */
const HOSTS_MAX = 20;
const tooMany = checked('takes at most 20 hosts in search_domain_filter');

const domains = (hosts: readonly string[]) =>
  hosts.length > HOSTS_MAX ? null : { search_domain_filter: hosts };

/** MM/DD/YYYY */
const american = (day = ''): string => {
  const [year, month, date] = day.split('-');
  return `${month}/${date}/${year}`;
};

const filters: FilterRules = {
  include_domains: native(
    'takes up to 20 hosts in search_domain_filter',
    ({ include_domains = [] }) => domains(include_domains),
    tooMany,
  ),
  exclude_domains: native(
    'takes up to 20 hosts with a minus sign in search_domain_filter',
    ({ exclude_domains = [] }) => domains(exclude_domains.map((host) => `-${host}`)),
    tooMany,
  ),
  published_after: native('takes a day in search_after_date_filter', ({ published_after }) => ({
    search_after_date_filter: american(published_after),
  })),
  published_before: native('takes a day in search_before_date_filter', ({ published_before }) => ({
    search_before_date_filter: american(published_before),
  })),
  country: takes('a country', 'country', 'country'),
  language: native('takes languages in search_language_filter', ({ language }) => ({
    search_language_filter: [language],
  })),
  safe_search: unsupported('has no safe search'),
};

/**
 * The text budget over all rows is free; the vendor's own 10,000 leaves a page of 20 rows with 500
 * tokens each.
 */
const FULL_TEXT_TOKENS = 50_000;

/**
 * Several queries in one call come back as a list per query, which has no order to rank rows by.
 */
const isGrouped = (rows: readonly unknown[]): boolean =>
  rows.length > 0 && rows.every(Array.isArray);

/** One text serves both: it is cut to the token budget, not to a snippet. */
const rowsIn = rowReader({
  url: 'url',
  title: 'title',
  summary: 'snippet',
  full_content: 'snippet',
  date: 'date',
});

function price({ wanted }: SearchPlan, rates: Rates) {
  const type = text(wanted.overrides.search_type) ?? 'web';
  return { usd: rates[`search_${type}`] ?? rates.search ?? 0, kind: 'known' } as const;
}

const search = defineSearch({
  description:
    'Web search with long extracts of each page, which serve as summary and as full text.',
  docsUrl: 'https://docs.perplexity.ai/api-reference/search-post',
  count: { control: 'native', parameter: 'max_results', max: 20, keepsExtraRows: true },
  capabilities: rowCapabilities({
    excerpt: never('returns one text per result, which is in summary and full_content'),
    full_content: supplied,
    fetch_meta: never('does not say when or how it read the page'),
    answer: never('returns no answer with its results'),
    verticals: never('returns only web results, no other result blocks'),
  }),
  filters,
  economy: { overrides: { search_type: 'fast' }, meaning: 'uses search_type fast instead of web' },
  timeoutMs: 15_000,
  concurrency: 32,
  price,
  request: ({ query, count, wanted: { fields } }) => ({
    method: 'POST',
    path: '/search',
    body: {
      query,
      max_results: count,
      ...(fields.has('full_content') ? { max_tokens: FULL_TEXT_TOKENS } : {}),
    },
  }),
  response: z.looseObject({ results: z.array(z.unknown()).refine((rows) => !isGrouped(rows)) }),
  parse: (body) => ({
    rows: rowsIn(body.results),
  }),
  // used-up credit is a 401, like a wrong key; the type distinguishes them
  readFailure: ({ body }) =>
    object(object(body).error).type === 'insufficient_quota'
      ? { code: 'quota_exhausted' }
      : undefined,
});

export const perplexity = defineProvider({
  slug: 'perplexity',
  name: 'Perplexity Search',
  baseUrl: 'https://api.perplexity.ai',
  authentication: { in: 'header', name: 'authorization', prefix: 'Bearer ' },
  credentialVariables: ['PERPLEXITY_API_KEY'],
  keyPage: { url: 'https://www.perplexity.ai/account/api/keys' },
  prices: { asOf: '2026-11-21', usd: { search: 0.005, search_fast: 0.001 } },
  dataUse: {
    ...UNKNOWN_USE,
    source: 'https://docs.perplexity.ai/docs/resources/privacy-security',
    checked: '2026-11-23',
    note: 'The page promises zero retention and no training for the Sonar API, which ended on 2026-09-27. It does not name the search API, which trawl calls.',
  },
  search,
});
