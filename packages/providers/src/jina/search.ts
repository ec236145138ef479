/** https://jina.ai/reader, and https://github.com/jina-ai/reader for the parameters */
import type { JsonObject } from '@trawl/contract';
import { z } from 'zod';
import type { FailedAnswer } from '../declaration/call.ts';
import { checked, type FilterRules, native, unsupported } from '../declaration/filters.ts';
import {
  buysFullContent,
  defineSearch,
  never,
  onCondition,
  type SearchPlan,
  supplied,
} from '../declaration/search.ts';
import { readRows } from '../parsed/search.ts';
import {
  NO_SITES_IN_QUERY,
  PREFERRED_COUNTRY,
  PREFERRED_LANGUAGE,
} from '../request/google-filters.ts';
import { dated } from '../values/dates.ts';
import { finiteNumber, object } from '../values/json.ts';
import { leftOver, withoutImages } from '../values/left-over.ts';
import type { Rates, ReportedUsage } from '../values/price.ts';
import { limitedText, limitedTitle, text } from '../values/text.ts';
import { absoluteUrl } from '../values/urls.ts';

const CONSUMED = new Set([
  ...['title', 'url', 'description', 'content', 'date', 'publishedTime', 'imageUrl'],
]);

const DATES = checked('has no filter for dates; it returns the date of some rows');

const filters: FilterRules = {
  include_domains: native('takes hosts in site', ({ include_domains }) => ({
    site: include_domains,
  })),
  exclude_domains: NO_SITES_IN_QUERY,
  published_after: DATES,
  published_before: DATES,
  country: PREFERRED_COUNTRY,
  language: PREFERRED_LANGUAGE,
  safe_search: unsupported('documents no safe search'),
};

function readRow(row: JsonObject) {
  return {
    url: text(row.url),
    title: limitedTitle(row.title),
    summary: limitedText(row.description),
    full_content: text(row.content),
    ...dated(row.publishedTime, row.date),
    thumbnail: absoluteUrl(row.imageUrl, undefined),
    enrichments: object(withoutImages(leftOver(row, CONSUMED, 'date'))),
  };
}

/** Tokens that it charges for each started ten rows at least. */
const TOKENS_PER_TEN = 10_000;
/** Tokens of a long page: the estimate for a row with its text. */
const TOKENS_OF_PAGE = 10_000;
/** What other kinds of rows and other engines cost. */
const FACTORS: Readonly<Record<string, number>> = { news: 5, images: 5, bing: 3 };

function price(
  { count, wanted }: SearchPlan,
  rates: Rates,
  usage: ReportedUsage | null,
): { readonly usd: number; readonly kind: 'estimated' } {
  const { type, provider, engine } = wanted.overrides;
  const factor = [type, provider ?? engine].reduce<number>(
    (product, name) => product * (FACTORS[String(name)] ?? 1),
    1,
  );
  const listed = buysFullContent(wanted)
    ? TOKENS_OF_PAGE * count
    : TOKENS_PER_TEN * Math.ceil(count / 10);
  const tokens = finiteNumber(usage?.units.tokens) ?? listed * factor;
  return { usd: (tokens / 1e6) * (rates.search_million_tokens ?? 0), kind: 'estimated' };
}

/** Nothing found is a 422. */
const readFailedAnswer = ({ status, body }: FailedAnswer): unknown =>
  status === 422 && /No search results/i.test(text(object(body).message) ?? '')
    ? { data: [] }
    : undefined;

const TEXT_MS = 40_000;

export const jinaSearch = defineSearch({
  description: 'Results of Google, with the text of pages on request.',
  docsUrl: 'https://jina.ai/reader',
  baseUrl: 'https://s.jina.ai',
  baseUrlVariable: 'JINA_SEARCH_BASE_URL',
  // its reader serves callers without a key, its search does not
  authentication: { in: 'header', name: 'authorization', prefix: 'Bearer ' },
  usesFetchKey: true,
  autoRoutable: true,
  count: { control: 'native', parameter: 'num', max: 20 },
  capabilities: {
    url: supplied,
    title: supplied,
    rank: supplied,
    summary: supplied,
    excerpt: never('returns one text per result, which is the summary'),
    full_content: onCondition(
      buysFullContent,
      'returns page text only at tier max, when named in fields, or at tier extended with include_full_content; it is charged by its tokens',
    ),
    publish_date: supplied,
    thumbnail: supplied,
    favicon: never('has favicons as images inside the answer, which are not asked for'),
    source: supplied,
    enrichments: supplied,
    fetch_meta: never('does not say when or how it read the page'),
    usage: supplied,
    answer: never('writes no answers'),
    entities: never('returns no entities'),
    related: never('returns no related searches'),
    verticals: never('returns news and images only instead of web rows'),
  },
  filters,
  queryLimit: {},
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
  readFailedAnswer,
  parse: ({ data, meta }) => {
    const tokens = finiteNumber(object(object(meta).usage).tokens);
    return {
      rows: readRows(data, readRow),
      usage: tokens === null ? null : { units: { tokens }, costUsd: null },
    };
  },
});
