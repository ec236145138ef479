/** https://developers.google.com/custom-search/v1/reference/rest/v1/cse/list */

import { given, LIMITS } from '@trawl/contract';
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
import {
  hostOf,
  languageOfGoogle,
  SPAN_LETTERS,
  startOf,
  UNSUPPORTED,
  wholeNumber,
  windowOf,
} from '../declaration/values.ts';

/** Rows of a page at most, and the last place that a page may reach. */
const PAGE_ROWS = 10;
const LAST_PLACE = 100;

const SAFE_SEARCH = { active: 'strict', high: 'strict', medium: 'strict', off: 'off' } as const;
type SafeWord = keyof typeof SAFE_SEARCH;

const RESTRICTION = /^([dwmy])(\d{0,4})$/;
const restriction = z
  .string()
  .regex(RESTRICTION, 'must be d, w, m or y and a number, such as d10 or m6');

/** The first day of a `dateRestrict`. */
function firstDayOf(text: string | undefined, today: string): string | undefined {
  if (text === undefined) return undefined;
  const [, letter, count = ''] = RESTRICTION.exec(text) ?? [];
  return startOf(SPAN_LETTERS[letter as keyof typeof SPAN_LETTERS], today, Number(count || 1));
}

const input = z
  .object({
    q: queryText,
    key: z.string().optional(),
    cx: z.string().max(200).optional(),
    num: wholeNumber
      .pipe(z.int().min(1))
      .transform((count) => Math.min(count, PAGE_ROWS))
      .optional(),
    start: wholeNumber.pipe(z.int().min(1)).optional(),
    lr: z
      .string()
      .regex(/^lang_[a-z]{2}/i, 'must be lang_ and a language, such as lang_de')
      .optional(),
    hl: z.string().max(20).optional(),
    gl: z.string().optional(),
    cr: z.string().max(200).optional(),
    safe: z.enum(Object.keys(SAFE_SEARCH) as [SafeWord, ...SafeWord[]]).optional(),
    dateRestrict: restriction.optional(),
    siteSearch: z.string().optional(),
    siteSearchFilter: z.enum(['i', 'e']).optional(),
    exactTerms: z.string().optional(),
    orTerms: z.string().optional(),
    excludeTerms: z.string().optional(),
    hq: z.string().optional(),
    fileType: z.string().optional(),
    alt: z.literal('json', 'trawl answers in JSON only').optional(),
  })
  .refine(({ start = 1, num = PAGE_ROWS }) => start + num <= LAST_PLACE + 1, {
    path: ['start'],
    message: `start and num reach the ${LAST_PLACE}th row at most`,
  });
type Input = z.output<typeof input>;

const wordsOf = (text = ''): readonly string[] => text.split(/\s+/).filter((word) => word !== '');

/** The query with the terms that Google takes apart. */
const queryOf = ({ q, exactTerms, orTerms, excludeTerms, hq, fileType }: Input): string =>
  [
    q,
    ...wordsOf(hq),
    ...(exactTerms === undefined ? [] : [`"${exactTerms}"`]),
    ...(orTerms === undefined ? [] : [`(${wordsOf(orTerms).join(' OR ')})`]),
    ...wordsOf(excludeTerms).map((word) => `-${word}`),
    ...(fileType === undefined ? [] : [`filetype:${fileType}`]),
  ].join(' ');

const COUNTRY = /^country([A-Z]{2})$/i;

function filtersOf(asked: Input, today: string) {
  const { lr, hl, gl, cr = '', safe, dateRestrict, siteSearch, siteSearchFilter } = asked;
  const language = lr?.slice('lang_'.length) ?? hl;
  const hosts = siteSearch === undefined ? undefined : [hostOf(siteSearch)];
  return given({
    language: language && languageOfGoogle(language.split('|')[0] ?? ''),
    country: gl ?? COUNTRY.exec(cr)?.[1],
    safe_search: safe && SAFE_SEARCH[safe],
    published_after: firstDayOf(dateRestrict, today),
    ...(siteSearchFilter === 'e' ? { exclude_domains: hosts } : { include_domains: hosts }),
  } as const);
}

