/** https://docs.tavily.com/documentation/api-reference/endpoint/search */
import type { JsonObject } from '@trawl/contract';
import { z } from 'zod';
import { refusesParameter } from '../declaration/call.ts';
import { defineProvider } from '../declaration/declare.ts';
import {
  type FilterContext,
  type FilterRules,
  native,
  prefers,
  takes,
  unsupported,
} from '../declaration/filters.ts';
import {
  defineSearch,
  never,
  rowCapabilities,
  type SearchPlan,
  supplied,
  type Wanted,
} from '../declaration/search.ts';
import { rowReader } from '../parsed/rows.ts';
import { finiteNumber, list } from '../values/json.ts';
import type { Rates, ReportedUsage } from '../values/price.ts';
import { text } from '../values/text.ts';
import { absoluteUrl } from '../values/urls.ts';
import countries from './countries.json' with { type: 'json' };
import { tavilyFetch } from './fetch.ts';
import {
  KEYLESS_HEADERS,
  KEYLESS_PACE,
  readKeylessFailure,
  readTavilyFailure,
  tavilyImageUrl,
  tavilyUsage,
} from './shared.ts';

/**
 * The 166 English names that Tavily's OpenAPI document lists for `country`, by their ISO 3166
 * codes.
 */
const COUNTRIES: Readonly<Record<string, string>> = countries;

const FAST_DEPTHS: ReadonlySet<unknown> = new Set(['fast', 'ultra-fast']);

/** Without it, rows of web pages have no date that could be checked. An override decides itself. */
const dated = ({ overrides }: FilterContext): JsonObject =>
  'include_published_date' in overrides ? {} : { include_published_date: true };

const filters: FilterRules = {
  include_domains: takes('up to 300 hosts', 'include_domains', 'include_domains'),
  exclude_domains: takes('up to 150 hosts', 'exclude_domains', 'exclude_domains'),
  published_after: native('takes a day in start_date', ({ published_after }, context) => ({
    start_date: published_after,
    ...dated(context),
  })),
  published_before: native('takes a day in end_date', ({ published_before }, context) => ({
    end_date: published_before,
    ...dated(context),
  })),
  country: prefers(
    'prefers pages of the country that is named in country, for topic general',
    ({ country = '' }, { overrides }) => {
      const name = COUNTRIES[country];
      const isGeneral = (overrides.topic ?? 'general') === 'general';
      return name !== undefined && isGeneral ? { country: name } : null;
    },
    unsupported(
      'takes a list of countries without this one, and none for topics other than general',
    ),
  ),
  language: native('takes a language in language, with filter_by_language', ({ language }) => ({
    language,
    filter_by_language: true,
  })),
  safe_search: native(
    'takes safe_search, on or off, in enterprise plans',
    ({ safe_search }, { overrides }) =>
      FAST_DEPTHS.has(overrides.search_depth) ? null : { safe_search: safe_search !== 'off' },
    unsupported('has no safe search where provider_overrides set a fast search_depth'),
  ),
};

const rowsIn = rowReader({
  url: 'url',
  title: 'title',
  summary: 'content',
  full_content: 'raw_content',
  date: 'published_date',
  favicon: 'favicon',
  // images stay in enrichments: the thumbnail takes only the address of the first one
  more: ({ url, images }) => {
    const addresses = list(images).flatMap(
      (image) => absoluteUrl(tavilyImageUrl(image), url) ?? [],
    );
    return { thumbnail: addresses[0] ?? null };
  },
});

function answer(reported: unknown) {
  const written = text(reported);
  return written === null ? null : { text: written, citations: [] };
}

function verticals(reported: unknown): JsonObject | null {
  const images = list(reported);
  return images.length > 0 ? { images } : null;
}

/** It may then choose a depth that costs two credits. */
const choosesDepth = ({ overrides }: Wanted): boolean => overrides.auto_parameters === true;

