/** https://serper.dev/playground */

import { given, LIMITS } from '@trawl/contract';
import { z } from 'zod';
import {
  type DropIn,
  type DropInFault,
  type FoundPage,
  type FoundRows,
  queryText,
  searchRoute,
} from '../declaration/declaration.ts';
import {
  clampedCount,
  daysOfTimeText,
  flag,
  languageOfGoogle,
  timeText,
  wholeNumber,
} from '../declaration/values.ts';

const SAFE_SEARCH = { off: 'off', moderate: 'moderate', active: 'strict' } as const;
type SafeWord = keyof typeof SAFE_SEARCH;

const input = z.object({
  q: queryText,
  num: clampedCount.optional(),
  page: wholeNumber.pipe(z.literal(1, 'trawl has the first page only')).optional(),
  gl: z.string().optional(),
  hl: z.string().max(20).optional(),
  tbs: timeText.optional(),
  safe: z.enum(Object.keys(SAFE_SEARCH) as [SafeWord, ...SafeWord[]]).optional(),
});

const routeOf = (path: string, rowsOf: (found: FoundRows) => Readonly<Record<string, unknown>>) =>
  searchRoute({
    path,
    input,
    mapped: {
      q: '`user_input.query`',
      num: `\`search.num_results\`, cut to ${LIMITS.resultsMax}; 10 when absent`,
      page: '1; others are refused',
      gl: '`search.filters.country`',
      hl: '`search.filters.language`, without its variant',
      tbs: '`search.filters.published_after` and `published_before`',
      safe: '`search.filters.safe_search`',
    },
    own: { location: z.string(), autocorrect: flag },
    ignored: { type: 'the path says it' },
    names: {
      'user_input.query': 'q',
      'search.num_results': 'num',
      'search.filters.country': 'gl',
      'search.filters.language': 'hl',
      'search.filters.published_after': 'tbs',
      'search.filters.published_before': 'tbs',
      'search.filters': 'tbs',
    },
    ask: ({ q, num = 10, gl, hl, tbs, safe }, own, today) => ({
      query: q,
      numResults: num,
      fields: ['publish_date', 'thumbnail'],
      ownFields: ['related'],
      filters: given({
        country: gl,
        language: hl && languageOfGoogle(hl),
        safe_search: safe && SAFE_SEARCH[safe],
        ...daysOfTimeText(tbs, today),
      } as const),
      own,
    }),
    answer: (found, { gl, hl, num }) => ({
      body: {
        searchParameters: { q: found.query, ...given({ gl, hl, num }), type: path.slice(1) },
        ...rowsOf(found),
        credits: 1,
      },
    }),
  });

const rowOf = ({ url, title, summary, excerpt, publish_date }: FoundPage, index: number) => ({
  title: title ?? '',
  link: url,
  snippet: summary ?? excerpt ?? '',
  ...(publish_date === null ? {} : { date: publish_date }),
  position: index + 1,
});

const search = routeOf('/search', ({ pages, related }) => ({
  organic: pages.map(rowOf),
  ...(related.length > 0 ? { relatedSearches: related.map((query) => ({ query })) } : {}),
}));

const news = routeOf('/news', ({ pages }) => ({
  news: pages.map((page, index) => ({
    ...rowOf(page, index),
    source: new URL(page.url).hostname,
    ...(page.thumbnail === null ? {} : { imageUrl: page.thumbnail }),
  })),
}));

/**
 * Serper answers 403 to a wrong key alone, and 400 to faulty parameters and where credits are used
 * up.
 */
const STATUSES: Readonly<Record<number, number>> = { 401: 403, 402: 400, 403: 400, 422: 400 };

export const serperDropIn: DropIn = {
  slug: 'serper',
  name: 'Serper',
  keys: [{ in: 'header', name: 'x-api-key' }, { in: 'bearer' }],
  routes: [search, news],
  fault: ({ status, message }: DropInFault) => {
    const statusCode = STATUSES[status] ?? status;
    const said = status === 401 ? 'Unauthorized.' : message;
    return { status: statusCode, body: { message: said, statusCode } };
  },
};
