/** https://docs.valyu.ai/api-reference/endpoint/deepsearch */
import { type JsonObject, type Warning, writeJson } from '@trawl/contract';
import { z } from 'zod';
import type { FailedAnswer, FailureReading } from '../declaration/call.ts';
import { defineProvider } from '../declaration/declare.ts';
import { type FilterRules, native, takes, unsupported } from '../declaration/filters.ts';
import {
  defineSearch,
  never,
  rowCapabilities,
  type SearchPlan,
  supplied,
} from '../declaration/search.ts';
import { UNKNOWN_USE } from '../declaration/vendor.ts';
import { rowReader } from '../parsed/rows.ts';
import { joinedNames, wholeUrl } from '../parsed/table.ts';
import { BING_COUNTRIES } from '../request/countries.ts';
import { finiteNumber, object } from '../values/json.ts';
import type { Rates, ReportedUsage } from '../values/price.ts';
import { limitedText, openingOf, text } from '../values/text.ts';
import { absoluteUrl } from '../values/urls.ts';

const filters: FilterRules = {
  include_domains: takes('hosts', 'include_domains', 'included_sources'),
  exclude_domains: takes('hosts', 'exclude_domains', 'excluded_sources'),
  published_after: takes('a day', 'published_after', 'start_date'),
  published_before: takes('a day', 'published_before', 'end_date'),
  country: native(
    'takes a country in country_code',
    ({ country = '' }) => (BING_COUNTRIES.has(country) ? { country_code: country } : null),
    unsupported('takes a list of countries without this one'),
  ),
  language: unsupported('has no language filter'),
  safe_search: unsupported('has no safe search'),
};

/** A page is a text; a row of a data set may be an object or a list, whose text is its JSON. */
const rowsIn = rowReader({
  url: { at: 'url', read: wholeUrl },
  title: 'title',
  date: ['publication_date', 'date'],
  author: { at: 'authors', read: joinedNames },
  dropped: ['content', 'description', 'image_url'],
  more: ({ content, description, image_url, url }) => {
    const isData = typeof content === 'object' && content !== null;
    const images = Object.values(object(image_url)).flatMap(
      (image) => absoluteUrl(image, url) ?? [],
    );
    return {
      summary: limitedText(description) ?? openingOf(limitedText(content)),
      full_content: isData ? writeJson(content) : text(content),
      thumbnail: images[0] ?? null,
    };
  },
});

/** In US dollars for 1,000 rows: a guard above the price of the web, which is 1.5. */
const WEB_PRICE_MAX = 2;

/** By the rows that come; a search of data sets may cost thirty times as much as one of the web. */
function price(
  { count, wanted }: SearchPlan,
  rates: Rates,
  usage: ReportedUsage | null,
): { readonly usd: number; readonly kind: 'estimated' } {
  const type = text(wanted.overrides.search_type) ?? 'web';
  const isWeb = type === 'web' || type === 'news';
  const rate = (isWeb ? rates.web_result : rates.proprietary_result) ?? 0;
  return { usd: usage?.costUsd ?? count * rate, kind: 'estimated' };
}

function usageOf(body: JsonObject): ReportedUsage | null {
  const costUsd = finiteNumber(body.total_deduction_dollars);
  const characters = finiteNumber(body.total_characters);
  if (costUsd === null && characters === null) return null;
  return { units: characters === null ? {} : { characters }, costUsd };
}

/** A partial success says how many rows were too dear. */
function remarksOf({ error }: JsonObject): readonly Warning[] {
  const said = text(error);
  return said === null ? [] : [{ code: 'upstream_warning', message: `valyu: ${said}` }];
}

/** Failures may come as a 2xx with `success: false`. */
function readFailure({ status, body }: FailedAnswer): FailureReading | undefined {
  const { success, error } = object(body);
  if (success !== false || status >= 300) return undefined;
  const said = text(error) ?? '';
  if (/credit|balance|payment/i.test(said)) return { code: 'quota_exhausted' };
  if (/api key|unauthori[sz]ed/i.test(said)) return { code: 'invalid_credential' };
  if (/rate limit|too many/i.test(said)) return { code: 'rate_limited' };
  return { code: 'upstream_error' };
}

const search = defineSearch({
  description: 'Web search with the text of each page; licensed data sets by overrides.',
  docsUrl: 'https://docs.valyu.ai/api-reference/endpoint/deepsearch',
  count: { control: 'native', parameter: 'max_num_results', max: 20 },
  capabilities: rowCapabilities({
    excerpt: never('returns the text of the page, no passages of it'),
    full_content: supplied,
    thumbnail: supplied,
    fetch_meta: never('does not say when or how it read the page'),
    usage: supplied,
    answer: never('answers only at another endpoint, which is billed apart and not called'),
  }),
  filters,
  queryLimit: { characters: 400 },
  timeoutMs: 30_000,
  concurrency: 8,
  price,
  // without `web` it would mix in licensed rows, which cost up to thirty times as much
  request: ({ query, count, wanted: { overrides } }) => ({
    method: 'POST',
    path: '/search',
    body: {
      query,
      search_type: 'web',
      max_num_results: count,
      is_tool_call: true,
      ...(overrides.search_type === undefined ? { max_price: WEB_PRICE_MAX } : {}),
    },
  }),
  response: z
    .looseObject({ results: z.array(z.unknown()).nullish() })
    .refine(({ success, results }) => success === true || (success !== false && !!results)),
  emptyNamesError: true,
  parse: (body) => ({
    rows: rowsIn(body.results),
    usage: usageOf(body),
    remarks: remarksOf(body),
  }),
  readFailure,
});

export const valyu = defineProvider({
  slug: 'valyu',
  name: 'Valyu',
  baseUrl: 'https://api.valyu.ai/v1',
  authentication: { in: 'header', name: 'x-api-key' },
  credentialVariables: ['VALYU_API_KEY'],
  keyPage: { url: 'https://platform.valyu.ai', free: '10 USD of credit, once' },
  prices: { asOf: '2026-11-26', usd: { web_result: 0.0015, proprietary_result: 0.05 } },
  dataUse: {
    ...UNKNOWN_USE,
    checked: '2026-11-26',
    note: 'Nothing was found: the terms could not be read for this check.',
  },
  search,
});
