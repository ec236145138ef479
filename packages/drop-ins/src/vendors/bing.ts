/** https://learn.microsoft.com/en-us/bing/search-apis/bing-web-search/reference/endpoints */

import { COUNTRIES, given, LIMITS } from '@trawl/contract';
import { z } from 'zod';
import { htmlOf, snippetOf } from '../answers/texts.ts';
import {
  type DropIn,
  type DropInAnswer,
  type DropInFault,
  type FoundPage,
  type FoundRows,
  queryText,
  searchRoute,
} from '../declaration/declaration.ts';
import { countryOf, languageOf, startOf, wholeNumber, windowOf } from '../declaration/values.ts';

/** Rows of a page at most, at Bing. */
const PAGE_ROWS = 50;

const lowered = z
  .string()
  .max(100)
  .transform((word) => word.toLowerCase());

const SPANS = ['day', 'week', 'month'] as const;
const DAYS = /^(\d{4}-\d{2}-\d{2})(?:\.\.(\d{4}-\d{2}-\d{2}))?$/;
const freshness = lowered.pipe(
  z.union([
    z.enum(SPANS),
    z.string().regex(DAYS, 'must be Day, Week, Month, YYYY-MM-DD or YYYY-MM-DD..YYYY-MM-DD'),
  ]),
);

/** The days of `freshness`, first and last. One day is both. */
function daysOf(value: string | undefined, today: string) {
  if (value === undefined) return {};
  const [, published_after, published_before = published_after] = DAYS.exec(value) ?? [];
  return published_after === undefined
    ? { published_after: startOf(value as (typeof SPANS)[number], today) }
    : { published_after, published_before };
}

const input = z.object({
  q: queryText,
  'subscription-key': z.string().optional(),
  count: wholeNumber.pipe(z.int().min(1).max(PAGE_ROWS)).optional(),
  offset: wholeNumber.pipe(z.int().min(0)).optional(),
  mkt: z
    .string()
    .regex(/^[\w-]{2,20}$/, 'must be a language and a country, such as de-DE')
    .optional(),
  cc: z.string().optional(),
  setLang: z.string().max(20).optional(),
  freshness: freshness.optional(),
  safeSearch: lowered.pipe(z.enum(['off', 'moderate', 'strict'])).optional(),
  responseFilter: lowered.optional(),
  textFormat: lowered.pipe(z.enum(['raw', 'html'])).optional(),
});
type Input = z.output<typeof input>;

/** `webpages,news` has pages, `news` has none, and `-images` neither. */
function wantsPages(list: string | undefined): boolean {
  const names = (list ?? '').split(',').map((name) => name.trim());
  const wanted = names.filter((name) => name !== '' && !name.startsWith('-'));
  if (names.includes('-webpages')) return false;
  return wanted.length === 0 || wanted.includes('webpages');
}

/** Some of its markets are no countries, such as `en-WW`. */
function countryOfMarket(market: string): string | undefined {
  const country = countryOf(market);
  return country !== undefined && COUNTRIES.has(country) ? country : undefined;
}

const ROWS = 10;
const OTHERS = 'answers have web pages only';
const PLAIN = 'texts never have decorations';

const routeAt = (path: string) =>
  searchRoute({
    path,
    method: 'GET',
    input,
    mapped: {
      q: '`user_input.query`',
      'subscription-key': 'the key, where no header has one',
      count: `\`search.num_results\`, cut to ${LIMITS.resultsMax}; ${ROWS} when absent`,
      offset: `rows before the page; rows after the ${LIMITS.resultsMax}th are absent`,
      mkt: '`search.filters.language` and `country`',
      cc: '`search.filters.country`, without `mkt`',
      setLang: '`search.filters.language`, without `mkt`',
      freshness: '`search.filters.published_after` and `published_before`',
      safeSearch: '`search.filters.safe_search`',
      responseFilter: 'without `Webpages` nothing is asked',
      textFormat: '`HTML` escapes the texts',
    },
    ignored: {
      answerCount: OTHERS,
      promote: OTHERS,
      customConfig: 'the key decides what is asked',
      textDecorations: PLAIN,
    },
    names: {
      'user_input.query': 'q',
      'search.filters.country': 'cc',
      'search.filters.language': 'setLang',
      'search.filters.published_after': 'freshness',
      'search.filters.published_before': 'freshness',
      'search.filters': 'freshness',
    },
    ask: ({ q, count = ROWS, offset = 0, mkt, cc, setLang, ...asked }, own, today) => {
      const rows = windowOf(offset, count);
      return {
        query: q,
        numResults: rows.numResults,
        isLaterPage: rows.isLaterPage || !wantsPages(asked.responseFilter),
        fields: ['publish_date', 'thumbnail', 'related'],
        filters: given({
          language: mkt === undefined ? setLang && languageOf(setLang) : languageOf(mkt),
          country: mkt === undefined ? cc : countryOfMarket(mkt),
          safe_search: asked.safeSearch,
          ...daysOf(asked.freshness, today),
        }),
        own,
      };
    },
    answer: (found, asked, server) => ({
      headers: {
        ...(found.id === '' ? {} : { 'bingapis-traceid': found.id }),
        ...(asked.mkt === undefined ? {} : { 'bingapis-market': asked.mkt }),
      },
      body: bodyOf(found, asked, `${server}/console/?q=`),
    }),
  });

