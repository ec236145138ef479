/** https://open.bochaai.com */
import { isJsonObject, type JsonObject } from '@trawl/contract';
import { z } from 'zod';
import type { FailedAnswer, FailureReading } from '../declaration/call.ts';
import { defineProvider } from '../declaration/declare.ts';
import { closedRange, type FilterRules, native, unsupported } from '../declaration/filters.ts';
import { defineSearch, never, rowCapabilities, supplied } from '../declaration/search.ts';
import { namedBlocks } from '../parsed/blocks.ts';
import { knownDate, rowReader } from '../parsed/rows.ts';
import { wholeUrl } from '../parsed/table.ts';
import { isoDate } from '../values/dates.ts';
import { object, objects, withoutNull } from '../values/json.ts';
import { limitedText, text } from '../values/text.ts';
import { absoluteUrl } from '../values/urls.ts';

const RANGE = native('takes a closed range of days in freshness', (asked, context) => ({
  freshness: closedRange(asked, context, '..'),
}));

const filters: FilterRules = {
  include_domains: native('takes up to 100 hosts in include', ({ include_domains = [] }) => ({
    include: include_domains.join('|'),
  })),
  exclude_domains: native('takes up to 100 hosts in exclude', ({ exclude_domains = [] }) => ({
    exclude: exclude_domains.join('|'),
  })),
  published_after: RANGE,
  published_before: RANGE,
  country: unsupported('has no country filter'),
  language: unsupported('has no language filter'),
  safe_search: unsupported('has no safe search'),
};

/**
 * The day of publication. Older answers have it in `dateLastCrawled`, where it is the time in
 * China although it ends in `Z`: only its day is read.
 */
function dayOf({ datePublished, dateLastCrawled }: JsonObject): string | null {
  const published = text(datePublished) ?? text(dateLastCrawled);
  return isoDate(published?.slice(0, 10));
}

const rowsIn = rowReader({
  url: 'url',
  title: 'name',
  date: 'datePublished',
  favicon: { at: 'siteIcon', read: wholeUrl },
  dropped: ['snippet', 'summary', 'dateLastCrawled'],
  more: (row, left, images: readonly JsonObject[]) => {
    const [snippet, summary] = [limitedText(row.snippet), limitedText(row.summary)];
    const image = images.find(({ hostPageUrl }) => hostPageUrl === row.url);
    return {
      summary: snippet,
      excerpt: summary?.text === snippet?.text ? null : summary,
      date: knownDate(dayOf(row)),
      thumbnail: absoluteUrl(image?.thumbnailUrl ?? image?.contentUrl, row.url),
      // there are many members without a value
      enrichments: withoutNull(left),
    };
  },
});

const VERTICALS = { images: 'images', videos: 'videos' } as const;

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

/** A list that may be null, in an object that may be null. */
const isPart = (part: unknown): boolean =>
  isAbsent(part) || (isJsonObject(part) && (isAbsent(part.value) || Array.isArray(part.value)));

/** The code in the body is the status, as a text in failures; which decides is UNCONFIRMED. */
function readFailure({ status, body }: FailedAnswer): FailureReading | undefined {
  const { code, message, msg } = object(body);
  const said = text(message) ?? text(msg) ?? '';
  const own = Number(code);
  const meant = Number.isInteger(own) && own >= 400 ? own : status;
  if (/enough money/i.test(said)) return { code: 'quota_exhausted' };
  if (/api key/i.test(said) && (meant === 400 || meant === 401)) {
    return { code: 'invalid_credential' };
  }
  if (status >= 300) return undefined;
  if (meant === 401) return { code: 'invalid_credential' };
  if (meant === 403) return { code: 'quota_exhausted' };
  if (meant === 429) return { code: 'rate_limited' };
  return meant >= 400 ? { code: meant < 500 ? 'bad_request' : 'upstream_error' } : undefined;
}

const search = defineSearch({
  description: 'Web results of a Chinese index, with longer texts of pages.',
  docsUrl: 'https://open.bochaai.com',
  count: { control: 'native', parameter: 'count', max: 50 },
  capabilities: rowCapabilities({
    excerpt: supplied,
    full_content: never('returns a longer text of the page, which is the excerpt'),
    thumbnail: supplied,
    favicon: supplied,
    fetch_meta: never('does not say when or how it read the page'),
    answer: never('writes answers only at another endpoint, which is not called'),
    verticals: supplied,
  }),
  filters,
  timeoutMs: 15_000,
  concurrency: 8,
  // the longer text is slower, and costs nothing more
  request: ({ query, count, wanted }) => ({
    method: 'POST',
    path: '/v1/web-search',
    body: { query, count, summary: wanted.fields.has('excerpt') },
  }),
  response: z
    .looseObject({ data: z.looseObject({}) })
    .refine(
      ({ code, data }) =>
        (isAbsent(code) || Number(code) === 200) && [data.webPages, data.images].every(isPart),
    ),
  parse: ({ data }) => {
    const images = objects(object(data.images).value);
    return {
      rows: rowsIn(object(data.webPages).value, images),
      verticals: namedBlocks({ images, videos: object(data.videos).value }, VERTICALS),
    };
  },
  readFailure,
});

export const bocha = defineProvider({
  slug: 'bocha',
  name: 'Bocha',
  baseUrl: 'https://api.bochaai.com',
  authentication: { in: 'header', name: 'authorization', prefix: 'Bearer ' },
  credentialVariables: ['BOCHA_API_KEY'],
  keyPage: { url: 'https://open.bochaai.com' },
  prices: { asOf: '2026-11-26', usd: { search: 0.005 } },
  dataUse: {
    training: 'unknown',
    retention: 'unknown',
    region: 'mainland China',
    source: 'https://open.bochaai.com',
    checked: '2026-11-26',
    note: 'By its own words queries and data stay in mainland China, and results follow its rules on content. Nothing was found on training and retention.',
  },
  search,
});
