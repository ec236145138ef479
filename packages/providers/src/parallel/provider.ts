/** https://docs.parallel.ai/api-reference/search/search */
import { writeJson } from '@trawl/contract';
import { z } from 'zod';
import { defineProvider } from '../declaration/declare.ts';
import {
  checked,
  type FilterRules,
  memberAt,
  native,
  prefers,
  unsupported,
} from '../declaration/filters.ts';
import {
  defineSearch,
  never,
  rowCapabilities,
  type SearchPlan,
  supplied,
} from '../declaration/search.ts';
import { UNKNOWN_USE } from '../declaration/vendor.ts';
import { remarks } from '../parsed/page.ts';
import { rowReader } from '../parsed/rows.ts';
import type { IgnoredFilter } from '../parsed/search.ts';
import { cutQuery } from '../request/query-limit.ts';
import { finiteNumber, objects } from '../values/json.ts';
import type { Rates, ReportedUsage } from '../values/price.ts';
import { joinedTexts, limitedTexts, text } from '../values/text.ts';
import { parallelFetch } from './fetch.ts';
import { parallelUsage } from './shared.ts';

const POLICY = 'advanced_settings.source_policy';

/**
 * https://docs.parallel.ai/search/source-policy and
 * https://docs.parallel.ai/search/advanced-search-settings
 */
const filters: FilterRules = {
  include_domains: native('takes hosts in the include_domains of source_policy', (filters) =>
    memberAt(`${POLICY}.include_domains`, filters.include_domains),
  ),
  exclude_domains: native('takes hosts in the exclude_domains of source_policy', (filters) =>
    memberAt(`${POLICY}.exclude_domains`, filters.exclude_domains),
  ),
  published_after: native('takes a day in the after_date of source_policy', (filters) =>
    memberAt(`${POLICY}.after_date`, filters.published_after),
  ),
  published_before: checked('documents no last day; it returns the date of some rows'),
  country: prefers(
    'prefers results for the country in location, and says when it ignores one',
    ({ country }) => memberAt('advanced_settings.location', country?.toLowerCase()),
  ),
  language: unsupported('has no language filter'),
  safe_search: unsupported('has no safe search'),
};

/** Longest entry of `search_queries`; the objective takes the query whole. */
const SEARCH_QUERY = { characters: 200 };
/** Results in the price of a call. */
const RESULTS_INCLUDED = 10;

const rowsIn = rowReader({
  url: 'url',
  title: 'title',
  date: 'publish_date',
  dropped: ['excerpts'],
  more: (row) => {
    const excerpts = limitedTexts(row.excerpts);
    return { summary: excerpts[0] ?? null, excerpt: joinedTexts(excerpts, '\n\n') };
  },
});

function price({ count, wanted }: SearchPlan, rates: Rates, usage: ReportedUsage | null) {
  const mode = text(wanted.overrides.mode) ?? 'advanced';
  const base = rates[`search_${mode}`] ?? rates.search ?? 0;
  const { sku_search: searches, sku_search_additional_results: billed } = usage?.units ?? {};
  // billed for the results returned, which may be fewer than were asked for; it names only what it
  // bills
  const results =
    finiteNumber(searches) === null
      ? Math.max(0, count - RESULTS_INCLUDED)
      : (finiteNumber(billed) ?? 0);
  const above = results * (rates.result_above_10 ?? 0);
  return { usd: base + above, kind: above > 0 ? 'estimated' : 'known' } as const;
}

const READ_AT_MOST = 1_000;
const NAMES_LOCATION = /\blocation\b/i;

/** It ignores countries that it does not know, and says so in a warning. */
const ignoredFilters = (warnings: unknown): readonly IgnoredFilter[] =>
  objects(warnings).some((one) => NAMES_LOCATION.test(writeJson(one).slice(0, READ_AT_MOST)))
    ? [{ name: 'country', reason: 'says that it ignored this location' }]
    : [];

const parallelSearch = defineSearch({
  description: 'Web search for agents with long excerpts chosen for an objective.',
  docsUrl: 'https://docs.parallel.ai/api-reference/search/search',
  count: { control: 'native', parameter: 'advanced_settings.max_results', max: 20 },
  capabilities: rowCapabilities({
    excerpt: supplied,
    full_content: never('returns excerpts, not the whole page text'),
    fetch_meta: never('does not say when or how it read the page'),
    usage: supplied,
    answer: never('returns no answer with its results'),
    verticals: never('returns only web results, no other result blocks'),
  }),
  filters,
  economy: { overrides: { mode: 'fast' }, meaning: 'uses mode fast instead of advanced' },
  queryLimit: { characters: 5000 },
  timeoutMs: 30_000,
  concurrency: 16,
  price,
  // the same for every field: none costs more or has to be asked for
  request: ({ query, count }) => ({
    method: 'POST',
    path: '/v1/search',
    body: {
      search_queries: [cutQuery(query, SEARCH_QUERY).query],
      objective: query,
      mode: 'advanced', // its own default, named so that the price is known
      advanced_settings: { max_results: count },
    },
  }),
  response: z.looseObject({ results: z.array(z.unknown()) }),
  parse: (body) => ({
    rows: rowsIn(body.results),
    usage: parallelUsage(body.usage),
    remarks: remarks('parallel', body.warnings),
    ignoredFilters: ignoredFilters(body.warnings),
  }),
});

export const parallel = defineProvider({
  slug: 'parallel',
  name: 'Parallel',
  baseUrl: 'https://api.parallel.ai',
  authentication: { in: 'header', name: 'x-api-key' },
  credentialVariables: ['PARALLEL_API_KEY'],
  keyPage: { url: 'https://platform.parallel.ai' },
  prices: {
    asOf: '2026-11-21',
    usd: {
      search: 0.005,
      search_turbo: 0.001,
      search_fast: 0.001,
      result_above_10: 0.001,
      fetch_page: 0.001,
    },
  },
  dataUse: {
    ...UNKNOWN_USE,
    source: 'https://parallel.ai/customer-terms',
    checked: '2026-11-23',
    note: 'Public reviews of September 2026 report that the vendor names no training and data centers in the USA in its FAQ. The clauses could not be read for this check. Zero retention is part of enterprise agreements.',
  },
  search: parallelSearch,
  fetch: parallelFetch,
});
