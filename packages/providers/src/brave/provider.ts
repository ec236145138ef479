/** https://api-dashboard.search.brave.com/app/documentation/web-search/get-started */
import { isJsonObject, type JsonObject } from '@trawl/contract';
import { z } from 'zod';
import { type FailedAnswer, type FailureReading, refusesParameter } from '../declaration/call.ts';
import { defineProvider } from '../declaration/declare.ts';
import {
  anySite,
  checked,
  closedRange,
  type FilterContext,
  type FilterRule,
  type FilterRules,
  type Filters,
  inQuery,
  type LanguageCodes,
  languageCode,
  memberAt,
  native,
  noSite,
  unsupported,
} from '../declaration/filters.ts';
import {
  defineSearch,
  never,
  onCondition,
  rowCapabilities,
  supplied,
  type Wanted,
} from '../declaration/search.ts';
import { fetchedAt, rowReader } from '../parsed/rows.ts';
import { joinedPassages } from '../parsed/table.ts';
import { BING_COUNTRIES } from '../request/countries.ts';
import { isoFromUnix } from '../values/dates.ts';
import { finiteNumber, list, object, objects } from '../values/json.ts';
import { joinedTexts, limitedTitle, plainText, text, titleText } from '../values/text.ts';
import { absoluteUrl } from '../values/urls.ts';
import { contextRequest, contextRows, isContext, withoutMode } from './context.ts';

const LANGUAGES: LanguageCodes = {
  codes: new Set(
    'ar eu bn bg ca hr cs da nl en et fi fr gl de gu he hi hu is it kn ko lv lt ms ml mr nb pl pa ro ru sr sk sl es sv ta te th tr uk vi'.split(
      ' ',
    ),
  ),
  spellings: { ja: 'jp', no: 'nb' },
  variants: {
    pt: { BR: 'pt-br', PT: 'pt-pt' },
    zh: { CN: 'zh-hans', TW: 'zh-hant', HK: 'zh-hant' },
  },
};

/** Its other mode documents no operators in the query: hosts go into a goggle there. */
const unlessContext =
  (operators: (filters: Filters) => string | null) =>
  (filters: Filters, { overrides }: FilterContext): string | null =>
    isContext(overrides) ? null : operators(filters);

const RANGE = native('takes a range of days in freshness', (filters, context) => ({
  freshness: closedRange(filters, context),
}));

const GOGGLE_CHARACTERS_MAX = 2_000;

/**
 * Hosts as an inline goggle
 * (https://api-dashboard.search.brave.com/documentation/resources/goggles), which leaves the query
 * as it is. It ranks a part of the index only, so operators come first. Whether `site=` includes
 * subdomains is UNCONFIRMED, and so is the longest goggle: a longer one could be refused with the
 * address that it is in.
 */
const inGoggle = (name: 'include_domains' | 'exclude_domains'): FilterRule => ({
  kind: 'native',
  reason: 'takes more hosts in an inline goggle',
  parameters: ({ [name]: hosts = [] }, { overrides }) => {
    const isAllowed = name === 'include_domains';
    const lines = hosts.map((host) => `${isAllowed ? '$site=' : '$discard,site='}${host}`);
    const goggles = [...(isAllowed ? ['$discard'] : []), ...lines].join('\n');
    const isOwn = overrides.goggles !== undefined || overrides.goggles_id !== undefined;
    return isOwn || goggles.length > GOGGLE_CHARACTERS_MAX ? null : { goggles };
  },
  otherwise: checked('has no room for so many hosts'),
});

/**
 * https://api-dashboard.search.brave.com/documentation/resources/search-operators and the
 * parameters of the search page.
 */
