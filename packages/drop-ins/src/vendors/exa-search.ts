import { given, LIMITS } from '@trawl/contract';
import { object } from '@trawl/providers';
import { z } from 'zod';
import { type FoundPage, queryText, searchRoute } from '../declaration/declaration.ts';
import {
  dayOf,
  hostList,
  rowCount,
  safeSearchOf,
  shortList,
  UNSUPPORTED,
} from '../declaration/values.ts';
import {
  type ContentOptions,
  contentsOf,
  costOf,
  extrasOption,
  highlightsOption,
  requestIdOf,
  summaryOption,
  textOption,
} from './exa-rows.ts';

const contents = z.object({
  text: textOption.optional(),
  highlights: highlightsOption.optional(),
  summary: summaryOption.optional(),
  extras: extrasOption.optional(),
  maxAgeHours: z.int().min(-1).max(720).optional(),
  livecrawl: z.string().optional(),
  context: z.unknown().optional(),
  livecrawlTimeout: z.int().optional(),
  filterEmptyResults: z.boolean().optional(),
  subpages: z.literal(0, `subpages are ${UNSUPPORTED}`).optional(),
});

type Contents = z.output<typeof contents>;

/** What Exa itself gets beyond the fields: its own options of a text. */
function ownContents({ summary, extras, maxAgeHours, livecrawlTimeout, highlights }: Contents) {
  return given({
    // the field alone brings highlights
    summary: summary === true ? {} : summary || undefined,
    highlights: typeof highlights === 'object' ? highlights : undefined,
    extras,
    maxAgeHours,
    livecrawlTimeout,
  });
}

const NO_EFFECT = 'deprecated at Exa';

/** Those of its documents, and older ones that still work. */
const TYPES = [
  ...['auto', 'lite', 'deep', 'fast', 'instant', 'deep-lite', 'deep-reasoning'],
  ...['neural', 'keyword', 'hybrid'],
];
const CATEGORIES = [
  ...['company', 'people', 'publication', 'news', 'personal site', 'financial report'],
  ...['research paper', 'pdf', 'github', 'tweet', 'linkedin profile'],
];

export const exaSearch = searchRoute({
  path: '/search',
  input: z.object({
    query: queryText,
    numResults: rowCount.optional(),
    includeDomains: hostList,
    excludeDomains: hostList,
    startPublishedDate: dayOf.optional(),
    endPublishedDate: dayOf.optional(),
    userLocation: z.string().optional(),
    moderation: z.boolean().optional(),
    contents: z.union([contents, z.literal(false).transform(() => undefined)]).optional(),
  }),
  mapped: {
    query: '`user_input.query`',
    numResults: `\`search.num_results\`, at most ${LIMITS.resultsMax}; 10 when absent`,
    includeDomains: '`search.filters.include_domains`',
    excludeDomains: '`search.filters.exclude_domains`',
    startPublishedDate: '`search.filters.published_after`: its day',
    endPublishedDate: '`search.filters.published_before`: its day',
    userLocation: '`search.filters.country`',
    moderation: '`search.filters.safe_search`: `moderate` or `off`',
    contents:
      '`text` is field `full_content`, `highlights` is `excerpt`, `summary` is `summary`; `extras`, `maxAgeHours`, `livecrawlTimeout` and the queries of `highlights` and `summary` at Exa only; `livecrawl`, `context` and `filterEmptyResults` without effect; `subpages` refused',
  },
  own: {
    type: z.enum(TYPES),
    category: z.enum(CATEGORIES),
    includeText: shortList(z.array(z.string())),
    excludeText: shortList(z.array(z.string())),
  },
  ignored: {
    useAutoprompt: NO_EFFECT,
    startCrawlDate: NO_EFFECT,
    endCrawlDate: NO_EFFECT,
    context: NO_EFFECT,
  },
  refused: {
    outputSchema: UNSUPPORTED,
    systemPrompt: UNSUPPORTED,
    additionalQueries: UNSUPPORTED,
    stream: UNSUPPORTED,
    compliance: UNSUPPORTED,
  },
  names: {
    'user_input.query': 'query',
    'search.num_results': 'numResults',
    'search.filters.include_domains': 'includeDomains',
    'search.filters.exclude_domains': 'excludeDomains',
    'search.filters.published_after': 'startPublishedDate',
    'search.filters.published_before': 'endPublishedDate',
    'search.filters.country': 'userLocation',
  },
  ask: (input, own) => {
    const asked: Contents = input.contents ?? {};
    const ownOptions = ownContents(asked);
    return {
      query: input.query,
      numResults: input.numResults ?? 10,
      fields: [
        'publish_date',
        'source',
        'thumbnail',
        'favicon',
        'usage',
        ...(asked.text ? (['full_content'] as const) : []),
        ...(asked.highlights ? (['excerpt'] as const) : []),
      ],
      ownFields: asked.extras ? ['enrichments'] : [],
      filters: given({
        include_domains: input.includeDomains,
        exclude_domains: input.excludeDomains,
        published_after: input.startPublishedDate,
        published_before: input.endPublishedDate,
        country: input.userLocation,
        safe_search: safeSearchOf(input.moderation),
      } as const),
      own: Object.keys(ownOptions).length > 0 ? { ...own, contents: ownOptions } : own,
    };
  },
  answer: (found, { contents: asked = {} }) => ({
    body: {
      requestId: requestIdOf(found.id),
      results: found.pages.map((page) => resultOf(page, asked)),
      searchTime: found.seconds * 1_000,
      ...costOf(found.costUsd),
    },
  }),
});

function resultOf(page: FoundPage, asked: ContentOptions & Pick<Contents, 'extras'>) {
  const { extras } = object(page.enrichments);
  return {
    id: page.url,
    url: page.url,
    title: page.title,
    author: page.author,
    ...(page.publish_date === null ? {} : { publishedDate: page.publish_date }),
    ...(page.thumbnail === null ? {} : { image: page.thumbnail }),
    ...(page.favicon === null ? {} : { favicon: page.favicon }),
    ...contentsOf(asked, {
      text: page.full_content,
      excerpt: page.excerpt,
      summary: page.summary,
    }),
    ...(asked.extras && extras !== undefined ? { extras } : {}),
  };
}