const NO_IMAGES = 'is for images';
const NO_TERMS = 'trawl has no such terms';
const NO_SORT = 'rows are in the order of the providers';
const OF_GOOGLE = 'is for servers of Google';

const IGNORED = {
  sort: NO_SORT,
  filter: NO_SORT,
  linkSite: NO_TERMS,
  relatedSite: NO_TERMS,
  lowRange: NO_TERMS,
  highRange: NO_TERMS,
  rights: 'rows do not say their licence',
  c2coff: OF_GOOGLE,
  googlehost: OF_GOOGLE,
  snippetLength: 'texts are those of the providers',
  imgSize: NO_IMAGES,
  imgType: NO_IMAGES,
  imgColorType: NO_IMAGES,
  imgDominantColor: NO_IMAGES,
  fields: 'answers are always whole',
  prettyPrint: 'answers are in one line',
  quotaUser: 'limits are those of the key',
  access_token: OF_GOOGLE,
  oauth_token: OF_GOOGLE,
  uploadType: OF_GOOGLE,
  upload_protocol: OF_GOOGLE,
  '$.xgafv': OF_GOOGLE,
};

const routeAt = (path: string) =>
  searchRoute({
    path,
    method: 'GET',
    input,
    mapped: {
      q: '`user_input.query`',
      key: 'the API key of trawl',
      cx: 'comes back as it was sent',
      num: `rows of the page, cut to ${PAGE_ROWS}; ${PAGE_ROWS} when absent`,
      start: `the place of the first row; rows after the ${LIMITS.resultsMax}th are absent`,
      lr: '`search.filters.language`, the first one',
      hl: '`search.filters.language`, without `lr`',
      gl: '`search.filters.country`',
      cr: '`search.filters.country`, without `gl`; a list of countries has no effect',
      safe: '`search.filters.safe_search`: `strict`, or `off`',
      dateRestrict: '`search.filters.published_after`, counted back from today',
      siteSearch: '`search.filters.include_domains`, the host',
      siteSearchFilter: '`e`: `siteSearch` is `search.filters.exclude_domains`',
      exactTerms: 'added to the query in quotes',
      orTerms: 'added to the query with `OR`',
      excludeTerms: 'added to the query with `-`',
      hq: 'added to the query',
      fileType: 'added to the query as `filetype:`',
      alt: '`json`; others are refused',
    },
    ignored: IGNORED,
    refused: {
      searchType: 'image search is not served here',
      callback: UNSUPPORTED,
    },
    names: {
      'user_input.query': 'q',
      'search.filters.country': 'gl',
      'search.filters.language': 'lr',
      'search.filters.published_after': 'dateRestrict',
      'search.filters.include_domains': 'siteSearch',
      'search.filters.exclude_domains': 'siteSearch',
    },
    ask: (asked, own, today) => {
      const { start = 1, num = PAGE_ROWS } = asked;
      return {
        query: queryOf(asked),
        ...windowOf(start - 1, num),
        fields: ['publish_date', 'thumbnail', 'source'],
        filters: filtersOf(asked, today),
        own,
      };
    },
    answer: (found, asked) => ({ body: bodyOf(found, asked) }),
  });

const TEMPLATE =
  'https://www.googleapis.com/customsearch/v1?q={searchTerms}&num={count?}&start={startIndex?}&lr={language?}&safe={safe?}&cx={cx?}&alt=json';

function bodyOf({ pages, held, seconds }: FoundRows, asked: Input) {
  const { q, num = PAGE_ROWS, start = 1, key: _key, alt: _alt, lr, ...echoed } = asked;
  const rows = pages.slice(start - 1);
  const known = Math.min(held, LIMITS.resultsMax);
  const totalResults = String(known);
  const request = (startIndex: number, count: number) => ({
    title: `Google Custom Search - ${q}`,
    totalResults,
    searchTerms: q,
    count,
    startIndex,
    inputEncoding: 'utf8',
    outputEncoding: 'utf8',
    safe: 'off',
    ...given({ ...echoed, language: lr }),
  });
  const next = start + num;
  const previous = Math.max(1, start - num);
  return {
    kind: 'customsearch#search',
    url: { type: 'application/json', template: TEMPLATE },
    queries: {
      ...(start > 1 ? { previousPage: [request(previous, start - previous)] } : {}),
      request: [request(start, rows.length)],
      ...(known >= next ? { nextPage: [request(next, Math.min(num, known - next + 1))] } : {}),
    },
    context: { title: 'trawl' },
    searchInformation: {
      searchTime: seconds,
      formattedSearchTime: seconds.toFixed(2),
      totalResults,
      formattedTotalResults: totalResults,
    },
    // absent without rows: its clients ask for the member
    ...(rows.length > 0 ? { items: rows.map(itemOf) } : {}),
  };
}