const filters: FilterRules = {
  include_domains: inQuery(
    'documents the operator site:',
    unlessContext(anySite),
    inGoggle('include_domains'),
  ),
  exclude_domains: inQuery(
    'documents the operator site: and its exclusion',
    unlessContext(noSite),
    inGoggle('exclude_domains'),
  ),
  published_after: RANGE,
  published_before: RANGE,
  country: native(
    'takes one of 36 countries in country',
    ({ country = '' }) => (BING_COUNTRIES.has(country) ? { country } : null),
    inQuery(
      'documents the operator loc: for other countries',
      unlessContext(({ country }) => `loc:${country?.toLowerCase()}`),
      unsupported('takes 36 countries, and the operator loc: does not fit into the query'),
    ),
  ),
  language: native(
    'takes one of a list of languages in search_lang',
    (filters) => {
      const code = languageCode(LANGUAGES, filters);
      return code === null ? null : memberAt('search_lang', code);
    },
    inQuery(
      'documents the operator lang: for other languages, and for Portuguese and Chinese without a country',
      unlessContext(({ language }) => `lang:${language}`),
      unsupported('takes a list of languages, and the operator lang: does not fit into the query'),
    ),
  ),
  safe_search: native(
    'takes off, moderate and strict in safesearch',
    ({ safe_search }, { overrides }) => (isContext(overrides) ? null : { safesearch: safe_search }),
    unsupported('has no safe search in its mode llm_context'),
  ),
};

const VERTICALS = ['news', 'videos', 'discussions', 'faq', 'locations'];

const rowsIn = rowReader({
  url: 'url',
  title: 'title',
  summary: 'description',
  excerpt: { at: 'extra_snippets', read: joinedPassages },
  date: ['page_age', 'article.date'],
  favicon: 'meta_url.favicon',
  dropped: ['page_fetched', 'fetched_content_timestamp'],
  more: (row, left) => {
    const { logo, original, src } = object(row.thumbnail);
    const { thumbnail: _, ...others } = left;
    const authors = objects(object(row.article).author).flatMap(
      ({ name }) => limitedTitle(name) ?? [],
    );
    // a logo shows the site, not the page, so it stays in enrichments
    const isLogo = logo === true;
    return {
      thumbnail: isLogo ? null : absoluteUrl(text(original) ?? src, row.url),
      author: joinedTexts(authors, ', '),
      fetch_meta: fetchedAt(isoFromUnix(row.fetched_content_timestamp) ?? row.page_fetched),
      enrichments: isLogo ? left : others,
    };
  },
});

/**
 * `web` is absent when nothing was found; then `type` shows that this is an answer. The vendor's
 * news and video answers have their rows at the top.
 */
function isAnswer({ type, web, results, grounding }: JsonObject): boolean {
  if (isJsonObject(grounding)) return grounding.generic == null || Array.isArray(grounding.generic);
  if (web !== undefined && web !== null && !isJsonObject(web)) return false;
  const rows = web?.results;
  if (rows !== undefined && rows !== null) return Array.isArray(rows);
  return Array.isArray(results) || type === 'search';
}

/** An infobox list, or a single infobox as in the older types. */
function entities(infobox: unknown) {
  const { results } = object(infobox);
  return objects(Array.isArray(results) ? results : [results]).flatMap((item) => {
    const name = titleText(item.title);
    if (name === null) return [];
    return {
      name,
      type: titleText(item.label) ?? text(item.subtype),
      description: plainText(item.description) ?? plainText(item.long_desc),
      url: absoluteUrl(item.website_url, item.url) ?? absoluteUrl(item.url, undefined),
    };
  });
}

function verticals(body: JsonObject): JsonObject | null {
  const blocks = VERTICALS.flatMap((name) => {
    const rows = list(object(body[name]).results);
    return rows.length > 0 ? [[name, rows]] : [];
  });
  return blocks.length > 0 ? Object.fromEntries(blocks) : null;
}

