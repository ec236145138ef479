/** https://docs.ceramic.ai/api-reference/search */
import { z } from 'zod';
import type { FailedAnswer } from '../declaration/call.ts';
import { defineSearch, never, supplied } from '../declaration/search.ts';
import { readRows } from '../parsed/search.ts';
import { finiteNumber, object, without } from '../values/json.ts';
import { limitedText, limitedTitle, text } from '../values/text.ts';
import { ceramicFilters } from './filters.ts';

const CONSUMED = new Set(['url', 'title', 'description']);

/**
 * A 429 may say in its body how long to wait; the header of the same meaning is read for all
 * providers.
 */
function readFailure({ status, body }: FailedAnswer) {
  const seconds = status === 429 ? finiteNumber(object(body).retry_after_seconds) : null;
  if (seconds === null || seconds < 0) return undefined;
  return { code: 'rate_limited', retryAfterMs: seconds * 1000 } as const;
}

export const ceramicSearch = defineSearch({
  description: 'Fast keyword index of the web with a long extract of each page.',
  docsUrl: 'https://docs.ceramic.ai/api-reference/search',
  autoRoutable: true,
  count: { control: 'trim', max: 10, parameter: 'maxResults' },
  capabilities: {
    url: supplied,
    title: supplied,
    rank: supplied,
    summary: supplied,
    excerpt: never('returns one text per result, which is in summary'),
    full_content: never('returns an extract of the page, which is in summary, not its text'),
    publish_date: never('returns no dates'),
    thumbnail: never('returns no images'),
    favicon: never('returns no favicons'),
    source: supplied,
    enrichments: supplied,
    fetch_meta: never('does not say when or how it read the page'),
    usage: never('does not report cost or units'),
    answer: never('returns no answer with its results'),
    entities: never('returns no entities'),
    related: never('returns no related searches'),
    verticals: never('returns only web results, no other result blocks'),
  },
  filters: ceramicFilters,
  queryLimit: { words: 50 },
  timeoutMs: 15_000,
  concurrency: 32,
  price: (_plan, rates) => ({ usd: rates.search ?? 0, kind: 'known' }),
  request: ({ query }) => ({ method: 'POST', path: '/search', body: { query } }),
  response: z.looseObject({ result: z.looseObject({ results: z.array(z.unknown()) }) }),
  parse: ({ result }) => ({
    rows: readRows(result.results, (row) => ({
      url: text(row.url),
      title: limitedTitle(row.title),
      summary: limitedText(row.description),
      enrichments: without(row, CONSUMED),
    })),
  }),
  readFailure,
});
