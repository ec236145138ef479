/** https://serpapi.com/search-api */
import { isJsonObject, type JsonObject } from '@trawl/contract';
import { z } from 'zod';
import type { FailedAnswer } from '../declaration/call.ts';
import { defineProvider } from '../declaration/declare.ts';
import { checked, type FilterRules, native, unsupported } from '../declaration/filters.ts';
import { defineSearch, supplied } from '../declaration/search.ts';
import { UNKNOWN_USE } from '../declaration/vendor.ts';
import { googleLanguage } from '../google/codes.ts';
import { restrictedCountry, SAFE_OR_NOT, SITES_IN_QUERY } from '../google/filters.ts';
import { GOOGLE_PAGE, googleBlocks, googleCapabilities, googleRows } from '../google/page.ts';
import { DAY_MS } from '../values/dates.ts';
import { list, object } from '../values/json.ts';
import { text } from '../values/text.ts';

/** `d` and a number of past days, the day itself included; at least one. */
const pastDays = (after: string, today: string): string =>
  `d${Math.max(1, (Date.parse(today) - Date.parse(after)) / DAY_MS + 1)}`;

/**
 * https://serpapi.com/google-countries and https://serpapi.com/google-lr-languages. SerpApi names
 * `tbs` for dates, but does not document how dates are written in it, so `as_qdr` is used.
 */
const filters: FilterRules = {
  ...SITES_IN_QUERY,
  published_after: native(
    'takes a number of past days in as_qdr',
    ({ published_after: day = '' }, { today }) => ({ as_qdr: pastDays(day, today) }),
  ),
  published_before: checked('documents no last day; it returns the date of some rows'),
  // both gb and uk are in the list; uk is the one that it explains as the United Kingdom
  country: restrictedCountry((code) => (code === 'gb' ? 'uk' : code)),
  language: native(
    'takes a language of Google in lr',
    (filters) => {
      const lr = googleLanguage(filters);
      return lr === null ? null : { lr };
    },
    unsupported('takes only languages that Google restricts pages to'),
  ),
  safe_search: SAFE_OR_NOT,
};

/** The vendor's errors have a text and no code: nothing else distinguishes these two. */
const NOTHING_FOUND = /hasn't returned any results/i;
const OUT_OF_SEARCHES = /run out of searches|credit is too low/i;

const rowsIn = googleRows({ thumbnail: 'thumbnail', favicon: 'favicon', author: 'author' });

const blocksIn = googleBlocks({
  answer: 'answer_box',
  overview: { text: 'snippet', entries: 'list', references: 'references' },
  graph: 'knowledge_graph',
  related: { related_searches: 'query', related_questions: 'question' },
  verticals: {
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
  },
});

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

const search = defineSearch({
  description: GOOGLE_PAGE,
  docsUrl: 'https://serpapi.com/search-api',
  autoRoutable: false,
  count: { control: 'trim', max: 10 },
  capabilities: googleCapabilities({ favicon: supplied }),
  filters,
  refusedOverrides: ['engine', 'output', 'async', 'source'],
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
  parse: (body) => ({ rows: rowsIn(body.organic_results), ...blocksIn(body) }),
  readFailure,
});

export const serpapi = defineProvider({
  slug: 'serpapi',
  name: 'SerpApi',
  baseUrl: 'https://serpapi.com',
  authentication: { in: 'query', name: 'api_key' },
  credentialVariables: ['SERPAPI_API_KEY'],
  keyPage: { url: 'https://serpapi.com/manage-api-key', free: '250 searches a month' },
  prices: { asOf: '2026-11-21', usd: { search: 0.015 } },
  dataUse: {
    ...UNKNOWN_USE,
    source: 'https://serpapi.com/legal',
    checked: '2026-11-26',
    note: 'Public reviews of September and November 2026 say that searches expire after 31 days. The page itself could not be read for this check. Enterprise plans have a mode with reduced retention (ZeroTrace).',
  },
  search,
});
