/** https://docs.tinyfish.ai/search-api/reference */
import type { JsonObject } from '@trawl/contract';
import { z } from 'zod';
import { refusesParameter } from '../declaration/call.ts';
import { defineSearch, never, type SearchPlan, supplied } from '../declaration/search.ts';
import { readRows } from '../parsed/search.ts';
import { dated } from '../values/dates.ts';
import { list, object, without } from '../values/json.ts';
import { joinedTexts, limitedText, limitedTitle, text } from '../values/text.ts';
import { absoluteUrl } from '../values/urls.ts';
import { tinyfishFilters } from './filters.ts';
import { readTinyfishFailure } from './shared.ts';

/** Papers name their authors, as texts or as objects with a name. */
function authorOf(authors: unknown) {
  const names = list(authors).flatMap(
    (author) => limitedTitle(object(author).name ?? author) ?? [],
  );
  return joinedTexts(names, ', ') ?? limitedTitle(authors);
}

/**
 * A date in words that name no day ("1 year ago") is not consumed: it stays readable in
 * enrichments.
 */
function readRow(row: JsonObject) {
  const date = dated(row.date);
  const snippet = limitedText(row.snippet);
  const thumbnail = absoluteUrl(row.thumbnail_url, row.url);
  const consumed = [
    'url',
    'title',
    snippet === null ? 'description' : 'snippet',
    ...(date.publish_date === null ? [] : ['date']),
    ...(thumbnail === null ? [] : ['thumbnail_url']),
  ];
  return {
    url: text(row.url),
    title: limitedTitle(row.title),
    summary: snippet ?? limitedText(row.description),
    ...date,
    thumbnail,
    author: authorOf(row.authors),
    enrichments: without(row, new Set(consumed)),
  };
}

function request({ query, wanted }: SearchPlan) {
  const images = wanted.fields.has('thumbnail') ? { include_thumbnail: 'true' } : {};
  return { method: 'GET', path: '/v1/search', query: { query, ...images } } as const;
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
    full_content: never('is not asked for page text: its documents do not say how'),
    publish_date: supplied,
    thumbnail: supplied,
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
  request,
  optionalParts: [
    {
      in: 'query',
      name: 'include_thumbnail',
      isRefused: refusesParameter('include_thumbnail'),
      gap: { field: 'thumbnail', reason: 'refuses include_thumbnail' },
    },
  ],
  response: z.looseObject({ results: z.array(z.unknown()) }),
  parse: (body) => ({
    rows: readRows(body.results, readRow),
  }),
  readFailure: readTinyfishFailure,
});