function itemOf(page: FoundPage) {
  const { url, thumbnail, publish_date, author } = page;
  const title = page.title ?? '';
  const snippet = snippetOf(page);
  const image = [{ src: thumbnail }];
  const tags = given({
    'article:published_time': publish_date ?? undefined,
    author: author ?? undefined,
  });
  const pagemap = {
    ...(thumbnail === null ? {} : { cse_thumbnail: image, cse_image: image }),
    ...(Object.keys(tags).length > 0 ? { metatags: [tags] } : {}),
  };
  return {
    kind: 'customsearch#result',
    title,
    htmlTitle: htmlOf(title),
    link: url,
    displayLink: new URL(url).hostname,
    snippet,
    htmlSnippet: htmlOf(snippet),
    formattedUrl: url,
    htmlFormattedUrl: htmlOf(url),
    ...(Object.keys(pagemap).length > 0 ? { pagemap } : {}),
  };
}

const INVALID = 'Request contains an invalid argument.';

/** What Google calls our statuses: its own, the word for it, and the reason. */
const FAULTS: Readonly<Record<number, readonly [number, string, string]>> = {
  400: [400, 'INVALID_ARGUMENT', 'badRequest'],
  401: [400, 'INVALID_ARGUMENT', 'badRequest'],
  402: [403, 'PERMISSION_DENIED', 'dailyLimitExceeded'],
  403: [403, 'PERMISSION_DENIED', 'forbidden'],
  404: [404, 'NOT_FOUND', 'notFound'],
  405: [405, 'INVALID_ARGUMENT', 'httpMethodNotAllowed'],
  422: [400, 'INVALID_ARGUMENT', 'badRequest'],
  429: [429, 'RESOURCE_EXHAUSTED', 'rateLimitExceeded'],
  502: [503, 'UNAVAILABLE', 'backendError'],
  503: [503, 'UNAVAILABLE', 'backendError'],
};
/** Its clients repeat each 5xx three times, which would pay three times. */
const PAID = [409, 'ABORTED', 'aborted'] as const;
const KEYLESS = [403, 'PERMISSION_DENIED', 'forbidden'] as const;

const WRONG_KEY = {
  details: [
    {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: 'API_KEY_INVALID',
      domain: 'googleapis.com',
    },
  ],
};

function fault({ status, message, parameter, isMissing, mayBePaid }: DropInFault): DropInAnswer {
  const isKeyless = status === 401 && isMissing === true;
  const [code, word, reason] = mayBePaid
    ? PAID
    : isKeyless
      ? KEYLESS
      : (FAULTS[status] ?? [status, 'UNKNOWN', 'backendError']);
  const location =
    parameter === undefined ? {} : { location: parameter, locationType: 'parameter' };
  const isWrongKey = status === 401 && !isKeyless;
  const said = isWrongKey ? 'API key not valid. Please pass a valid API key.' : message;
  const text = isKeyless ? 'The request is missing a valid API key.' : said;
  const domain = status === 402 ? 'usageLimits' : 'global';
  return {
    status: code,
    body: {
      error: {
        code,
        message: code === 400 && !isWrongKey ? INVALID : text,
        errors: [{ message: text, domain, reason, ...location }],
        status: word,
        ...(isWrongKey ? WRONG_KEY : {}),
      },
    },
  };
}

export const googleDropIn: DropIn = {
  slug: 'google',
  name: 'Google',
  keys: [{ in: 'query', name: 'key' }, { in: 'header', name: 'x-goog-api-key' }, { in: 'bearer' }],
  // its Node client drops the path of an address that is set for all calls
  isAtRoot: true,
  routes: [routeAt('/customsearch/v1'), routeAt('/customsearch/v1/siterestrict')],
  fault,
};
