/** https://serper.dev/playground */
import { isJsonObject, type JsonObject } from '@trawl/contract';
import { z } from 'zod';
import type { FailedAnswer, FailureReading } from '../declaration/call.ts';
import { checked, type FilterRules, native, unsupported } from '../declaration/filters.ts';
import { defineSearch, never, supplied } from '../declaration/search.ts';
import { boxedAnswer, graphEntity, namedBlocks, textsAt } from '../parsed/google.ts';
import { readRows } from '../parsed/search.ts';
import { pastSpan } from '../request/google.ts';
import {
  NO_SITES_IN_QUERY,
  PREFERRED_COUNTRY,
  PREFERRED_LANGUAGE,
  SITES_IN_QUERY,
} from '../request/google-filters.ts';
import { dated } from '../values/dates.ts';
import { finiteNumber, object } from '../values/json.ts';
import { leftOver, withoutImages } from '../values/left-over.ts';
import { limitedText, limitedTitle, text } from '../values/text.ts';
import { absoluteUrl } from '../values/urls.ts';

const CONSUMED = new Set(['link', 'title', 'snippet', 'date', 'imageUrl', 'position']);

/** The vendor's blocks other than the web results, and our names for them. */
const VERTICALS: Readonly<Record<string, string>> = {
  topStories: 'news',
  videos: 'videos',
  images: 'images',
  places: 'locations',
  peopleAlsoAsk: 'faq',
};

const filters: FilterRules = {
  include_domains: SITES_IN_QUERY,
  exclude_domains: NO_SITES_IN_QUERY,
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

function readRow(row: JsonObject) {
  return {
    url: text(row.link),
    title: limitedTitle(row.title),
    summary: limitedText(row.snippet),
    date: dated(row.date),
    thumbnail: absoluteUrl(row.imageUrl, undefined),
    enrichments: object(withoutImages(leftOver(row, CONSUMED, 'date'))),
  };
}

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

export const serperSearch = defineSearch({
  description: 'One page of Google results with its answer box, knowledge graph and other blocks.',
  docsUrl: 'https://serper.dev/playground',
  autoRoutable: true,
  count: { control: 'native', parameter: 'num', max: 10 },
  capabilities: {
    url: supplied,
    title: supplied,
    rank: supplied,
    summary: supplied,
    excerpt: never('returns one text per result, which is in summary'),
    full_content: never('returns no page text'),
    publish_date: supplied,
    thumbnail: supplied,
    favicon: never('returns no favicons'),
    source: supplied,
    enrichments: supplied,
    fetch_meta: never('does not say when or how a page was read'),
    usage: supplied,
    answer: supplied,
    entities: supplied,
    related: supplied,
    verticals: supplied,
  },
  filters,
  queryLimit: {},
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
  parse: (body) => {
    const credits = finiteNumber(body.credits);
    return {
      rows: readRows(body.organic ?? body.news, readRow),
      usage: credits === null ? null : { units: { credits }, costUsd: null },
      answer: boxedAnswer(body.answerBox),
      entities: graphEntity(object(body.knowledgeGraph)),
      related: [
        ...textsAt(body.relatedSearches, 'query'),
        ...textsAt(body.peopleAlsoAsk, 'question'),
      ],
      verticals: namedBlocks(object(withoutImages(body)), VERTICALS),
    };
  },
  readFailure,
});
