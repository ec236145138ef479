/** https://help.kagi.com/kagi/api/search.html */
import { type Entity, isJsonObject, type JsonObject } from '@trawl/contract';
import { z } from 'zod';
import type { FailedAnswer, FailureReading } from '../declaration/call.ts';
import { type FilterRules, memberAt, native, unsupported } from '../declaration/filters.ts';
import { defineSearch, never, supplied } from '../declaration/search.ts';
import { namedBlocks, textsAt } from '../parsed/google.ts';
import { readRows } from '../parsed/search.ts';
import { dated } from '../values/dates.ts';
import { object, objects } from '../values/json.ts';
import { leftOver } from '../values/left-over.ts';
import { limitedText, limitedTitle, plainText, text, titleText } from '../values/text.ts';
import { absoluteUrl } from '../values/urls.ts';

const CONSUMED = new Set([
  't',
  'url',
  'title',
  'snippet',
  'time',
  'published',
  'image',
  'thumbnail',
]);

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
  include_domains: native('takes hosts in lens.sites_included', ({ include_domains }) =>
    memberAt('lens.sites_included', include_domains),
  ),
  exclude_domains: native('takes hosts in lens.sites_excluded', ({ exclude_domains }) =>
    memberAt('lens.sites_excluded', exclude_domains),
  ),
  published_after: native('takes a day in filters.after', ({ published_after }) =>
    memberAt('filters.after', published_after),
  ),
  published_before: native('takes a day in filters.before', ({ published_before }) =>
    memberAt('filters.before', published_before),
  ),
  country: native('takes a country in filters.region', ({ country }) =>
    memberAt('filters.region', country),
  ),
  language: unsupported('has no language filter'),
  safe_search: native('takes safe_search, on or off', ({ safe_search }) => ({
    safe_search: safe_search !== 'off',
  })),
};

/** Its older form has images at addresses of its own, without a host. */
const HOST = 'https://kagi.com/';

function readRow(row: JsonObject) {
  const image = object(row.image ?? row.thumbnail).url ?? object(row.props).thumbnail_image;
  return {
    url: text(row.url),
    title: limitedTitle(row.title),
    summary: limitedText(row.snippet),
    ...dated(row.time, row.published),
    thumbnail: absoluteUrl(image, HOST),
    enrichments: leftOver(row, CONSUMED, 'time'),
  };
}

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
  // an address that the key is not bound to, or an account without the API
  return status === 403 && said.length > 0 ? { code: 'invalid_credential' } : undefined;
}

export const kagiSearch = defineSearch({
  description:
    'Web results of an index of its own and of others, ranked by the settings of the account.',
  docsUrl: 'https://help.kagi.com/kagi/api/search.html',
  autoRoutable: true,
  count: { control: 'native', parameter: 'limit', max: 20 },
  capabilities: {
    url: supplied,
    title: supplied,
    rank: supplied,
    summary: supplied,
    excerpt: never('returns one text per result, which is the summary'),
    full_content: never(
      'returns page text only where it is bought, in a form that is not documented',
    ),
    publish_date: supplied,
    thumbnail: supplied,
    favicon: never('returns no favicons'),
    source: supplied,
    enrichments: supplied,
    fetch_meta: never('does not say when or how a page was read'),
    usage: never('does not report cost or units'),
    answer: supplied,
    entities: supplied,
    related: supplied,
    verticals: supplied,
  },
  filters,
  rowDates: 'update',
  // they change what an answer is: another format, rows elsewhere, and page text that costs extra
  refusedOverrides: ['format', 'workflow', 'extract'],
  queryLimit: {},
  timeoutMs: 10_000,
  concurrency: 8,
  price: (_plan, rates) => ({ usd: rates.search ?? 0, kind: 'known' }),
  // its own default is a safe search
  request: ({ query, count }) => ({
    method: 'POST',
    path: '/search',
    body: { query, limit: count, safe_search: false },
  }),
  response: z
    .looseObject({})
    .refine(({ data, meta }) => isJsonObject(data) || (Array.isArray(data) && isJsonObject(meta))),
  parse: ({ data }) => {
    const buckets = bucketsOf(data);
    const questions = objects(buckets.adjacent_question).map(({ props }) => object(props));
    return {
      rows: readRows(buckets.search, readRow),
      answer: answerOf(buckets.direct_answer),
      entities: entitiesOf(buckets.infobox),
      related: [...textsAt(buckets.related_search, 'title'), ...textsAt(questions, 'question')],
      verticals: namedBlocks(buckets, VERTICALS),
    };
  },
  readFailure,
});
