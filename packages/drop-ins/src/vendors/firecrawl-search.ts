/** https://docs.firecrawl.dev/api-reference/endpoint/search */
import { LIMITS } from '@trawl/contract';
import { z } from 'zod';
import { type FoundPage, queryText, searchRoute } from '../declaration/declaration.ts';
import {
  CLIENT_NAME,
  daysOfTimeText,
  given,
  hostList,
  OWN_LIMITS,
  rowCount,
  shortList,
  timeText,
  UNSUPPORTED,
} from '../declaration/values.ts';

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
    tbs: timeText.optional(),
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
      ...daysOfTimeText(input.tbs, today),
    }),
    own,
  }),
  answer: ({ id, pages }, input) => ({
    body: {
      success: true,
      data: { web: pages.map((page) => resultOf(page, wantsText(input.scrapeOptions))) },
      id,
    },
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
