/** https://docs.seltz.ai/api-reference/search */
import type { JsonObject } from '@trawl/contract';
import { z } from 'zod';
import { defineSearch, never, supplied } from '../declaration/search.ts';
import { readRows } from '../parsed/search.ts';
import { dated } from '../values/dates.ts';
import { leftOver } from '../values/left-over.ts';
import { limitedText, text } from '../values/text.ts';
import { seltzFilters } from './filters.ts';

const CONSUMED = new Set(['url', 'content', 'published_date']);

/**
 * Documents have no title by design; a title that comes anyway is not mapped and stays in
 * enrichments.
 */
function readRow(row: JsonObject) {
  return {
    url: text(row.url),
    summary: limitedText(row.content),
    date: dated(row.published_date),
    enrichments: leftOver(row, CONSUMED, 'published_date'),
  };
}

export const seltzSearch = defineSearch({
  description: 'Web knowledge for agents: extracts of documents with URL and date, without titles.',
  docsUrl: 'https://docs.seltz.ai/api-reference/search',
  autoRoutable: true,
  count: { control: 'native', parameter: 'max_results', max: 20 },
  capabilities: {
    url: supplied,
    title: never('returns documents without titles'),
    rank: supplied,
    summary: supplied,
    excerpt: never('returns one text per document, which is the summary'),
    full_content: never('returns an extract of each document, which is the summary'),
    publish_date: supplied,
    thumbnail: never('returns no images'),
    favicon: never('returns no favicons'),
    source: supplied,
    enrichments: supplied,
    fetch_meta: never('does not say when or how it read the page'),
    usage: never('does not report cost or units'),
    answer: never('answers only at another endpoint, which is billed apart and not called'),
    entities: never('returns no entities'),
    related: never('returns no related searches'),
    verticals: never('returns only documents, no other result blocks'),
  },
  filters: seltzFilters,
  queryLimit: {},
  timeoutMs: 20_000,
  concurrency: 10,
  price: (_plan, rates) => ({ usd: rates.search ?? 0, kind: 'known' }),
  request: ({ query, count }) => ({
    method: 'POST',
    path: '/v1/search',
    body: { query, max_results: count },
  }),
  // an empty list may be left out
  response: z.looseObject({ documents: z.array(z.unknown()).nullish() }),
  parse: (body) => ({
    rows: readRows(body.documents, readRow),
  }),
});
