/** https://docs.tavily.com/documentation/api-reference/endpoint/search and /extract */

import { COUNTRIES, given, LIMITS } from '@trawl/contract';
import { finiteNumber } from '@trawl/providers';
import countries from '@trawl/providers/tavily/countries.json' with { type: 'json' };
import { z } from 'zod';
import {
  type DropIn,
  type DropInAnswer,
  type DropInFault,
  type Fetched,
  type FoundPage,
  type FoundRows,
  fetchRoute,
  queryText,
  searchRoute,
} from '../declaration/declaration.ts';
import {
  CHAIN_DECIDES,
  CLIENT_NAME,
  daysBefore,
  flag,
  hostList,
  OWN_LIMITS,
  rowCount,
  SPAN_LETTERS,
  safeSearchOf,
  startOf,
  urlList,
  wholeNumber,
} from '../declaration/values.ts';

const CODES: ReadonlyMap<string, string> = new Map(
  Object.entries(countries).map(([country, name]) => [name, country]),
);

/** A country by its English name, or by its two letters. */
const country = z
  .string()
  .refine((name) => countryOf(name) !== undefined, 'must be the English name of a country')
  .transform(countryOf);

function countryOf(name: string): string | undefined {
  const code = name.toUpperCase();
  return CODES.get(name.toLowerCase()) ?? (COUNTRIES.has(code) ? code : undefined);
}

/** Tavily answers such a request with an empty list. */
const NO_ROWS = z.literal([0, '0']).transform(() => 0);

const span = z
  .enum(['day', 'week', 'month', 'year', 'd', 'w', 'm', 'y'])
  .transform((word) =>
    word in SPAN_LETTERS ? SPAN_LETTERS[word as keyof typeof SPAN_LETTERS] : (word as never),
  );

const KEY = 'the key, where the header Authorization has none';
const USAGE = 'credits, where Tavily itself ran';

const search = searchRoute({
  path: '/search',
  input: z.object({
    query: queryText,
    api_key: z.string().optional(),
    max_results: z.union([NO_ROWS, rowCount]).optional(),
    include_answer: z.union([z.enum(['basic', 'advanced']), flag]).optional(),
    include_raw_content: z.union([z.enum(['markdown', 'text']), flag]).optional(),
    include_images: flag.optional(),
    include_image_descriptions: flag.optional(),
    include_favicon: flag.optional(),
    include_usage: flag.optional(),
    include_published_date: flag.optional(),
    include_domains: hostList,
    exclude_domains: hostList,
    start_date: z.string().optional(),
    end_date: z.string().optional(),
    time_range: span.optional(),
    days: wholeNumber.pipe(z.int().min(1).max(36_500)).optional(),
    country: country.optional(),
    safe_search: flag.optional(),
  }),
  mapped: {
    query: '`user_input.query`',
    api_key: KEY,
    max_results: `\`search.num_results\`, at most ${LIMITS.resultsMax}; 5 when absent, no rows with 0`,
    include_answer: 'field `answer`; how long it is, at Tavily only',
    include_raw_content: 'field `full_content`; the format, at Tavily only',
    include_images: 'fields `verticals` and `thumbnail`; images at Tavily only',
    include_image_descriptions: 'with the images, at Tavily only',
    include_favicon: 'field `favicon`',
    include_usage: USAGE,
    include_published_date: 'field `publish_date`',
    include_domains: '`search.filters.include_domains`',
    exclude_domains: '`search.filters.exclude_domains`',
    start_date: '`search.filters.published_after`',
    end_date: '`search.filters.published_before`',
    time_range: '`search.filters.published_after`, counted back from today',
    days: '`search.filters.published_after`, counted back from today',
    country: '`search.filters.country`',
    safe_search: '`search.filters.safe_search`: `moderate` or `off`',
  },
  own: {
    topic: z.enum(['general', 'news', 'finance']),
    search_depth: z.enum(['basic', 'advanced', 'fast', 'ultra-fast']),
    chunks_per_source: wholeNumber.pipe(z.int().min(1).max(3)),
    exact_match: flag,
    // older clients send the last two
    include_domains_mode: z.enum(['restrict', 'prefer', 'filter', 'boost']),
    filter_by_published_date: flag,
    language: z.string(),
    filter_by_language: flag,
    fetch_timeout: z.number().min(0),
    cache_fallback: flag,
    max_hours: wholeNumber.pipe(z.int().min(1)),
  },
  ignored: { client_source: CLIENT_NAME },
  refused: { auto_parameters: 'trawl does not let the vendor change the request' },
  names: {
    'user_input.query': 'query',
    'search.num_results': 'max_results',
    'search.filters.include_domains': 'include_domains',
    'search.filters.exclude_domains': 'exclude_domains',
    'search.filters.published_after': 'start_date',
    'search.filters.published_before': 'end_date',
    'search.filters.country': 'country',
  },
  ask: (input, own, today) => {
    const { time_range: range, days } = input;
    const since =
      (range && startOf(range, today)) ??
      (days === undefined ? undefined : daysBefore(today, days));
    return {
      query: input.query,
      numResults: Math.max(1, input.max_results ?? 5),
      fields: [
        'publish_date',
        ...(input.include_raw_content ? (['full_content'] as const) : []),
        ...(input.include_favicon ? (['favicon'] as const) : []),
        ...(input.include_answer ? (['answer'] as const) : []),
      ],
      // scores and images have no common words
      ownFields: [
        'enrichments',
        ...(input.include_images ? (['verticals'] as const) : []),
        ...(input.include_usage ? (['usage'] as const) : []),
      ],
      filters: given({
        include_domains: input.include_domains,
        exclude_domains: input.exclude_domains,
        published_after: input.start_date ?? since,
        published_before: input.end_date,
        country: input.country,
        safe_search: safeSearchOf(input.safe_search),
      } as const),
      own: {
        ...own,
        ...(input.include_raw_content === 'text' ? { include_raw_content: 'text' } : {}),
        ...(input.include_answer === 'advanced' ? { include_answer: 'advanced' } : {}),
        ...(input.include_image_descriptions ? { include_image_descriptions: true } : {}),
      },
    };
  },
  answer: (found, input) => ({
    body: {
      query: found.query,
      follow_up_questions: null,
      answer: input.include_answer ? found.answer : null,
      images: input.include_images ? found.images : [],
      results: input.max_results === 0 ? [] : resultsOf(found.pages, input),
      response_time: found.seconds,
      ...(input.include_usage ? creditsOf(found) : {}),
      request_id: found.id,
    },
  }),
});

