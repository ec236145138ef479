/** https://docs.firecrawl.dev/api-reference/endpoint/search */
import { LIMITS } from '@trawl/contract';
import { z } from 'zod';
import { type FoundPage, queryText, searchRoute } from '../declaration/declaration.ts';
import {
  CLIENT_NAME,
  given,
  hostList,
  OWN_LIMITS,
  rowCount,
  SPAN_LETTERS,
  shortList,
  startOf,
  UNSUPPORTED,
} from '../declaration/values.ts';

/** `qdr:w`, or a range of days as month/day/year. */
const SPAN = /^qdr:([dwmy])$/;
const RANGE =
  /^cdr:1,cd_min:(\d{1,2})\/(\d{1,2})\/(\d{4})(?:,cd_max:(\d{1,2})\/(\d{1,2})\/(\d{4}))?$/;

const tbs = z
  .string()
  .max(100)
  .refine(
    (text) => SPAN.test(text) || RANGE.test(text),
    'must be qdr:d, qdr:w, qdr:m, qdr:y or cdr:1,cd_min:M/D/YYYY,cd_max:M/D/YYYY',
  );

const day = (month = '', date = '', year = ''): string =>
  `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`;

function daysOf(text: string | undefined, today: string) {
  if (text === undefined) return {};
  const span = SPAN.exec(text)?.[1] as keyof typeof SPAN_LETTERS | undefined;
  if (span !== undefined) return { published_after: startOf(SPAN_LETTERS[span], today) };
  const [, month, date, year, lastMonth, lastDate, lastYear] = RANGE.exec(text) ?? [];
  return {
    published_after: day(month, date, year),
    published_before: lastYear === undefined ? undefined : day(lastMonth, lastDate, lastYear),
  };
}

const webOnly = shortList(
  z
    .array(
      z.union([
        z.literal('web', 'only web results are available'),
        z.object({ type: z.literal('web', 'only web results are available') }),
      ]),
    )
    .min(1),
);

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

const wantsText = (options: z.output<typeof scrapeOptions> | undefined): boolean =>
  (options?.formats ?? []).length > 0;

export const firecrawlSearch = searchRoute({
  path: '/v2/search',
  input: z.object({
    query: queryText,
    limit: rowCount.optional(),
    sources: webOnly.optional(),
    includeDomains: hostList,
    excludeDomains: hostList,
    tbs: tbs.optional(),
    country: z.string().optional(),
    scrapeOptions: scrapeOptions.optional(),
  }),
  mapped: {
    query: '`user_input.query`',
    limit: `\`search.num_results\`, at most ${LIMITS.resultsMax}; 5 when absent`,
    sources: '`web`; others are refused',
    includeDomains: '`search.filters.include_domains`',
    excludeDomains: '`search.filters.exclude_domains`',
    tbs: '`search.filters.published_after` and `published_before`',
    country: '`search.filters.country`',
    scrapeOptions:
      'format `markdown` is field `full_content`; other formats are refused, its other options have no effect',
  },
  ignored: {
    timeout: OWN_LIMITS,
    ignoreInvalidURLs: 'all rows have valid addresses',
    highlights: 'descriptions are those of the providers',
    origin: CLIENT_NAME,
    integration: 'says which program it is',
  },
  refused: {
    location: 'places as text are not available; send country',
    categories: UNSUPPORTED,
    enterprise: UNSUPPORTED,
    threatProtection: UNSUPPORTED,
    domainTools: UNSUPPORTED,
    toolDetail: UNSUPPORTED,
  },
  names: {
    'user_input.query': 'query',
    'search.num_results': 'limit',
    'search.filters.include_domains': 'includeDomains',
    'search.filters.exclude_domains': 'excludeDomains',
    'search.filters.published_after': 'tbs',
    'search.filters.published_before': 'tbs',
    'search.filters.country': 'country',
    'search.filters': 'tbs',
  },
  ask: (input, own, today) => ({
    query: input.query,
    numResults: input.limit ?? 5,
    fields: wantsText(input.scrapeOptions) ? ['full_content'] : [],
    filters: given({
      include_domains: input.includeDomains,
      exclude_domains: input.excludeDomains,
      country: input.country,
      ...daysOf(input.tbs, today),
    }),
    own,
  }),
  answer: ({ id, pages }, input) => ({
    success: true,
    data: { web: pages.map((page) => resultOf(page, wantsText(input.scrapeOptions))) },
    id,
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