/** Brave answers a bad key with 422, and a used-up month with 429 like any other limit. */
function readFailure({ status, body, headers }: FailedAnswer): FailureReading | undefined {
  const error = object(object(body).error);
  const meta = object(error.meta);
  const namesKey = objects(meta.errors).some(({ loc }) =>
    list(loc).includes('x-subscription-token'),
  );
  if (error.code === 'SUBSCRIPTION_TOKEN_INVALID' || namesKey)
    return { code: 'invalid_credential' };
  if (status !== 429) return undefined;
  const perWindow = (name: string) => (headers[name] ?? '').split(',').map((part) => part.trim());
  const [secondLeft, monthLeft] = perWindow('x-ratelimit-remaining');
  const [, monthLimit] = perWindow('x-ratelimit-limit');
  const limit = finiteNumber(meta.quota_limit);
  const used = finiteNumber(meta.quota_current);
  const quotaUsedUp = limit !== null && used !== null && limit > 0 && used >= limit;
  // a plan without a monthly cap counts 0 of 0, which is not a used-up quota
  const monthUsedUp = monthLeft === '0' && monthLimit !== '0';
  if (quotaUsedUp || monthUsedUp) return { code: 'quota_exhausted' };
  const resetSeconds = Number(perWindow('x-ratelimit-reset')[0] || Number.NaN);
  const isKnown = secondLeft === '0' && Number.isFinite(resetSeconds);
  return { code: 'rate_limited', ...(isKnown ? { retryAfterMs: resetSeconds * 1000 } : {}) };
}

const isWeb = ({ overrides }: Wanted): boolean => !isContext(overrides);

const search = defineSearch({
  description: 'Independent keyword index of the web with news, video, FAQ and discussion blocks.',
  docsUrl: 'https://api-dashboard.search.brave.com/app/documentation/web-search/get-started',
  count: { control: 'native', parameter: 'count', max: 20 },
  capabilities: rowCapabilities({
    excerpt: supplied,
    thumbnail: supplied,
    favicon: supplied,
    fetch_meta: onCondition(isWeb, 'does not say when it read a page in its mode llm_context'),
    answer: never('returns no answer with its results'),
    entities: onCondition(isWeb, 'returns passages only in its mode llm_context'),
    related: never('returns no related searches; its FAQ is in verticals'),
    verticals: onCondition(isWeb, 'returns passages only in its mode llm_context'),
  }),
  filters,
  rowDates: 'discovery',
  queryLimit: { characters: 400, words: 50 },
  timeoutMs: 10_000,
  concurrency: 32,
  request: (plan) => {
    const { query, count, wanted } = plan;
    if (!isWeb(wanted)) return contextRequest(plan);
    const { fields } = wanted;
    const wantsBlocks = fields.has('entities') || fields.has('related') || fields.has('verticals');
    return {
      method: 'GET',
      path: '/res/v1/web/search',
      query: {
        q: query,
        count,
        text_decorations: false,
        ...(wantsBlocks ? {} : { result_filter: 'web' }),
        ...(fields.has('excerpt') ? { extra_snippets: true } : {}),
        ...(fields.has('fetch_meta') ? { include_fetch_metadata: true } : {}),
      },
    };
  },
  place: withoutMode,
  optionalParts: [
    {
      in: 'query',
      name: 'enable_source_metadata',
      isRefused: refusesParameter('enable_source_metadata'),
      gap: { field: 'favicon', reason: 'refuses enable_source_metadata, and has no icons without' },
    },
    {
      in: 'query',
      name: 'extra_snippets',
      isRefused: ({ body }) => object(object(body).error).code === 'OPTION_NOT_IN_PLAN',
      gap: { field: 'excerpt', reason: 'returns no extra snippets on the plan of this key' },
    },
  ],
  repeatedParameters: ['goggles'],
  response: z.looseObject({}).refine(isAnswer),
  parse: (body) => ({
    rows: contextRows(body) ?? rowsIn(object(body.web).results ?? body.results),
    entities: entities(body.infobox),
    verticals: verticals(body),
  }),
  readFailure,
});

export const brave = defineProvider({
  slug: 'brave',
  name: 'Brave Search',
  baseUrl: 'https://api.search.brave.com',
  authentication: { in: 'header', name: 'x-subscription-token' },
  credentialVariables: ['BRAVE_API_KEY'],
  keyPage: { url: 'https://api-dashboard.search.brave.com/app/keys' },
  prices: { asOf: '2026-11-21', usd: { search: 0.005 } },
  dataUse: {
    training: 'unknown',
    retention: 'queries up to 90 days, for billing and troubleshooting',
    region: 'unknown',
    source: 'https://api-dashboard.search.brave.com/privacy-policy',
    checked: '2026-11-23',
    note: 'The notice of August 2025 names billing and troubleshooting as the uses of queries, and does not mention training. The company is in the USA. Enterprise agreements offer zero retention.',
  },
  search,
});
