/** https://docs.tinyfish.ai/search-api/reference */
import type { JsonObject } from '@trawl/contract';
import { z } from 'zod';
import { defineSearch, never, supplied } from '../declaration/search.ts';
import { readRows } from '../parsed/search.ts';
import { isoDate } from '../values/dates.ts';
import { list, object, without } from '../values/json.ts';
import { plainText, text, titleText } from '../values/text.ts';
import { tinyfishFilters } from './filters.ts';
import { readTinyfishFailure } from './shared.ts';

/** Papers name their authors, as texts or as objects with a name. */
function authorOf(authors: unknown): string | null {
  const names = list(authors).flatMap((author) => titleText(object(author).name ?? author) ?? []);
  return names.length > 0 ? names.join(', ') : titleText(authors);
}

/** A date in words that name no day ("1 year ago") is not consumed: it stays readable in enrichments. */
function readRow(row: JsonObject) {
  const publishDate = isoDate(row.date);
  const snippet = plainText(row.snippet);
  const consumed = [
    'url',
    'title',
    snippet === null ? 'description' : 'snippet',
    ...(publishDate === null ? [] : ['date']),
  ];
  return {
    url: text(row.url),
    title: titleText(row.title),
    summary: snippet ?? plainText(row.description),
    publish_date: publishDate,
    author: authorOf(row.authors),
    enrichments: without(row, new Set(consumed)),
  };
}

export const tinyfishSearch = defineSearch({
  description: 'Fast web search in pages of ten, free of charge.',
  docsUrl: 'https://docs.tinyfish.ai/search-api/reference',
  autoRoutable: true,
  count: { control: 'page', max: 10 },
  capabilities: {
    url: supplied,
    title: supplied,
    rank: supplied,
    summary: supplied,
    excerpt: never('returns one snippet per result, which is the summary'),
    full_content: never('returns no page text with its results'),
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
  filters: tinyfishFilters,
  queryLimit: {},
  timeoutMs: 15_000,
  concurrency: 10,
  price: (_plan, rates) => ({ usd: rates.search ?? 0, kind: 'known' }),
  request: ({ query }) => ({ method: 'GET', path: '/v1/search', query: { query } }),
  response: z.looseObject({ results: z.array(z.unknown()) }),
  parse: (body) => ({
    rows: readRows(body.results, readRow),
  }),
  readFailure: readTinyfishFailure,
});
