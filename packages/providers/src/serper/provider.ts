/** https://serper.dev/playground */
import { isJsonObject, type JsonObject } from '@trawl/contract';
import { z } from 'zod';
import type { FailedAnswer, FailureReading } from '../declaration/call.ts';
import { defineProvider } from '../declaration/declare.ts';
import { checked, type FilterRules, native, unsupported } from '../declaration/filters.ts';
import { defineSearch, supplied } from '../declaration/search.ts';
import { UNKNOWN_USE } from '../declaration/vendor.ts';
import { pastSpan } from '../google/codes.ts';
import { PREFERRED_COUNTRY, PREFERRED_LANGUAGE, SITES_IN_QUERY } from '../google/filters.ts';
import {
  GOOGLE_PAGE,
  googleBlocks,
  googleCapabilities,
  googleRows,
  leftWithoutImages,
} from '../google/page.ts';
import { wholeUrl } from '../parsed/table.ts';
import { finiteNumber, object } from '../values/json.ts';
import { unitsUsed } from '../values/price.ts';
import { text } from '../values/text.ts';

const filters: FilterRules = {
  ...SITES_IN_QUERY,
  published_after: native(
    'takes the past day, week, month or year in tbs',
    (asked, { today }) => {
      const tbs = pastSpan(asked, today);
      return tbs === null ? null : { tbs };
    },
    checked('documents spans of up to a year only; it returns the date of some rows'),
  ),
  published_before: checked('documents no last day; it returns the date of some rows'),
  country: PREFERRED_COUNTRY,
  language: PREFERRED_LANGUAGE,
  safe_search: unsupported('documents no safe search'),
};

const rowsIn = googleRows({
  thumbnail: { at: 'imageUrl', read: wholeUrl },
  dropped: ['position'],
  more: leftWithoutImages,
});

const blocksIn = googleBlocks({
  answer: 'answerBox',
  graph: 'knowledgeGraph',
  related: { relatedSearches: 'query', peopleAlsoAsk: 'question' },
  verticals: {
    topStories: 'news',
    videos: 'videos',
    images: 'images',
    places: 'locations',
    peopleAlsoAsk: 'faq',
  },
  hasImages: true,
});

/** A page without organic rows is an answer too, such as one with a knowledge graph only. */
const isAnswer = ({ organic, news, searchParameters }: JsonObject): boolean =>
  [organic, news].every((rows) => rows === undefined || rows === null || Array.isArray(rows)) &&
  [organic, news, searchParameters].some((part) => Array.isArray(part) || isJsonObject(part));

/** An empty balance is a 400, and a wrong or missing key a 403. */
function readFailure({ status, body }: FailedAnswer): FailureReading | undefined {
  const said = text(object(body).message) ?? '';
  if (status === 400 && /not enough credits/i.test(said)) return { code: 'quota_exhausted' };
  if (status === 403 && /^unauthorized/i.test(said)) return { code: 'invalid_credential' };
  return undefined;
}

const search = defineSearch({
  description: GOOGLE_PAGE,
  docsUrl: 'https://serper.dev/playground',
  count: { control: 'native', parameter: 'num', max: 10 },
  capabilities: googleCapabilities({ usage: supplied }),
  filters,
  timeoutMs: 15_000,
  concurrency: 16,
  price: (_plan, rates, usage) => ({
    usd: (finiteNumber(usage?.units.credits) ?? 1) * (rates.credit ?? 0),
    kind: 'estimated',
  }),
  request: ({ query, count }) => ({
    method: 'POST',
    path: '/search',
    body: { q: query, num: count },
  }),
  response: z.looseObject({}).refine(isAnswer),
  parse: (body) => ({
    rows: rowsIn(body.organic ?? body.news),
    usage: unitsUsed('credits', body.credits),
    ...blocksIn(body),
  }),
  readFailure,
});

export const serper = defineProvider({
  slug: 'serper',
  name: 'Serper',
  baseUrl: 'https://google.serper.dev',
  authentication: { in: 'header', name: 'x-api-key' },
  credentialVariables: ['SERPER_API_KEY'],
  keyPage: { url: 'https://serper.dev/api-keys', free: '2,500 searches, once' },
  prices: { asOf: '2026-11-26', usd: { credit: 0.001 } },
  dataUse: {
    ...UNKNOWN_USE,
    checked: '2026-11-26',
    note: 'Nothing was found: the terms could not be read for this check. The query is passed on to Google.',
  },
  search,
});