function price({ wanted }: SearchPlan, rates: Rates, usage: ReportedUsage | null) {
  const depth = text(wanted.overrides.search_depth) ?? 'basic';
  const credits = finiteNumber(usage?.units.credits);
  const listed = rates[`search_${depth}`] ?? rates.search ?? 0;
  return {
    usd: credits === null ? listed : credits * (rates.search ?? 0),
    kind: choosesDepth(wanted) ? 'estimated' : 'known',
  } as const;
}

const request = ({ query, count, wanted }: SearchPlan) =>
  ({
    method: 'POST',
    path: '/search',
    body: {
      query,
      search_depth: 'basic',
      max_results: count,
      ...(wanted.fields.has('full_content') ? { include_raw_content: 'markdown' } : {}),
      ...(wanted.fields.has('usage') || choosesDepth(wanted) ? { include_usage: true } : {}),
      ...(wanted.fields.has('publish_date') ? { include_published_date: true } : {}),
      ...(wanted.fields.has('thumbnail') || wanted.fields.has('verticals')
        ? { include_images: true }
        : {}),
      ...(wanted.fields.has('favicon') ? { include_favicon: true } : {}),
      ...(wanted.fields.has('answer') ? { include_answer: true } : {}),
    },
  }) as const;

const tavilySearch = defineSearch({
  description: 'Web search for agents with page text, images and a written answer.',
  docsUrl: 'https://docs.tavily.com/documentation/api-reference/endpoint/search',
  count: { control: 'native', parameter: 'max_results', max: 20 },
  capabilities: rowCapabilities({
    full_content: supplied,
    thumbnail: supplied,
    favicon: supplied,
    fetch_meta: never('does not say when or how it read the page'),
    usage: supplied,
    answer: supplied,
    verticals: supplied,
  }),
  filters,
  queryLimit: { characters: 400 },
  timeoutMs: 30_000,
  concurrency: 32,
  price,
  // no option costs a credit; each is left out where no active field needs it
  request,
  optionalParts: [
    {
      in: 'body',
      name: 'include_published_date',
      isRefused: refusesParameter('include_published_date'),
      gap: {
        field: 'publish_date',
        reason: 'refuses include_published_date and may return dates for topic news only',
      },
    },
    {
      in: 'body',
      name: 'safe_search',
      isRefused: refusesParameter('safe_search'),
      filter: { name: 'safe_search', reason: 'refuses safe_search on the plan of this key' },
    },
  ],
  response: z.looseObject({ results: z.array(z.unknown()) }),
  parse: (body) => ({
    rows: rowsIn(body.results),
    usage: tavilyUsage(body.usage),
    answer: answer(body.answer),
    verticals: verticals(body.images),
  }),
  readFailure: readTavilyFailure,
  // https://docs.tavily.com/documentation/keyless
  keyless: {
    allowance: 'light use, whose limit is not published',
    pace: KEYLESS_PACE,
    request: (plan) => ({ ...request(plan), headers: KEYLESS_HEADERS }),
    readFailure: readKeylessFailure,
  },
});

export const tavily = defineProvider({
  slug: 'tavily',
  name: 'Tavily',
  baseUrl: 'https://api.tavily.com',
  authentication: { in: 'header', name: 'authorization', prefix: 'Bearer ' },
  credentialVariables: ['TAVILY_API_KEY'],
  keyPage: { url: 'https://app.tavily.com', free: '1,000 credits a month' },
  prices: {
    asOf: '2026-11-21',
    usd: { search: 0.008, search_advanced: 0.016, fetch_page: 0.0016 },
  },
  dataUse: {
    training: 'opt_out',
    retention: 'unknown',
    region: 'unknown',
    source:
      'https://help.tavily.com/articles/4205958832-understanding-the-allow-use-of-query-data-setting',
    checked: '2026-11-23',
    note: 'As public reviews of 2026 read the terms: inputs and outputs may train models of some functions, and the account setting "Allow Use of Query Data" switches storage and use of queries off. The page itself could not be read for this check.',
  },
  search: tavilySearch,
  fetch: tavilyFetch,
});
