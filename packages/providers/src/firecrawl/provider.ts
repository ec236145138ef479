/** https://docs.firecrawl.dev/api-reference/endpoint/search */
import { isJsonObject } from '@trawl/contract';
import { z } from 'zod';
import { defineProvider } from '../declaration/declare.ts';
import { type FilterRules, native, prefers, takes, unsupported } from '../declaration/filters.ts';
import {
  buysFullContent,
  type Capabilities,
  defineSearch,
  never,
  onCondition,
  rowCapabilities,
  type SearchPlan,
  supplied,
} from '../declaration/search.ts';
import { UNKNOWN_USE } from '../declaration/vendor.ts';
import { dayRange } from '../google/codes.ts';
import { rowReader } from '../parsed/rows.ts';
import { dated } from '../values/dates.ts';
import { finiteNumber, object } from '../values/json.ts';
import { type Rates, type ReportedUsage, unitsUsed } from '../values/price.ts';
import { limitedTitle, text } from '../values/text.ts';
import { absoluteUrl } from '../values/urls.ts';
import { firecrawlFetch } from './fetch.ts';
import { KEYLESS_PACE, readKeylessFailure } from './shared.ts';

const RANGE = native('takes a range of days in tbs', (asked) => ({ tbs: dayRange(asked) }));

const filters: FilterRules = {
  include_domains: takes('hosts', 'include_domains', 'includeDomains'),
  exclude_domains: takes('hosts', 'exclude_domains', 'excludeDomains'),
  published_after: RANGE,
  published_before: RANGE,
  country: prefers('prefers results for the country in country', ({ country }) => ({ country })),
  language: unsupported('has no filter for languages'),
  safe_search: native('takes safe, on or off', ({ safe_search }) => ({
    safe: safe_search !== 'off',
  })),
};

/** Metadata may be a text or a list of texts. */
const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value);

const rowsIn = rowReader({
  url: 'url',
  title: 'title',
  summary: ['description', 'snippet'],
  full_content: 'markdown',
  dropped: ['position', 'metadata', 'date', 'imageUrl'],
  more: (row, left) => {
    const metadata = object(row.metadata);
    const language = text(first(metadata.language));
    return {
      date: dated(first(metadata.publishedTime), row.date),
      thumbnail:
        absoluteUrl(first(metadata.ogImage), row.url) ?? absoluteUrl(row.imageUrl, row.url),
      favicon: absoluteUrl(first(metadata.favicon), row.url),
      author: limitedTitle(first(metadata.author)),
      enrichments: language === null ? left : { ...left, language },
    };
  },
});

/** Older releases answer with a plain list. */
const listIn = (data: unknown): unknown => (Array.isArray(data) ? data : object(data).web);

const CAPABILITIES: Capabilities = rowCapabilities({
  full_content: onCondition(
    buysFullContent,
    'returns page text only at tier max, when named in fields, or at tier extended with include_full_content; it costs a credit per row',
  ),
  publish_date: onCondition(buysFullContent, 'dates pages only with their text'),
  thumbnail: onCondition(buysFullContent, 'has images of pages only with their text'),
  favicon: onCondition(buysFullContent, 'has icons of pages only with their text'),
  fetch_meta: never('does not say when or how it read the page'),
  usage: supplied,
  verticals: never('returns news and images only where they are asked for'),
});

const WITHOUT_KEY = 'returns no page text without a key';

const SEARCH_MS = 20_000;
const TEXT_MS = 45_000;

function request({ query, count, wanted }: SearchPlan) {
  const buys = buysFullContent(wanted);
  return {
    method: 'POST',
    path: '/v2/search',
    body: {
      query,
      limit: count,
      sources: [{ type: 'web' }],
      timeout: buys ? TEXT_MS : SEARCH_MS,
      ...(buys ? { scrapeOptions: { formats: ['markdown'] } } : {}),
      origin: 'trawl',
    },
  } as const;
}

/** Credits for each started ten rows. */
const CREDITS_PER_TEN = 2;

function price({ count, wanted }: SearchPlan, rates: Rates, usage: ReportedUsage | null) {
  const listed = CREDITS_PER_TEN * Math.ceil(count / 10) + (buysFullContent(wanted) ? count : 0);
  const credits = finiteNumber(usage?.units.credits) ?? listed;
  return { usd: credits * (rates.search_usd_per_credit ?? 0), kind: 'estimated' } as const;
}

const firecrawlSearch = defineSearch({
  description: 'Web search whose texts fit the query, with the text of pages on request.',
  docsUrl: 'https://docs.firecrawl.dev/api-reference/endpoint/search',
  usesFetchKey: true,
  count: { control: 'native', parameter: 'limit', max: 100 },
  capabilities: CAPABILITIES,
  filters,
  queryLimit: { characters: 500 },
  timeoutMs: 50_000,
  concurrency: 16,
  price,
  request,
  response: z
    .looseObject({ data: z.union([z.looseObject({}), z.array(z.unknown())]) })
    .refine(
      ({ success, data }) => success !== false && (isJsonObject(data) || Array.isArray(data)),
    ),
  parse: ({ data, creditsUsed }) => ({
    rows: rowsIn(listIn(data)),
    usage: unitsUsed('credits', creditsUsed),
  }),
  // https://docs.firecrawl.dev/rate-limits, "keyless"
  keyless: {
    allowance: 'a number of searches a day per IPv4 address, which is not published',
    pace: KEYLESS_PACE,
    capabilities: {
      ...CAPABILITIES,
      full_content: never(WITHOUT_KEY),
      publish_date: never(WITHOUT_KEY),
      thumbnail: never(WITHOUT_KEY),
      favicon: never(WITHOUT_KEY),
    },
    request: ({ query, count }) => ({
      method: 'POST',
      path: '/v2/search',
      body: {
        query,
        limit: count,
        sources: [{ type: 'web' }],
        timeout: SEARCH_MS,
        origin: 'trawl',
      },
    }),
    readFailure: readKeylessFailure,
  },
});

export const firecrawl = defineProvider({
  slug: 'firecrawl',
  name: 'Firecrawl',
  baseUrl: 'https://api.firecrawl.dev',
  authentication: { in: 'header', name: 'authorization', prefix: 'Bearer ' },
  credentialVariables: ['FIRECRAWL_API_KEY'],
  keyPage: { url: 'https://www.firecrawl.dev/app/api-keys', free: '1,000 credits a month' },
  prices: {
    asOf: '2026-11-26',
    usd: { search_usd_per_credit: 0.001, fetch_usd_per_credit: 0.001 },
  },
  dataUse: {
    ...UNKNOWN_USE,
    source: 'https://docs.firecrawl.dev/security',
    checked: '2026-11-23',
    note: 'Zero retention of page contents is part of enterprise plans. What is read of the page does not mention training.',
  },
  search: firecrawlSearch,
  fetch: firecrawlFetch,
});
