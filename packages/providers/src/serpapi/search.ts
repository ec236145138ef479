/** https://serpapi.com/search-api */
import { isJsonObject, type JsonObject } from '@trawl/contract';
import { z } from 'zod';
import type { FailedAnswer } from '../declaration/call.ts';
import { defineSearch, never, supplied } from '../declaration/search.ts';
import { boxedAnswer, graphEntity, namedBlocks, overview, textsAt } from '../parsed/google.ts';
import { readRows } from '../parsed/search.ts';
import { dated } from '../values/dates.ts';
import { list, object } from '../values/json.ts';
import { leftOver } from '../values/left-over.ts';
import { limitedText, limitedTitle, text } from '../values/text.ts';
import { absoluteUrl } from '../values/urls.ts';
import { serpapiFilters } from './filters.ts';

const CONSUMED = new Set(['link', 'title', 'snippet', 'date', 'author', 'thumbnail', 'favicon']);

/** The vendor's blocks other than the web results, and our names for them. */
const VERTICALS: Readonly<Record<string, string>> = {
  top_stories: 'news',
  top_stories_inline: 'news',
  news_results: 'news',
  inline_videos: 'videos',
  video_results: 'videos',
  inline_images: 'images',
  images_results: 'images',
  discussions_and_forums: 'discussions',
  related_questions: 'faq',
  local_results: 'locations',
  inline_shopping: 'shopping',
  shopping_results: 'shopping',
  perspectives: 'perspectives',
  twitter_results: 'twitter',
  recipes_results: 'recipes',
  events_results: 'events',
  jobs_results: 'jobs',
  sports_results: 'sports',
  things_to_know: 'things_to_know',
};

const OVERVIEW = { text: 'snippet', entries: 'list', references: 'references' };

/** The vendor's errors have a text and no code: nothing else distinguishes these two. */
const NOTHING_FOUND = /hasn't returned any results/i;
const OUT_OF_SEARCHES = /run out of searches|credit is too low/i;

function readRow(row: JsonObject) {
  return {
    url: text(row.link),
    title: limitedTitle(row.title),
    summary: limitedText(row.snippet),
    date: dated(row.date),
    thumbnail: absoluteUrl(row.thumbnail, row.link),
    favicon: absoluteUrl(row.favicon, row.link),
    author: limitedTitle(row.author),
    enrichments: leftOver(row, CONSUMED, 'date'),
  };
}

/**
 * Accepts any answer with rows. Without rows the search must have ended, and an error must mean
 * "nothing found".
 */
function isAnswer(body: JsonObject): boolean {
  const { organic_results: rows, error, search_metadata, search_information } = body;
  if (rows !== undefined && rows !== null && !Array.isArray(rows)) return false;
  const { status } = object(search_metadata);
  if (status === 'Error') return false;
  if (list(rows).length > 0) return true;
  if (status === 'Queued' || status === 'Processing') return false;
  const message = text(error);
  if (message === null) return [rows, search_metadata, search_information].some(isPresent);
  const isEmpty = object(search_information).organic_results_state === 'Fully empty';
  return isEmpty || NOTHING_FOUND.test(message);
}

const isPresent = (value: unknown): boolean => Array.isArray(value) || isJsonObject(value);

/** A 429 is an hourly limit or a used-up plan. */
const readFailure = ({ body }: FailedAnswer) =>
  OUT_OF_SEARCHES.test(text(object(body).error) ?? '')
    ? ({ code: 'quota_exhausted' } as const)
    : undefined;

export const serpapiSearch = defineSearch({
  description: 'One page of Google results with its answer box, knowledge graph and other blocks.',
  docsUrl: 'https://serpapi.com/search-api',
  autoRoutable: false,
  count: { control: 'trim', max: 10 },
  capabilities: {
    url: supplied,
    title: supplied,
    rank: supplied,
    summary: supplied,
    excerpt: never('returns one text per result, which is in summary'),
    full_content: never('returns no page text'),
    publish_date: supplied,
    thumbnail: supplied,
    favicon: supplied,
    source: supplied,
    enrichments: supplied,
    fetch_meta: never('does not say when or how a page was read'),
    usage: never('does not report cost or units'),
    answer: supplied,
    entities: supplied,
    related: supplied,
    verticals: supplied,
  },
  filters: serpapiFilters,
  refusedOverrides: ['engine', 'output', 'async', 'source'],
  queryLimit: {},
  timeoutMs: 30_000,
  concurrency: 32,
  // an answer from the vendor's cache is free, which the answer does not say
  price: (_plan, rates) => ({ usd: rates.search ?? 0, kind: 'estimated' }),
  request: ({ query }) => ({
    method: 'GET',
    path: '/search',
    query: { engine: 'google', q: query, output: 'json' },
  }),
  response: z.looseObject({}).refine(isAnswer),
  emptyNamesError: true,
  parse: (body) => ({
    rows: readRows(body.organic_results, readRow),
    answer: boxedAnswer(body.answer_box) ?? overview(object(body.ai_overview), OVERVIEW),
    entities: graphEntity(object(body.knowledge_graph)),
    related: [
      ...textsAt(body.related_searches, 'query'),
      ...textsAt(body.related_questions, 'question'),
    ],
    verticals: namedBlocks(body, VERTICALS),
  }),
  readFailure,
});
