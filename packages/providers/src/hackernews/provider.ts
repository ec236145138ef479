/** https://hn.algolia.com/api */
import { z } from 'zod';
import type { FailedAnswer, FailureReading } from '../declaration/call.ts';
import { defineProvider } from '../declaration/declare.ts';
import { checked, native, unsupported } from '../declaration/filters.ts';
import { defineSearch, recordCapabilities, supplied } from '../declaration/search.ts';
import { UNKNOWN_USE } from '../declaration/vendor.ts';
import { rowReader } from '../parsed/rows.ts';
import { wholeUrl } from '../parsed/table.ts';
import { DAY_MS, dated } from '../values/dates.ts';
import { wholeNumber } from '../values/json.ts';
import { limitedText, openingOf, text } from '../values/text.ts';

const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1_000;

const RANGE = native(
  'takes the times between which a post was made in numericFilters',
  ({ published_after: after, published_before: before }) => ({
    numericFilters: [
      ...(after === undefined ? [] : [`created_at_i>=${startOf(after)}`]),
      ...(before === undefined ? [] : [`created_at_i<${startOf(before) + DAY_MS / 1_000}`]),
    ].join(','),
  }),
);

/** A paragraph begins with a bare tag. */
const withParagraphs = (html: unknown): unknown =>
  typeof html === 'string' ? html.replaceAll('<p>', '\n') : html;

const rowsIn = rowReader({
  title: ['title', 'story_title'],
  author: 'author',
  dropped: [
    ...['url', 'story_text', 'comment_text', 'created_at', 'created_at_i', '_highlightResult'],
    'children',
  ],
  more: (row, left) => {
    const id = text(row.objectID);
    const discussion =
      id === null ? null : `https://news.ycombinator.com/item?id=${encodeURIComponent(id)}`;
    const written = limitedText(withParagraphs(row.story_text ?? row.comment_text));
    const [points, comments] = [wholeNumber(row.points), wholeNumber(row.num_comments)];
    const counts =
      points === null ? null : `${points} points, ${comments ?? 0} comments on Hacker News`;
    return {
      url: wholeUrl(row.url) ?? discussion,
      summary: openingOf(written) ?? limitedText(counts),
      excerpt: written,
      date: dated(row.created_at),
      enrichments: { ...left, ...(discussion === null ? {} : { discussion }) },
    };
  },
});

function readFailure({ status }: FailedAnswer): FailureReading | undefined {
  return status === 403 ? { code: 'rate_limited' } : undefined;
}

const search = defineSearch({
  description:
    'Links and questions that programmers posted on Hacker News, with their discussions.',
  docsUrl: 'https://hn.algolia.com/api',
  count: { control: 'native', parameter: 'hitsPerPage', max: 1_000 },
  capabilities: recordCapabilities({ excerpt: supplied }),
  filters: {
    include_domains: checked('has no filter for hosts that leaves the query as it is'),
    exclude_domains: checked('has no filter that excludes hosts'),
    published_after: RANGE,
    published_before: RANGE,
    country: unsupported('does not know the countries of posts'),
    language: unsupported('does not know the languages of posts, nearly all of which are English'),
    safe_search: unsupported('has no safe search'),
  },
  queryLimit: { characters: 500 },
  timeoutMs: 10_000,
  request: ({ query, count }) => ({
    method: 'GET',
    path: '/api/v1/search',
    query: { query, tags: 'story', hitsPerPage: count, analytics: false },
  }),
  response: z.looseObject({ hits: z.array(z.unknown()) }),
  parse: ({ hits }) => ({ rows: rowsIn(hits) }),
  readFailure,
});

export const hackernews = defineProvider({
  slug: 'hackernews',
  name: 'Hacker News',
  baseUrl: 'https://hn.algolia.com',
  authentication: { in: 'none' },
  credentialVariables: [],
  open: {
    allowance: '10,000 requests an hour per address',
    pace: { everyMs: 500, inFlight: 2 },
  },
  prices: { asOf: '2026-11-27', usd: { search: 0 } },
  dataUse: {
    ...UNKNOWN_USE,
    checked: '2026-11-27',
    note: 'Nothing was found on training. Queries go to Algolia, which hosts the index; trawl asks it to leave them out of its analytics (analytics=false).',
  },
  search,
});