function creditsOf({ ownUnits }: FoundRows) {
  const credits = finiteNumber(ownUnits.credits);
  return credits === null ? {} : { usage: { credits } };
}

interface Wanted {
  readonly include_raw_content?: unknown;
  readonly include_favicon?: unknown;
  readonly include_images?: unknown;
}

/**
 * Clients sort by the score: it is Tavily's where all rows have one, otherwise that of the merged
 * list.
 */
function resultsOf(pages: readonly FoundPage[], wanted: Wanted) {
  const scores = pages.map(({ enrichments }) => finiteNumber(enrichments.score));
  const isScored = scores.every((score) => score !== null);
  return pages.map((page, index) => resultOf(page, isScored ? scores[index] : page.score, wanted));
}

const resultOf = (page: FoundPage, score: number | null | undefined, wanted: Wanted) => ({
  url: page.url,
  title: page.title,
  content: page.summary ?? page.excerpt ?? '',
  score,
  raw_content: wanted.include_raw_content ? page.full_content : null,
  ...(page.publish_date === null ? {} : { published_date: page.publish_date }),
  ...(wanted.include_favicon && page.favicon !== null ? { favicon: page.favicon } : {}),
  ...(wanted.include_images ? { images: page.enrichments.images ?? [] } : {}),
});

const WHOLE_PAGE = 'trawl returns whole pages, in which the passages are';

const extract = fetchRoute({
  path: '/extract',
  input: z.object({
    urls: urlList,
    api_key: z.string().optional(),
    format: z.enum(['markdown', 'text']).optional(),
    include_images: flag.optional(),
    include_favicon: flag.optional(),
    include_usage: flag.optional(),
  }),
  mapped: {
    urls: '`urls`',
    api_key: KEY,
    format: '`options.content_format`',
    include_images: '`images` of tier `extended`',
    include_favicon: '`favicon` of tier `extended`',
    include_usage: USAGE,
  },
  ignored: {
    extract_depth: CHAIN_DECIDES,
    timeout: OWN_LIMITS,
    query: WHOLE_PAGE,
    chunks_per_source: WHOLE_PAGE,
    client_source: CLIENT_NAME,
  },
  ask: ({ urls, format, include_images, include_favicon, include_usage }) => ({
    urls,
    contentFormat: format ?? 'markdown',
    tier: include_images || include_favicon || include_usage ? 'extended' : 'default',
  }),
  answer: (fetched, input) => ({ body: extracted(fetched, input) }),
});

function extracted(
  { rows, seconds, id }: Fetched,
  { include_images, include_favicon, include_usage }: Wanted & { readonly include_usage?: unknown },
) {
  const credits = rows.flatMap(({ provider, usage }) =>
    provider === 'tavily' ? (finiteNumber(usage?.units.credits) ?? []) : [],
  );
  const sum = credits.reduce((total, count) => total + count, 0);
  return {
    results: rows
      .filter(({ status }) => status === 'succeeded')
      .map(({ url, title, content, images, favicon }) => ({
        url,
        title,
        raw_content: content,
        ...(include_images ? { images: images ?? [] } : {}),
        ...(include_favicon && favicon ? { favicon } : {}),
      })),
    failed_results: rows.flatMap(({ url, error }) =>
      error === null ? [] : [{ url, error: `${error.code}: ${error.message}` }],
    ),
    response_time: seconds,
    ...(include_usage && credits.length > 0 ? { usage: { credits: sum } } : {}),
    request_id: id,
  };
}

/** 432: the limit of a key or plan is reached. 422 is 400 at Tavily, 502 and 503 are 500. */
const STATUSES: Readonly<Record<number, number>> = { 402: 432, 422: 400, 502: 500, 503: 500 };

const fault = ({ status, message }: DropInFault): DropInAnswer => ({
  status: STATUSES[status] ?? status,
  body: { detail: { error: message } },
});

export const tavilyDropIn: DropIn = {
  slug: 'tavily',
  name: 'Tavily',
  keys: [{ in: 'bearer' }, { in: 'body', name: 'api_key' }],
  routes: [search, extract],
  fault,
};
