/** https://help.kagi.com/kagi/api/search.html */
import { type Entity, isJsonObject, type JsonObject } from '@trawl/contract';
import { z } from 'zod';
import type { FailedAnswer, FailureReading, OptionalPart } from '../declaration/call.ts';
import { defineProvider } from '../declaration/declare.ts';
import { type FilterRules, native, takes, unsupported } from '../declaration/filters.ts';
import {
  buysFullContent,
  defineSearch,
  onCondition,
  rowCapabilities,
  type SearchPlan,
  supplied,
} from '../declaration/search.ts';
import { UNKNOWN_USE } from '../declaration/vendor.ts';
import { namedBlocks, textsAt } from '../parsed/blocks.ts';
import { rowReader } from '../parsed/rows.ts';
import { list, object, objects } from '../values/json.ts';
import type { Rates } from '../values/price.ts';
import { limitedText, openingOf, plainText, text, titleText } from '../values/text.ts';
import { absoluteUrl } from '../values/urls.ts';

/** The vendor's buckets other than the web results, and our names for them. */
const VERTICALS: Readonly<Record<string, string>> = {
  news: 'news',
  interesting_news: 'news',
  video: 'videos',
  image: 'images',
  podcast: 'podcasts',
  adjacent_question: 'faq',
  interesting_finds: 'interesting_finds',
  web_archive: 'web_archive',
  code: 'code',
};

const filters: FilterRules = {
  include_domains: takes('hosts', 'include_domains', 'lens.sites_included'),
  exclude_domains: takes('hosts', 'exclude_domains', 'lens.sites_excluded'),
  published_after: takes('a day', 'published_after', 'filters.after'),
  published_before: takes('a day', 'published_before', 'filters.before'),
  country: takes('a country', 'country', 'filters.region'),
  language: unsupported('has no language filter'),
  safe_search: native('takes safe_search, on or off', ({ safe_search }) => ({
    safe_search: safe_search !== 'off',
  })),
};

/** Its older form has images at addresses of its own, without a host. */
const HOST = 'https://kagi.com/';

/** Pages of a search that it reads at most. */
const PAGES_MAX = 10;

/**
 * The text of a page comes in the place of the snippet. A page that could not be read keeps its
 * snippet, which is one line.
 */
const rowsIn = rowReader({
  url: 'url',
  title: 'title',
  date: ['time', 'published'],
  dropped: ['t', 'snippet', 'image', 'thumbnail'],
  more: (row, _left, bought: ReadonlySet<unknown>) => {
    const whole = bought.has(row) ? text(row.snippet) : null;
    const isPage = whole?.includes('\n') ?? false;
    const summary = limitedText(row.snippet);
    const image = object(row.image ?? row.thumbnail).url ?? object(row.props).thumbnail_image;
    return {
      summary: isPage ? openingOf(summary) : summary,
      full_content: isPage ? whole : null,
      thumbnail: absoluteUrl(image, HOST),
    };
  },
});

function entitiesOf(infobox: unknown): readonly Entity[] {
  return objects(infobox).flatMap(({ title, snippet, url }) => {
    const name = titleText(title);
    if (name === null) return [];
    return [
      { name, type: null, description: plainText(snippet), url: absoluteUrl(url, undefined) },
    ];
  });
}

function answerOf(direct: unknown) {
  const [first] = objects(direct);
  const said = plainText(first?.snippet);
  if (said === null) return null;
  const source = { url: absoluteUrl(first?.url, undefined), title: titleText(first?.title) };
  return { text: said, citations: source.url === null ? [] : [source] };
}

/** The older form is one list, with rows (`t` 0) and related searches (`t` 1). */
function bucketsOf(data: unknown): JsonObject {
  if (!Array.isArray(data)) return object(data);
  const rows = objects(data);
  const related = rows.flatMap(({ t, list }) => (t === 1 && Array.isArray(list) ? list : []));
  return {
    search: rows.filter(({ t }) => t === 0),
    related_search: related.map((title) => ({ title })),
  };
}

