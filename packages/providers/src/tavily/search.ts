/** https://docs.tavily.com/documentation/api-reference/endpoint/search */
import type { JsonObject } from '@trawl/contract';
import { z } from 'zod';
import { refusesParameter } from '../declaration/call.ts';
import {
  defineSearch,
  never,
  type SearchPlan,
  supplied,
  type Wanted,
} from '../declaration/search.ts';
import { readRows } from '../parsed/search.ts';
import { dated } from '../values/dates.ts';
import { finiteNumber, list } from '../values/json.ts';
import { leftOver } from '../values/left-over.ts';
import type { Rates, ReportedUsage } from '../values/price.ts';
import { limitedText, limitedTitle, text } from '../values/text.ts';
import { absoluteUrl } from '../values/urls.ts';
import { tavilyFilters } from './filters.ts';
import {
  KEYLESS_HEADERS,
  KEYLESS_PACE,
  readKeylessFailure,
  readTavilyFailure,
  tavilyImageUrl,
  tavilyUsage,
} from './shared.ts';

/** `images` stays in enrichments: the thumbnail takes only the address of the first one. */
const CONSUMED = new Set(['url', 'title', 'content', 'raw_content', 'published_date', 'favicon']);

function readRow(row: JsonObject) {
  const thumbnails = list(row.images).flatMap(
    (image) => absoluteUrl(tavilyImageUrl(image), row.url) ?? [],
  );
  return {
    url: text(row.url),
    title: limitedTitle(row.title),
    summary: limitedText(row.content),
    full_content: text(row.raw_content),
    date: dated(row.published_date),
    thumbnail: thumbnails[0] ?? null,
    favicon: absoluteUrl(row.favicon, row.url),
    enrichments: leftOver(row, CONSUMED, 'published_date'),
  };
}

function answer(reported: unknown) {
  const written = text(reported);
  return written === null ? null : { text: written, citations: [] };
}

function verticals(reported: unknown): JsonObject | null {
  const images = list(reported);
  return images.length > 0 ? { images } : null;
}

/** It may then choose a depth that costs two credits. */
const choosesDepth = ({ overrides }: Wanted): boolean => overrides.auto_parameters === true;

function price({ wanted }: SearchPlan, rates: Rates, usage: ReportedUsage | null) {
  const depth = text(wanted.overrides.search_depth) ?? 'basic';
  const credits = finiteNumber(usage?.units.credits);
  const listed = rates[`search_${depth}`] ?? rates.search ?? 0;
  return {
    usd: credits === null ? listed : credits * (rates.search ?? 0),
    kind: choosesDepth(wanted) ? 'estimated' : 'known',
  } as const;
}

const request = ({ query, count, wanted }: SearchPlan) =>
  ({
    method: 'POST',
    path: '/search',
    body: {
      query,
      search_depth: 'basic',
      max_results: count,
      ...(wanted.fields.has('full_content') ? { include_raw_content: 'markdown' } : {}),
      ...(wanted.fields.has('usage') || choosesDepth(wanted) ? { include_usage: true } : {}),
      ...(wanted.fields.has('publish_date') ? { include_published_date: true } : {}),
      ...(wanted.fields.has('thumbnail') || wanted.fields.has('verticals')
        ? { include_images: true }
        : {}),
      ...(wanted.fields.has('favicon') ? { include_favicon: true } : {}),
      ...(wanted.fields.has('answer') ? { include_answer: true } : {}),
    },
  }) as const;

export const tavilySearch = defineSearch({
  description: 'Web search for agents with page text, images and a written answer.',
  docsUrl: 'https://docs.tavily.com/documentation/api-reference/endpoint/search',
  autoRoutable: true,
  count: { control: 'native', parameter: 'max_results', max: 20 },
  capabilities: {
    url: supplied,
    title: supplied,
    rank: supplied,
    summary: supplied,
    excerpt: never('returns one text per result, which is the summary'),
    full_content: supplied,
    publish_date: supplied,
    thumbnail: supplied,
    favicon: supplied,
    source: supplied,
    enrichments: supplied,
    fetch_meta: never('does not say when or how it read the page'),
    usage: supplied,
    answer: supplied,
    entities: never('returns no entities'),
    related: never('returns no related searches'),
    verticals: supplied,
  },
  filters: tavilyFilters,
  queryLimit: { characters: 400 },
  timeoutMs: 30_000,
  concurrency: 32,
  price,
  // no option costs a credit; each is left out where no active field needs it
  request,
  optionalParts: [
    {
      in: 'body',
      name: 'include_published_date',
      isRefused: refusesParameter('include_published_date'),
      gap: {
        field: 'publish_date',
        reason: 'refuses include_published_date and may return dates for topic news only',
      },
    },
    {
      in: 'body',
      name: 'safe_search',
      isRefused: refusesParameter('safe_search'),
      filter: { name: 'safe_search', reason: 'refuses safe_search on the plan of this key' },
    },
  ],
  response: z.looseObject({ results: z.array(z.unknown()) }),
  parse: (body) => ({
    rows: readRows(body.results, readRow),
    usage: tavilyUsage(body.usage),
    answer: answer(body.answer),
    verticals: verticals(body.images),
  }),
  readFailure: readTavilyFailure,
  // https://docs.tavily.com/documentation/keyless
  keyless: {
    allowance: 'light use, whose limit is not published',
    pace: KEYLESS_PACE,
    request: (plan) => ({ ...request(plan), headers: KEYLESS_HEADERS }),
    readFailure: readKeylessFailure,
  },
});
