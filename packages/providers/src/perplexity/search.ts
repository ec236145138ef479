/** https://docs.perplexity.ai/api-reference/search-post */
import type { JsonObject } from '@trawl/contract';
import { z } from 'zod';
import { defineSearch, never, type SearchPlan, supplied } from '../declaration/search.ts';
import { readRows } from '../parsed/search.ts';
import { dated } from '../values/dates.ts';
import { object } from '../values/json.ts';
import { leftOver } from '../values/left-over.ts';
import type { Rates } from '../values/price.ts';
import { limitedText, limitedTitle, text } from '../values/text.ts';
import { perplexityFilters } from './filters.ts';

const CONSUMED = new Set(['url', 'title', 'snippet', 'date']);

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
function readRow(row: JsonObject) {
  return {
    url: text(row.url),
    title: limitedTitle(row.title),
    summary: limitedText(row.snippet),
    full_content: text(row.snippet),
    date: dated(row.date),
    enrichments: leftOver(row, CONSUMED, 'date'),
  };
}

function price({ wanted }: SearchPlan, rates: Rates) {
  const type = text(wanted.overrides.search_type) ?? 'web';
  return { usd: rates[`search_${type}`] ?? rates.search ?? 0, kind: 'known' } as const;
}

export const perplexitySearch = defineSearch({
  description:
    'Web search with long extracts of each page, which serve as summary and as full text.',
  docsUrl: 'https://docs.perplexity.ai/api-reference/search-post',
  autoRoutable: true,
  count: { control: 'native', parameter: 'max_results', max: 20, keepsExtraRows: true },
  capabilities: {
    url: supplied,
    title: supplied,
    rank: supplied,
    summary: supplied,
    excerpt: never('returns one text per result, which is in summary and full_content'),
    full_content: supplied,
    publish_date: supplied,
    thumbnail: never('returns no images'),
    favicon: never('returns no favicons'),
    source: supplied,
    enrichments: supplied,
    fetch_meta: never('does not say when or how it read the page'),
    usage: never('does not report cost or units'),
    answer: never('returns no answer with its results'),
    entities: never('returns no entities'),
    related: never('returns no related searches'),
    verticals: never('returns only web results, no other result blocks'),
  },
  filters: perplexityFilters,
  economy: { overrides: { search_type: 'fast' }, meaning: 'uses search_type fast instead of web' },
  queryLimit: {},
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
    rows: readRows(body.results, readRow),
  }),
  // used-up credit is a 401, like a wrong key; the type distinguishes them
  readFailure: ({ body }) =>
    object(object(body).error).type === 'insufficient_quota'
      ? { code: 'quota_exhausted' }
      : undefined,
});
