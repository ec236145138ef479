/** https://jina.ai/reader, and https://github.com/jina-ai/reader for the parameters */
import type { JsonObject } from '@trawl/contract';
import { z } from 'zod';
import type { FailedAnswer, OptionalPart } from '../declaration/call.ts';
import { defineProvider } from '../declaration/declare.ts';
import { checked, type FilterRules, prefers, takes, unsupported } from '../declaration/filters.ts';
import {
  buysFullContent,
  defineSearch,
  never,
  onCondition,
  rowCapabilities,
  type SearchPlan,
  supplied,
} from '../declaration/search.ts';
import { UNKNOWN_USE } from '../declaration/vendor.ts';
import { googleInterface } from '../google/codes.ts';
import { NO_SITES_IN_QUERY, PREFERRED_COUNTRY } from '../google/filters.ts';
import { leftWithoutImages } from '../google/page.ts';
import { rowReader } from '../parsed/rows.ts';
import { wholeUrl } from '../parsed/table.ts';
import { finiteNumber, object } from '../values/json.ts';
import { type Rates, type ReportedUsage, unitsUsed } from '../values/price.ts';
import { text } from '../values/text.ts';
import { jinaFetch } from './fetch.ts';

/** It refuses a call with another one; those of more than two letters are left out. */
const LANGUAGES = new Set(
  'af ak am ar az be bg bn br bs ca co cs cy da de ee el en eo es et eu fa fi fo fr fy ga gd gl gn gu ha hi hr ht hu hy ia id ig is it iw ja jw ka kg kk km kn ko ku ky la lg ln lo lt lv mg mi mk ml mn mr ms mt ne nl nn no ny oc om or pa pl ps pt qu rm rn ro ru rw sd si sk sl sn so sq sr st su sv sw ta te tg th ti tk tl tn to tr tt tw ug uk ur uz vi wo xh yi yo zh-cn zh-tw zu'.split(
    ' ',
  ),
);

const DATES = checked('has no filter for dates; it returns the date of some rows');

const filters: FilterRules = {
  include_domains: takes('hosts', 'include_domains', 'site'),
  exclude_domains: NO_SITES_IN_QUERY,
  published_after: DATES,
  published_before: DATES,
  country: PREFERRED_COUNTRY,
  language: prefers(
    'prefers pages in one of a list of languages, hl',
    (asked) => {
      const language = googleInterface(asked);
      const hl = language === 'jv' ? 'jw' : language;
      return LANGUAGES.has(hl) ? { hl } : null;
    },
    unsupported('takes a list of languages without this one'),
  ),
  safe_search: unsupported('documents no safe search'),
};

const rowsIn = rowReader({
  url: 'url',
  title: 'title',
  summary: 'description',
  full_content: 'content',
  date: ['publishedTime', 'date'],
  thumbnail: { at: 'imageUrl', read: wholeUrl },
  more: leftWithoutImages,
});

/** Tokens that it charges for each started ten rows at least. */
const TOKENS_PER_TEN = 10_000;
/** Tokens of a long page: the estimate for a row with its text. */
const TOKENS_OF_PAGE = 10_000;
/** Most tokens of one search. */
const TOKENS_MAX = 2_000_000;

/** What other kinds of rows and other engines cost; the factors do not multiply. */
function factorOf({ type, provider, engine }: JsonObject): number {
  if (type === 'news' || type === 'images') return 5;
  return (provider ?? engine) === 'bing' ? 3 : 1;
}

function price(
  { count, wanted }: SearchPlan,
  rates: Rates,
  usage: ReportedUsage | null,
): { readonly usd: number; readonly kind: 'estimated' } {
  const listed = buysFullContent(wanted)
    ? TOKENS_OF_PAGE * count
    : TOKENS_PER_TEN * Math.ceil(count / 10);
  const planned = Math.min(TOKENS_MAX, listed * factorOf(wanted.overrides));
  const tokens = finiteNumber(usage?.units.tokens) ?? planned;
  return { usd: (tokens / 1e6) * (rates.search_million_tokens ?? 0), kind: 'estimated' };
}

const is422 =
  (words: RegExp) =>
  ({ status, body }: FailedAnswer): boolean =>
    status === 422 && words.test(text(object(body).message) ?? '');

const foundNothing = is422(/No search results/i);

/** Where it could read no page, it has rows all the same, but sends none. */
const UNREAD: OptionalPart = {
  in: 'headers',
  name: 'x-respond-with',
  instead: 'no-content',
  isOfCall: true,
  isRefused: is422(/No content available/i),
  gap: {
    field: 'full_content',
    reason: 'could not read any of the pages, so it was asked again without their text',
  },
};

const TEXT_MS = 40_000;

const jinaSearch = defineSearch({
  description: 'Results of Google, with the text of pages on request.',
  docsUrl: 'https://jina.ai/reader',
  baseUrl: 'https://s.jina.ai',
  baseUrlVariable: 'JINA_SEARCH_BASE_URL',
  // its reader serves callers without a key, its search does not
  authentication: { in: 'header', name: 'authorization', prefix: 'Bearer ' },
  usesFetchKey: true,
  count: { control: 'native', parameter: 'num', max: 20 },
  capabilities: rowCapabilities({
    full_content: onCondition(
      buysFullContent,
      'returns page text only at tier max, when named in fields, or at tier extended with include_full_content; it is charged by its tokens',
    ),
    thumbnail: supplied,
    favicon: never('has favicons as images inside the answer, which are not asked for'),
    fetch_meta: never('does not say when or how it read the page'),
    usage: supplied,
    verticals: never('returns news and images only instead of web rows'),
  }),
  filters,
  timeoutMs: 15_000,
  slowTimeoutMs: (wanted) => (buysFullContent(wanted) ? TEXT_MS : null),
  concurrency: 8,
  price,
  request: ({ query, count, wanted }) => ({
    method: 'POST',
    path: '/',
    headers: {
      // with another type in the list the answer is text
      accept: 'application/json',
      ...(buysFullContent(wanted) ? {} : { 'x-respond-with': 'no-content' }),
    },
    body: { q: query, num: count },
  }),
  response: z.looseObject({ data: z.array(z.unknown()) }),
  readFailedAnswer: (answer) => (foundNothing(answer) ? { data: [] } : undefined),
  optionalParts: [UNREAD],
  parse: ({ data, meta }) => ({
    rows: rowsIn(data),
    usage: unitsUsed('tokens', object(object(meta).usage).tokens),
  }),
});

export const jina = defineProvider({
  slug: 'jina',
  name: 'Jina',
  baseUrl: 'https://r.jina.ai',
  authentication: { in: 'header', name: 'authorization', prefix: 'Bearer ', optional: true },
  credentialVariables: ['JINA_API_KEY'],
  keyPage: {
    url: 'https://jina.ai/api-dashboard',
    free: 'ten million tokens, for non-commercial use',
  },
  prices: { asOf: '2026-11-26', usd: { search_million_tokens: 0.05, fetch_million_tokens: 0.05 } },
  dataUse: {
    ...UNKNOWN_USE,
    source: 'https://jina.ai/legal/',
    checked: '2026-11-23',
    note: 'Only the beginning of the terms could be read; it says nothing about training. Queries are passed on to search engines through third parties.',
  },
  search: jinaSearch,
  fetch: jinaFetch,
});
