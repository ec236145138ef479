/** https://you.com/docs/guides/search */
import type { JsonObject } from '@trawl/contract';
import { z } from 'zod';
import type { FailedAnswer, FailureReading } from '../declaration/call.ts';
import { defineProvider } from '../declaration/declare.ts';
import {
  closedRange,
  type FilterRules,
  inQuery,
  type LanguageCodes,
  languageCode,
  native,
  noSite,
  prefers,
  takes,
  unsupported,
} from '../declaration/filters.ts';
import {
  type Capabilities,
  defineSearch,
  never,
  onCondition,
  rowCapabilities,
  type SearchPlan,
  supplied,
  type Wanted,
} from '../declaration/search.ts';
import { UNKNOWN_USE } from '../declaration/vendor.ts';
import { rowReader } from '../parsed/rows.ts';
import { joinedNames } from '../parsed/table.ts';
import { DAY_MS } from '../values/dates.ts';
import { list, object, objects } from '../values/json.ts';
import type { Rates } from '../values/price.ts';
import {
  joinedTexts,
  limitedText,
  limitedTexts,
  plainText,
  text,
  titleText,
} from '../values/text.ts';
import { youFetch } from './fetch.ts';

const COUNTRIES = new Set(
  'AR AU AT BE BR CA CL DK FI FR DE HK IN ID IT JP KR MY MX NL NZ NO CN PL PT PH RU SA ZA ES SE CH TW TR GB US'.split(
    ' ',
  ),
);

/** As You.com writes them, but in small letters. */
const LANGUAGES: LanguageCodes = {
  codes: new Set(
    'ar eu bn bg ca hr cs da nl en et fi fr gl de el gu he hi hu is it kn ko lv lt ms ml mr nb pl pa ro ru sr sk sl es sv ta te th tr uk vi'.split(
      ' ',
    ),
  ),
  spellings: { ja: 'jp', no: 'nb' },
  variants: {
    pt: { BR: 'pt-br', PT: 'pt-pt' },
    zh: { CN: 'zh-hans', TW: 'zh-hant', HK: 'zh-hant' },
  },
};

const RANGE = native('takes a range of days in freshness', (filters, context) => ({
  freshness: closedRange(filters, context),
}));

/** https://you.com/docs/guides/search/request-controls */
const filters: FilterRules = {
  include_domains: takes('hosts', 'include_domains', 'include_domains'),
  exclude_domains: takes('hosts', 'exclude_domains', 'exclude_domains'),
  published_after: RANGE,
  published_before: RANGE,
  country: prefers(
    'prefers pages of one of 36 countries in country',
    ({ country = '' }) => (COUNTRIES.has(country) ? { country } : null),
    unsupported('takes 36 countries, and this is not one of them'),
  ),
  language: native(
    'takes one of a list of languages in language',
    (filters) => {
      const code = languageCode(LANGUAGES, filters);
      return code === null ? null : { language: code.toUpperCase() };
    },
    unsupported(
      'takes a list of languages without this one; Portuguese and Chinese need a country',
    ),
  ),
  safe_search: takes('off, moderate and strict', 'safe_search', 'safesearch'),
};

/**
 * The form without a key knows fewer: https://you.com/docs, the skill "you-free" of its plugins.
 */
const keylessFilters: FilterRules = {
  ...filters,
  exclude_domains: inQuery('takes the operator -site: without a key', noSite),
};

/** Our options for page text. */
const FULL_PAGE = {
  extraction: { extraction_mode: 'full_page', full_page: { extraction_formats: ['markdown'] } },
  crawl_timeout: 10,
};

/** The ways in which overrides ask for page text: the deprecated option, or a mode. */
const livecrawl = ({ overrides }: Wanted) => text(overrides.livecrawl);
const mode = ({ overrides }: Wanted) => text(object(overrides.extraction).extraction_mode);

/**
 * Page text of web results is billed, so it needs the tier, the option, the name, or an override.
 */
function buysText(wanted: Wanted): boolean {
  const crawled = livecrawl(wanted);
  if (crawled !== null) return crawled !== 'news';
  const asked = mode(wanted);
  return asked === null ? wanted.tier !== 'extended' || wanted.fullContent : asked === 'full_page';
}

/**
 * The vendor refuses our extraction together with `livecrawl`, and its members together with
 * another mode.
 */
function sendsExtraction(wanted: Wanted): boolean {
  return wanted.fields.has('full_content') && livecrawl(wanted) === null && buysText(wanted);
}

const rowsIn = rowReader({
  url: 'url',
  title: 'title',
  full_content: 'contents.markdown',
  date: 'page_age',
  thumbnail: 'thumbnail_url',
  favicon: 'favicon_url',
  author: { at: 'authors', read: joinedNames },
  dropped: ['description', 'snippets', 'contents.highlights'],
  split: ['contents'],
  more: ({ description, snippets: own, contents }) => {
    const snippets = [...limitedTexts(own), ...limitedTexts(object(contents).highlights)];
    return {
      summary: limitedText(description) ?? snippets[0] ?? null,
      excerpt: joinedTexts(snippets, '\n\n'),
    };
  },
});