const idOf = (kind: string, index: number): string =>
  `https://api.bing.microsoft.com/api/v7/#${kind}.${index}`;

/** @param link an address of ours that a query is added to: Bing's own would be a lie */
function bodyOf({ query, pages, held, related }: FoundRows, asked: Input, link: string) {
  const offset = asked.offset ?? 0;
  const rows = pages.slice(offset);
  const linkTo = (text: string) => `${link}${encodeURIComponent(text)}`;
  const items = rows.map((_, index) => ({
    answerType: 'WebPages',
    resultIndex: index,
    value: { id: idOf('WebPages', index) },
  }));
  return {
    _type: 'SearchResponse',
    queryContext: { originalQuery: query },
    ...(rows.length > 0
      ? {
          webPages: {
            webSearchUrl: linkTo(query),
            totalEstimatedMatches: Math.min(held, LIMITS.resultsMax),
            value: rows.map((page, index) => pageOf(page, index, asked)),
          },
        }
      : {}),
    ...(related.length > 0
      ? {
          relatedSearches: {
            id: 'https://api.bing.microsoft.com/api/v7/#RelatedSearches',
            value: related.map((text) => ({
              text,
              displayText: text,
              webSearchUrl: linkTo(text),
            })),
          },
        }
      : {}),
    rankingResponse: items.length > 0 ? { mainline: { items } } : {},
  };
}

/** What is not known is left out. */
function pageOf(page: FoundPage, index: number, { textFormat, safeSearch }: Input) {
  const { url, publish_date, thumbnail } = page;
  const written = (plain: string) => (textFormat === 'html' ? htmlOf(plain) : plain);
  return {
    id: idOf('WebPages', index),
    name: written(page.title ?? ''),
    url,
    ...(safeSearch === 'strict' ? { isFamilyFriendly: true } : {}),
    displayUrl: url,
    snippet: written(snippetOf(page)),
    ...(publish_date === null ? {} : { datePublished: publish_date }),
    ...(thumbnail === null ? {} : { thumbnailUrl: thumbnail }),
    isNavigational: false,
  };
}

/** Faults of its gate, which is in front of the search: a code and a text. */
const GATE: Readonly<Record<number, readonly [number, string | null]>> = {
  401: [
    401,
    'Access denied due to invalid subscription key or wrong API endpoint. Make sure to provide a valid key for an active subscription and use a correct regional API endpoint for your resource.',
  ],
  402: [403, 'Out of call volume quota.'],
  403: [403, null],
  404: [404, null],
  405: [405, null],
  429: [429, 'Rate limit is exceeded.'],
};

function fault({ status, message, parameter, isMissing, requestId }: DropInFault): DropInAnswer {
  const headers = { 'bingapis-traceid': requestId };
  const gate = GATE[status];
  if (gate) {
    const [code, text] = gate;
    const said = text === null || status === 401 ? (text ?? message) : `${text} ${message}`;
    return { status: code, headers, body: { error: { code: String(code), message: said } } };
  }
  const isOurs = status >= 500;
  const invalid = isMissing ? 'ParameterMissing' : 'ParameterInvalidValue';
  return {
    status: isOurs ? (status === 503 ? 503 : 500) : 400,
    headers,
    body: {
      _type: 'ErrorResponse',
      errors: [
        {
          code: isOurs ? 'ServerError' : 'InvalidRequest',
          subCode: isOurs ? 'ResourceError' : invalid,
          message,
          ...given({ parameter }),
        },
      ],
    },
  };
}

export const bingDropIn: DropIn = {
  slug: 'bing',
  name: 'Bing',
  keys: [
    { in: 'header', name: 'ocp-apim-subscription-key' },
    { in: 'query', name: 'subscription-key' },
    { in: 'bearer' },
  ],
  // addresses of old resources have its name twice
  routes: ['/v7.0/search', '/bing/v7.0/search', '/v7.0/custom/search'].map(routeAt),
  fault,
};
