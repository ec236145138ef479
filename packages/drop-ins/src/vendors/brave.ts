/** https://api-dashboard.search.brave.com/app/documentation/web-search/query */

import { given, LIMITS } from '@trawl/contract';
import { z } from 'zod';
import {
  type DropIn,
  type DropInAnswer,
  type DropInFault,
  type FoundPage,
  queryText,
  searchRoute,
} from '../declaration/declaration.ts';
import {
  flag,
  languageOf,
  passagesOf,
  rowCount,
  shortList,
  startOf,
  wholeNumber,
} from '../declaration/values.ts';

const SPANS = { pd: 'day', pw: 'week', pm: 'month', py: 'year' } as const;
type SpanWord = keyof typeof SPANS;

const RANGE = /^(\d{4}-\d{2}-\d{2})to(\d{4}-\d{2}-\d{2})$/;
const freshness = z.union([
  z.enum(Object.keys(SPANS) as [SpanWord, ...SpanWord[]]),
  z.string().regex(RANGE, 'must be pd, pw, pm, py or YYYY-MM-DDtoYYYY-MM-DD'),
]);

/** The days of `freshness`, first and last. */
function daysOf(value: string | undefined, today: string) {
  if (value === undefined) return {};
  const [, published_after, published_before] = RANGE.exec(value) ?? [];
  return published_after === undefined
    ? { published_after: startOf(SPANS[value as SpanWord], today) }
    : { published_after, published_before };
}

/** Languages that Brave spells otherwise than ISO 639-1. */
const SPELLINGS: Readonly<Record<string, string>> = { jp: 'ja' };
const languageFrom = (code: string): string => SPELLINGS[code] ?? languageOf(code);

const sections = z
  .string()
  .refine((list) => list.split(',').includes('web'), 'must include web: trawl returns web results');

const OTHER_CALL = 'needs a second call that trawl does not serve';

const search = searchRoute({
  path: '/res/v1/web/search',
  method: 'GET',
  input: z.object({
    q: queryText,
    count: rowCount.optional(),
    offset: wholeNumber.pipe(z.int().min(0).max(9, 'is at most 9')).optional(),
    country: z.string().optional(),
    search_lang: z.string().max(20).optional(),
    safesearch: z.enum(['off', 'moderate', 'strict']).optional(),
    freshness: freshness.optional(),
    extra_snippets: flag.optional(),
    result_filter: sections.optional(),
  }),
  mapped: {
    q: '`user_input.query`',
    count: '`search.num_results`; 20 when absent',
    offset: 'other pages than the first at Brave only; elsewhere they have no rows',
    country: '`search.filters.country`; `ALL` means any country',
    search_lang: '`search.filters.language`, without its variant',
    safesearch: '`search.filters.safe_search`',
    freshness: '`search.filters.published_after` and `published_before`',
    extra_snippets: 'field `excerpt`',
    result_filter: 'must include `web`; other sections are not returned',
  },
  own: {
    goggles: z.union([z.string(), shortList(z.array(z.string()))]),
    goggles_id: z.string(),
    operators: flag,
    spellcheck: flag,
  },
  ignored: {
    text_decorations: 'texts never have decorations',
    ui_lang: 'texts of the answer have no such words',
    units: 'answers have no such values',
    include_fetch_metadata: 'rows say no such times',
  },
  refused: { summary: OTHER_CALL, enable_rich_callback: OTHER_CALL },
  names: {
    'user_input.query': 'q',
    'search.filters.country': 'country',
    'search.filters.language': 'search_lang',
    'search.filters.published_after': 'freshness',
    'search.filters.published_before': 'freshness',
    'search.filters': 'freshness',
  },
  ask: (input, own, today) => ({
    query: input.q,
    numResults: input.count ?? LIMITS.resultsMax,
    fields: [
      'publish_date',
      'thumbnail',
      'favicon',
      ...(input.extra_snippets ? (['excerpt'] as const) : []),
    ],
    filters: given({
      country: input.country === 'ALL' ? undefined : input.country,
      language: input.search_lang && languageFrom(input.search_lang),
      safe_search: input.safesearch,
      ...daysOf(input.freshness, today),
    }),
    own: input.offset ? { ...own, offset: input.offset } : own,
    isLaterPage: (input.offset ?? 0) > 0,
  }),
  answer: (found, { extra_snippets }) => ({
    body: {
      type: 'search',
      query: { original: found.query },
      web: {
        type: 'search',
        results: found.pages.map((page) => resultOf(page, extra_snippets === true)),
      },
    },
  }),
});

function resultOf(page: FoundPage, wantsSnippets: boolean) {
  const snippets = wantsSnippets ? passagesOf(page.excerpt) : [];
  return {
    type: 'search_result',
    title: page.title ?? '',
    url: page.url,
    ...(page.summary === null ? {} : { description: page.summary }),
    ...(page.publish_date === null ? {} : { page_age: page.publish_date }),
    ...(page.thumbnail === null ? {} : { thumbnail: { src: page.thumbnail } }),
    ...(snippets.length > 0 ? { extra_snippets: snippets } : {}),
    meta_url: metaOf(page),
  };
}

/** Parts of the address; nothing else. */
function metaOf({ url, favicon }: FoundPage) {
  const { protocol, host, hostname, pathname } = new URL(url);
  return {
    scheme: protocol.slice(0, -1),
    netloc: host,
    hostname,
    ...(favicon === null ? {} : { favicon }),
    path: pathname,
  };
}

/** Brave answers 422 to a wrong key and to faulty parameters. */
const FAULTS: Readonly<Record<number, readonly [number, string]>> = {
  400: [422, 'VALIDATION'],
  401: [422, 'SUBSCRIPTION_TOKEN_INVALID'],
  402: [402, 'QUOTA_LIMITED'],
  403: [403, 'FORBIDDEN'],
  404: [404, 'NOT_FOUND'],
  422: [422, 'VALIDATION'],
  429: [429, 'RATE_LIMITED'],
};

function fault({ status, message, parameter, requestId }: DropInFault): DropInAnswer {
  const [shown, code] = FAULTS[status] ?? [status, 'INTERNAL'];
  const errors =
    parameter === undefined
      ? []
      : [{ loc: ['query', parameter], msg: message, type: 'value_error' }];
  return {
    status: shown,
    body: {
      type: 'ErrorResponse',
      error: {
        id: requestId,
        status: shown,
        code,
        detail: message,
        meta: errors.length > 0 ? { errors } : {},
      },
    },
  };
}

export const braveDropIn: DropIn = {
  slug: 'brave',
  name: 'Brave',
  keys: [{ in: 'header', name: 'x-subscription-token' }],
  routes: [search],
  fault,
};