/** Entries of other types are not answers. Credits name their source without an address. */
function answer(knowledge: unknown) {
  const entries = objects(knowledge).filter(({ type }) => type === 'answer');
  const statements = new Set(entries.flatMap(({ description }) => plainText(description) ?? []));
  const credits = entries.flatMap(({ attribution }) => objects(attribution));
  if (statements.size === 0) return null;
  return {
    text: [...statements].join('\n\n'),
    citations: credits.map(({ name }) => ({ url: null, title: titleText(name) })),
  };
}

/** `web` is absent when nothing was found. An error with status 200 has no rows at all. */
function isAnswer({ results, error }: JsonObject): boolean {
  const { web, news } = object(results);
  if (web !== undefined && web !== null && !Array.isArray(web)) return false;
  return error === undefined || error === null || [...list(web), ...list(news)].length > 0;
}

function price({ count, wanted }: SearchPlan, rates: Rates) {
  const { extraction_source: source } = object(wanted.overrides.extraction);
  const crawls = livecrawl(wanted) !== null || mode(wanted) === 'full_page';
  const isBilled = (crawls || sendsExtraction(wanted)) && source !== 'cache';
  // only pages crawled live are billed, and the answer does not say which were
  const pages = isBilled ? count * (rates.page_text ?? 0) : 0;
  return { usd: (rates.search ?? 0) + pages, kind: pages > 0 ? 'estimated' : 'known' } as const;
}

/** Its allowance is that of a day. What a 402 offers for money is ignored. */
function readKeylessFailure({ status }: FailedAnswer): FailureReading | undefined {
  if (status === 402) {
    return {
      code: 'quota_exhausted',
      retryAfterMs: DAY_MS,
      happened: 'has no allowance without a key left for this address',
      remedy: 'try again tomorrow, or set its API key in the server settings',
    };
  }
  if (status !== 401 && status !== 403) return undefined;
  return {
    code: 'upstream_error',
    happened: 'refused a search without a key, perhaps because of the address of this server',
    remedy: 'set its API key in the server settings, or use another provider',
  };
}

const CAPABILITIES: Capabilities = rowCapabilities({
  excerpt: supplied,
  full_content: onCondition(
    buysText,
    'returns page text only at tier max, when named in fields, or at tier extended with include_full_content',
  ),
  thumbnail: supplied,
  favicon: supplied,
  fetch_meta: never('does not say when or how it read the page'),
  answer: onCondition(
    ({ overrides }) => text(overrides.knowledge) !== null,
    'answers only when knowledge is set through provider_overrides',
  ),
  verticals: supplied,
});

const youSearch = defineSearch({
  description: 'Web and news search with snippets and optional page text.',
  docsUrl: 'https://you.com/docs/guides/search',
  count: { control: 'native', parameter: 'count', max: 20 },
  capabilities: CAPABILITIES,
  filters,
  timeoutMs: 30_000,
  concurrency: 10,
  price,
  request: ({ query, count, wanted }) => ({
    method: 'POST',
    path: '/v1/search',
    body: { query, count, ...(sendsExtraction(wanted) ? FULL_PAGE : {}) },
  }),
  response: z.looseObject({ results: z.looseObject({}) }).refine(isAnswer),
  parse: ({ results }) => {
    const news = list(results.news);
    return {
      rows: rowsIn(results.web),
      answer: answer(results.knowledge),
      verticals: news.length > 0 ? { news } : null,
    };
  },
  // another address, method and path, at which a key is refused
  keyless: {
    allowance: '100 searches a day per address',
    pace: { everyMs: 2_000, inFlight: 1, most: { calls: 90, seconds: 86_400 } },
    baseUrl: 'https://api.you.com',
    request: ({ query, count }) => ({
      method: 'GET',
      path: '/v1/agents/search',
      headers: { 'accept-encoding': 'identity' },
      query: { query, count },
    }),
    capabilities: {
      ...CAPABILITIES,
      full_content: never('returns no page text without a key'),
      answer: never('writes no answers without a key'),
    },
    filters: keylessFilters,
    readFailure: readKeylessFailure,
  },
});

export const you = defineProvider({
  slug: 'you',
  name: 'You.com',
  baseUrl: 'https://ydc-index.io',
  authentication: { in: 'header', name: 'x-api-key' },
  credentialVariables: ['YOU_API_KEY', 'YDC_API_KEY'],
  keyPage: { url: 'https://you.com/platform', free: '100 US dollars for a new account' },
  prices: { asOf: '2026-11-21', usd: { search: 0.005, page_text: 0.001, fetch_page: 0.001 } },
  dataUse: {
    ...UNKNOWN_USE,
    source: 'https://you.com/docs/administration/zero-data-retention',
    checked: '2026-11-23',
    note: 'With zero data retention, an enterprise agreement for the search API, queries are not kept and train no models. Nothing was found for accounts without it.',
  },
  search: youSearch,
  fetch: youFetch,
});