/** A 429 is a rate or the usage limit of the account: only its text says which (UNCONFIRMED). */
function readFailure({ status, body }: FailedAnswer): FailureReading | undefined {
  const said = objects(object(body).error).flatMap(({ message }) => text(message) ?? []);
  const isAbout = (words: RegExp) => said.some((message) => words.test(message));
  if (status === 429 && isAbout(/usage|balance|credit|quota/i)) return { code: 'quota_exhausted' };
  if (status !== 403 || said.length === 0) return undefined;
  return {
    code: 'invalid_credential',
    happened: 'refuses this key from the address of this server, or for searches',
    remedy: 'check the IP addresses and the allowed products of the key in its API portal',
  };
}

/** Its documents show both words before the key. */
const OTHER_WORD: OptionalPart = {
  in: 'prefix',
  name: 'the word Bearer',
  instead: 'Bot ',
  isRefused: ({ status }) => status === 401,
};

function price({ count, wanted }: SearchPlan, rates: Rates) {
  const search = rates.search ?? 0;
  if (!buysFullContent(wanted)) return { usd: search, kind: 'known' } as const;
  const pages = Math.min(count, PAGES_MAX) * (rates.extract_page ?? 0);
  return { usd: search + pages, kind: 'estimated' } as const;
}

const SEARCH_MS = 10_000;
const TEXT_MS = 30_000;

const search = defineSearch({
  description:
    'Web results of an index of its own and of others, ranked by the settings of the account.',
  docsUrl: 'https://help.kagi.com/kagi/api/search.html',
  count: { control: 'native', parameter: 'limit', max: 20 },
  capabilities: rowCapabilities({
    full_content: onCondition(
      buysFullContent,
      'returns page text only at tier max, when named in fields, or at tier extended with include_full_content; it costs extra for each of up to ten pages',
    ),
    thumbnail: supplied,
    answer: supplied,
    entities: supplied,
    related: supplied,
    verticals: supplied,
  }),
  filters,
  rowDates: 'update',
  // they change what an answer is: another format, rows elsewhere, and page text
  refusedOverrides: ['format', 'workflow', 'extract'],
  timeoutMs: SEARCH_MS,
  slowTimeoutMs: (wanted) => (buysFullContent(wanted) ? TEXT_MS : null),
  concurrency: 8,
  price,
  optionalParts: [OTHER_WORD],
  // its own default is a safe search
  request: ({ query, count, wanted }) => ({
    method: 'POST',
    path: '/search',
    body: {
      query,
      limit: count,
      safe_search: false,
      ...(buysFullContent(wanted) ? { extract: { count: Math.min(count, PAGES_MAX) } } : {}),
    },
  }),
  response: z
    .looseObject({})
    .refine(({ data, meta }) => isJsonObject(data) || (Array.isArray(data) && isJsonObject(meta))),
  parse: ({ data }, { wanted }) => {
    const buckets = bucketsOf(data);
    const bought = new Set(buysFullContent(wanted) ? list(buckets.search).slice(0, PAGES_MAX) : []);
    const questions = objects(buckets.adjacent_question).map(({ props }) => object(props));
    return {
      rows: rowsIn(buckets.search, bought),
      answer: answerOf(buckets.direct_answer),
      entities: entitiesOf(buckets.infobox),
      related: [...textsAt(buckets.related_search, 'title'), ...textsAt(questions, 'question')],
      verticals: namedBlocks(buckets, VERTICALS),
    };
  },
  readFailure,
});

export const kagi = defineProvider({
  slug: 'kagi',
  name: 'Kagi',
  baseUrl: 'https://kagi.com/api/v1',
  authentication: { in: 'header', name: 'authorization', prefix: 'Bearer ' },
  credentialVariables: ['KAGI_API_KEY'],
  keyPage: { url: 'https://kagi.com/settings/api' },
  prices: { asOf: '2026-11-26', usd: { search: 0.012, extract_page: 0.012 } },
  dataUse: {
    ...UNKNOWN_USE,
    source: 'https://help.kagi.com/kagi/privacy/privacy-protection.html',
    checked: '2026-11-26',
    note: 'Kagi says to its subscribers that searches are not logged or tied to the account. Whether that holds for the API could not be read.',
  },
  search,
});
