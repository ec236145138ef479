/** https://docs.firecrawl.dev/api-reference/endpoint/search */

import { given, type JsonObject, LIMITS } from '@trawl/contract';
import { z } from 'zod';
import {
  type FoundPage,
  queryText,
  type SearchAsk,
  searchRoute,
} from '../declaration/declaration.ts';
import {
  CLIENT_NAME,
  daysOfTimeText,
  hostList,
  languageOfGoogle,
  OWN_LIMITS,
  PROGRAM_NAME,
  rowCount,
  shortList,
  timeText,
  UNSUPPORTED,
} from '../declaration/values.ts';

const kind = z.enum(['web', 'news', 'images']);

/** The kinds of results: no other than web is read from any provider. */
const kinds = shortList(z.array(z.union([kind, z.object({ type: kind })])).min(1))
  .transform((list) => [...new Set(list.map((one) => (typeof one === 'string' ? one : one.type)))])
  .refine((list) => list.includes('web'), {
    message: 'only web results are available: name web too',
    path: [0],
  });

const markdown = z.union([
  z.literal('markdown', 'rows of a search have markdown only; read the pages with /v2/scrape'),
  z.object({ type: z.literal('markdown', 'rows of a search have markdown only') }),
]);

/** As in a scrape: what is not said is decided by the providers. */
const scrapeOptions = z.object({
  formats: shortList(z.array(markdown)).optional(),
  onlyMainContent: z.boolean().optional(),
  maxAge: z.int().optional(),
  timeout: z.int().optional(),
  blockAds: z.boolean().optional(),
  removeBase64Images: z.boolean().optional(),
});

const wantsText = ({ scrapeOptions: options }: z.output<typeof common>): boolean =>
  (options?.formats ?? []).length > 0;

/** What both versions have. */
const common = z.object({
  query: queryText,
  limit: rowCount.optional(),
  tbs: timeText.optional(),
  country: z.string().optional(),
  scrapeOptions: scrapeOptions.optional(),
});
const COMMON = {
  query: '`user_input.query`',
  limit: `\`search.num_results\`, at most ${LIMITS.resultsMax}; 5 when absent`,
  tbs: '`search.filters.published_after` and `published_before`',
  country: '`search.filters.country`',
  scrapeOptions:
    'format `markdown` is field `full_content`; other formats are refused, its other options have no effect',
};
const IGNORED = { timeout: OWN_LIMITS, origin: CLIENT_NAME, integration: PROGRAM_NAME };
const REFUSED = { location: 'places as text are not available; send country' };
const NAMES = {
  'user_input.query': 'query',
  'search.num_results': 'limit',
  'search.filters.published_after': 'tbs',
  'search.filters.published_before': 'tbs',
  'search.filters.country': 'country',
};

function askOf(
  input: z.output<typeof common>,
  filters: SearchAsk['filters'],
  own: JsonObject,
  today: string,
): SearchAsk {
  const { country, tbs } = input;
  return {
    query: input.query,
    numResults: input.limit ?? 5,
    fields: wantsText(input) ? ['full_content'] : [],
    filters: given({ ...filters, country, ...daysOfTimeText(tbs, today) }),
    own,
  };
}

export const firecrawlSearch = searchRoute({
  path: '/v2/search',
  input: common.extend({
    sources: kinds.optional(),
    includeDomains: hostList,
    excludeDomains: hostList,
  }),
  mapped: {
    ...COMMON,
    sources: '`web`; `news` and `images` next to it have no effect, without it they are refused',
    includeDomains: '`search.filters.include_domains`',
    excludeDomains: '`search.filters.exclude_domains`',
  },
  ignored: {
    ...IGNORED,
    ignoreInvalidURLs: 'all rows have valid addresses',
    highlights: 'descriptions are those of the providers',
  },
  refused: {
    ...REFUSED,
    categories: UNSUPPORTED,
    enterprise: UNSUPPORTED,
    threatProtection: UNSUPPORTED,
    domainTools: UNSUPPORTED,
    toolDetail: UNSUPPORTED,
  },
  names: {
    ...NAMES,
    'search.filters.include_domains': 'includeDomains',
    'search.filters.exclude_domains': 'excludeDomains',
    'search.filters': 'tbs',
  },
  ask: (input, own, today) => {
    const { includeDomains: include_domains, excludeDomains: exclude_domains } = input;
    return askOf(input, { include_domains, exclude_domains }, own, today);
  },
  ignoredParts: ({ sources = [] }) =>
    sources.filter((one) => one !== 'web').map((one) => `sources.${one}`),
  answer: ({ id, pages }, input) => ({
    body: {
      success: true,
      data: { web: pages.map((page) => resultOf(page, wantsText(input))) },
      id,
    },
  }),
});

/** Version 1 answers with a plain list. What version 2 added is not part of it. */
export const firecrawlSearchV1 = searchRoute({
  path: '/v1/search',
  input: common.extend({ lang: z.string().max(20).optional() }),
  mapped: { ...COMMON, lang: '`search.filters.language`, without its variant' },
  ignored: { ...IGNORED, filter: 'its meaning is not documented' },
  refused: REFUSED,
  names: { ...NAMES, 'search.filters.language': 'lang', 'search.filters': 'tbs' },
  ask: (input, own, today) =>
    askOf(input, { language: input.lang && languageOfGoogle(input.lang) }, own, today),
  answer: ({ pages }, input) => ({
    body: { success: true, data: pages.map((page) => resultOf(page, wantsText(input))) },
  }),
});

const resultOf = ({ url, title, summary, full_content }: FoundPage, withText: boolean) => ({
  url,
  ...(title === null ? {} : { title }),
  ...(summary === null ? {} : { description: summary }),
  ...(withText && full_content !== null
    ? {
        markdown: full_content,
        metadata: { sourceURL: url, url, ...(title === null ? {} : { title }) },
      }
    : {}),
});
