/** https://docs.brightdata.com/scraping-automation/serp-api/introduction */
import { type FetchMeta, isJsonObject, type JsonObject } from '@trawl/contract';
import { z } from 'zod';
import type { FailedAnswer, FailureReading, HttpCall } from '../declaration/call.ts';
import { defineProvider } from '../declaration/declare.ts';
import { type FilterRules, native } from '../declaration/filters.ts';
import { defineSearch, never, onCondition, type Wanted } from '../declaration/search.ts';
import { UNKNOWN_USE } from '../declaration/vendor.ts';
import { dayRange } from '../google/codes.ts';
import {
  PREFERRED_COUNTRY,
  RESTRICTED_LANGUAGE,
  SAFE_OR_NOT,
  SITES_IN_QUERY,
} from '../google/filters.ts';
import { googleBlocks, googleCapabilities, googleRows } from '../google/page.ts';
import { fetchedAt } from '../parsed/rows.ts';
import { wholeUrl } from '../parsed/table.ts';
import { withoutImages } from '../values/images.ts';
import { object, objects, without } from '../values/json.ts';
import { brightdataFetch } from './fetch.ts';

const GOOGLE = 'https://www.google.com/search';

/** Parameters of Google, which are part of the address that it is asked to read. */
const OF_GOOGLE = [
  ...['q', 'gl', 'hl', 'lr', 'cr', 'tbs', 'safe', 'start', 'num', 'uule', 'nfpr', 'filter'],
  ...['brd_json', 'brd_mobile'],
];

/** Fields of which the short answer has nothing. */
const FULL_FIELDS = ['fetch_meta', 'entities', 'related', 'verticals'] as const;

/** The whole page takes twice as long: it is asked for at `max`, and for fields by name. */
const isFull = ({ tier, fields }: Wanted): boolean =>
  tier === 'max' || (tier === null && FULL_FIELDS.some((field) => fields.has(field)));

const ONLY_WHOLE = onCondition(
  isFull,
  'returns it only at tier max, or when it is named in fields',
);

const RANGE = native('takes a range of days of Google in tbs', (asked) => ({
  tbs: dayRange(asked),
}));

const filters: FilterRules = {
  ...SITES_IN_QUERY,
  published_after: RANGE,
  published_before: RANGE,
  country: PREFERRED_COUNTRY,
  language: RESTRICTED_LANGUAGE,
  safe_search: SAFE_OR_NOT,
};

/** Puts what belongs to Google into the address that is to be read. */
function place(call: HttpCall): HttpCall {
  const { body = {} } = call;
  const address = new URL(GOOGLE);
  for (const name of OF_GOOGLE) {
    const value = body[name];
    if (value !== undefined && value !== null) address.searchParams.set(name, String(value));
  }
  return { ...call, body: { ...without(body, new Set(OF_GOOGLE)), url: address.href } };
}

const rowsIn = googleRows({
  summary: 'description',
  date: undefined,
  thumbnail: { at: ['image_url', 'image'], read: wholeUrl },
  dropped: ['rank'],
  more: (_row, left, fetch_meta: FetchMeta | null) => ({
    fetch_meta,
    enrichments: object(withoutImages(left)),
  }),
});

const blocksIn = googleBlocks({
  graph: 'knowledge',
  related: { related: 'text', people_also_ask: 'question' },
  verticals: {
    top_stories: 'news',
    news: 'news',
    videos: 'videos',
    images: 'images',
    perspectives: 'perspectives',
    people_also_ask: 'faq',
  },
  hasImages: true,
});

/** A page without organic rows is an answer too. */
const isAnswer = ({ organic, general, input, top_stories }: JsonObject): boolean =>
  (organic === undefined || organic === null || Array.isArray(organic)) &&
  [organic, general, input, top_stories].some((part) => Array.isArray(part) || isJsonObject(part));

const NO_CREDIT = /balance|suspended|billing|free requests|quota/i;

/** Its refusals are plain text; which status an empty balance has is UNCONFIRMED. */
function readFailure({ status, body, headers }: FailedAnswer): FailureReading | undefined {
  const said = `${headers['x-brd-err-msg'] ?? ''} ${typeof body === 'string' ? body : ''}`;
  // the free requests of a month
  const isUsedUp = headers['x-brd-err-code'] === 'client_10100';
  if (isUsedUp || ([402, 403].includes(status) && NO_CREDIT.test(said.slice(0, 1_000)))) {
    return { code: 'quota_exhausted' };
  }
  if (status !== 400) return undefined;
  return {
    code: 'bad_request',
    remedy: 'check that BRIGHTDATA_SERP_ZONE names a zone of the type SERP, and provider_overrides',
  };
}

/** The name of the knowledge graph is not documented. */
const named = (graph: JsonObject): JsonObject => ({ ...graph, title: graph.title ?? graph.name });

const brightdataSearch = defineSearch({
  description: 'One page of Google results, read by a zone of your Bright Data account.',
  docsUrl: 'https://docs.brightdata.com/scraping-automation/serp-api/introduction',
  accountSetting: {
    variable: 'BRIGHTDATA_SERP_ZONE',
    parameter: 'zone',
    meaning:
      'the name of a zone of the type SERP in your account, without which it does not search',
  },
  usesFetchKey: true,
  count: { control: 'page', max: 10 },
  capabilities: googleCapabilities({
    publish_date: never('does not date its results'),
    fetch_meta: ONLY_WHOLE,
    answer: never('writes no answers'),
    entities: ONLY_WHOLE,
    related: ONLY_WHOLE,
    verticals: ONLY_WHOLE,
  }),
  filters,
  // with `tbm` the rows would be elsewhere
  refusedOverrides: ['zone', 'format', 'dataformat', 'brdjson', 'tbm', 'method', 'headers', 'body'],
  timeoutMs: 30_000,
  concurrency: 16,
  request: ({ query, wanted }) => ({
    method: 'POST',
    path: '/request',
    body: {
      q: query,
      // without them, where the results are from is left to chance
      gl: 'us',
      hl: 'en',
      format: 'raw',
      ...(isFull(wanted) ? { brd_json: 1 } : { data_format: 'parsed_light' }),
    },
  }),
  place,
  response: z.looseObject({}).refine(isAnswer),
  parse: (body) => ({
    rows: rowsIn(body.organic, fetchedAt(object(body.general).timestamp)),
    ...blocksIn({
      ...body,
      knowledge: named(object(body.knowledge)),
      // in groups
      related: objects(body.related).flatMap(({ items }) => objects(items)),
    }),
  }),
  readFailure,
});

export const brightdata = defineProvider({
  slug: 'brightdata',
  name: 'Bright Data',
  baseUrl: 'https://api.brightdata.com',
  authentication: { in: 'header', name: 'authorization', prefix: 'Bearer ' },
  credentialVariables: ['BRIGHTDATA_API_KEY'],
  prices: { asOf: '2026-11-21', usd: { search: 0.0015, fetch_record: 0.002 } },
  dataUse: {
    ...UNKNOWN_USE,
    checked: '2026-11-23',
    note: 'Nothing was found about requests of customers.',
  },
  search: brightdataSearch,
  fetch: brightdataFetch,
});
