/** https://docs.linkup.so/pages/documentation/endpoints/search */
import { isJsonObject, type JsonObject, writeJson } from '@trawl/contract';
import { z } from 'zod';
import { defineProvider } from '../declaration/declare.ts';
import { type FilterRules, native, takes, unsupported } from '../declaration/filters.ts';
import {
  defineSearch,
  never,
  onCondition,
  rowCapabilities,
  type SearchPlan,
  supplied,
  type Wanted,
} from '../declaration/search.ts';
import { rowReader } from '../parsed/rows.ts';
import { list, object, objects } from '../values/json.ts';
import type { Rates } from '../values/price.ts';
import { text, titleText } from '../values/text.ts';
import { linkupFetch } from './fetch.ts';
import { linkupCode, readLinkupFailure } from './shared.ts';

/** Dates must be later than this day. */
const EPOCH = '1970-01-01';
const beforeEpoch = unsupported('takes only dates after 1970-01-01 and returns none to check');

const filters: FilterRules = {
  include_domains: takes('up to 100 hosts', 'include_domains', 'includeDomains'),
  exclude_domains: takes('hosts', 'exclude_domains', 'excludeDomains'),
  published_after: native(
    'takes a day in fromDate',
    ({ published_after: day = '' }) => (day > EPOCH ? { fromDate: day } : null),
    beforeEpoch,
  ),
  published_before: native(
    'takes a day in toDate',
    ({ published_before: day = '' }) => (day > EPOCH ? { toDate: day } : null),
    beforeEpoch,
  ),
  country: unsupported('has no country filter'),
  language: unsupported('has no language filter'),
  safe_search: unsupported('has no safe search'),
};

/** The depth is the price: deep costs ten times as much, and only tier max asks for it. */
const depth = ({ tier, overrides }: Wanted): string =>
  text(overrides.depth) ?? (tier === 'max' ? 'deep' : 'standard');
const outputType = ({ overrides }: Wanted): string => text(overrides.outputType) ?? 'searchResults';
const isAnswered = (wanted: Wanted): boolean => outputType(wanted) !== 'searchResults';

function price({ wanted }: SearchPlan, rates: Rates) {
  const item = `search${depth(wanted) === 'deep' ? '_deep' : ''}${isAnswered(wanted) ? '_answer' : ''}`;
  return { usd: rates[item] ?? rates.search ?? 0, kind: 'known' } as const;
}

/**
 * An answer costs the same whatever its length, so images need not take the place of rows; the rest
 * is cut.
 */
const ROOM_FOR_IMAGES = 20;

const wantsImages = ({ fields, overrides }: Wanted): boolean =>
  typeof overrides.includeImages === 'boolean' ? overrides.includeImages : fields.has('verticals');

function request({ query, count, wanted }: SearchPlan) {
  const body: JsonObject = {
    q: query,
    depth: depth(wanted),
    outputType: 'searchResults',
    maxResults: wantsImages(wanted) && !isAnswered(wanted) ? count + ROOM_FOR_IMAGES : count,
    ...(wanted.fields.has('verticals') ? { includeImages: true } : {}),
    // without its sources a structured answer is only the caller's object, which nothing identifies
    // as an answer
    ...(outputType(wanted) === 'structured' ? { includeSources: true } : {}),
  };
  return { method: 'POST', path: '/v1/search', body } as const;
}

/** Search results, or an answer or object with the sources it was made from. */
const isAnswer = ({ results, sources, answer, data }: JsonObject): boolean =>
  Array.isArray(results) || Array.isArray(sources) || text(answer) !== null || isJsonObject(data);

/** Images are mixed into the rows, with nothing but a name and a URL. */
const isImage = (row: unknown): boolean => object(row).type === 'image';

const rowsIn = rowReader({
  url: 'url',
  title: 'name',
  summary: ['content', 'snippet'],
  full_content: 'content',
  favicon: 'favicon',
});

function answer({ answer: written, data, sources }: JsonObject) {
  const said = text(written) ?? (isJsonObject(data) ? writeJson(data) : null);
  if (said === null) return null;
  const citations = objects(sources).filter((source) => !isImage(source));
  return {
    text: said,
    citations: citations.map(({ url, name }) => ({ url: text(url), title: titleText(name) })),
  };
}

const linkupSearch = defineSearch({
  description: 'Web search with long extracts of each page, and a deeper paid mode at tier max.',
  docsUrl: 'https://docs.linkup.so/pages/documentation/endpoints/search',
  count: { control: 'native', parameter: 'maxResults', max: 20 },
  capabilities: rowCapabilities({
    excerpt: never('returns one text per result, which is in summary'),
    full_content: onCondition(
      ({ overrides }) => overrides.outputType !== 'sourcedAnswer',
      'returns only snippets of its sources where provider_overrides set outputType to sourcedAnswer',
    ),
    publish_date: never('returns no dates'),
    thumbnail: never('returns no thumbnails; its image results are in verticals'),
    favicon: supplied,
    fetch_meta: never('does not say when or how it read the page'),
    answer: onCondition(
      isAnswered,
      'answers only when outputType is set to sourcedAnswer or structured through provider_overrides',
    ),
    verticals: supplied,
  }),
  filters,
  economy: {
    overrides: { depth: 'standard' },
    meaning: 'uses depth standard at tier max too, instead of deep',
  },
  // a deep search takes long, and is billed even when the caller has stopped waiting
  timeoutMs: 120_000,
  concurrency: 10,
  price,
  request,
  response: z.looseObject({}).refine(isAnswer),
  parse: (body) => {
    const items = list(body.results ?? body.sources);
    const images = items.filter(isImage);
    return {
      rows: rowsIn(items.filter((item) => !isImage(item))),
      answer: answer(body),
      verticals: images.length > 0 ? { images } : null,
    };
  },
  readFailure: readLinkupFailure,
  readFailedAnswer: ({ status, body }) =>
    status === 400 && linkupCode(body) === 'SEARCH_QUERY_NO_RESULT' ? { results: [] } : undefined,
});

export const linkup = defineProvider({
  slug: 'linkup',
  name: 'Linkup',
  baseUrl: 'https://api.linkup.so',
  authentication: { in: 'header', name: 'authorization', prefix: 'Bearer ' },
  credentialVariables: ['LINKUP_API_KEY'],
  keyPage: { url: 'https://app.linkup.so', free: 'a monthly credit for some accounts' },
  prices: {
    asOf: '2026-11-21',
    usd: {
      search: 0.005,
      search_answer: 0.006,
      search_deep: 0.05,
      search_deep_answer: 0.055,
      fetch_page: 0.005,
    },
  },
  dataUse: {
    training: 'unknown',
    retention: 'unknown',
    region: 'USA, EU, Canada or Asia-Pacific, by load',
    source: 'https://docs.linkup.so/pages/security-and-privacy/data-processing-privacy',
    checked: '2026-11-23',
    note: 'Zero retention on request, not by default. Processing in one region is part of enterprise agreements. The page does not mention training.',
  },
  search: linkupSearch,
  fetch: linkupFetch,
});
