/** https://docs.keenable.ai/reference/search */
import { z } from 'zod';
import type { FailedAnswer, FailureReading } from '../declaration/call.ts';
import { defineProvider } from '../declaration/declare.ts';
import { anySite, inQuery, native, noSite, unsupported } from '../declaration/filters.ts';
import {
  defineSearch,
  never,
  recordCapabilities,
  type SearchPlan,
  supplied,
} from '../declaration/search.ts';
import { UNKNOWN_USE } from '../declaration/vendor.ts';
import { rowReader } from '../parsed/rows.ts';
import { finiteNumber, object } from '../values/json.ts';
import { limitedText, openingOf } from '../values/text.ts';

const rowsIn = rowReader({
  url: 'url',
  title: 'title',
  date: 'published_at',
  fetch_meta: 'acquired_at',
  dropped: ['snippet', 'description'],
  more: (row) => {
    const passage = limitedText(row.snippet);
    return { summary: limitedText(row.description) ?? openingOf(passage), excerpt: passage };
  },
});

/** Without the field for long passages, a short one is enough. */
const SHORT_CHARACTERS = 500;

function keyedRequest({ query, count, wanted }: SearchPlan) {
  const isShort = !wanted.fields.has('excerpt');
  return {
    method: 'POST',
    path: '/v1/search',
    body: {
      query,
      max_results: count,
      ...(isShort ? { snippet_max_length: SHORT_CHARACTERS } : {}),
    },
  } as const;
}

/** Without a time in its body, it means a quarter of an hour. */
const USUAL_WAIT_SECONDS = 900;

function readFailure(answer: FailedAnswer): FailureReading | undefined {
  const { status } = answer;
  if (status !== 401 && status !== 403) return readKeyedFailure(answer);
  return {
    code: 'upstream_error',
    happened: 'refused a search without a key',
    remedy: 'use another provider',
  };
}

/** Its 403 means that the key is disabled. */
function readKeyedFailure({ status, body, headers }: FailedAnswer): FailureReading | undefined {
  if (status === 403) return { code: 'invalid_credential' };
  if (status !== 429) return undefined;
  const seconds = finiteNumber(object(body).retryAfter);
  if (seconds === null && headers['retry-after'] !== undefined) return { code: 'rate_limited' };
  return { code: 'rate_limited', retryAfterMs: (seconds ?? USUAL_WAIT_SECONDS) * 1_000 };
}

const search = defineSearch({
  description: 'Web search over an index of its own, with a long passage of each page.',
  docsUrl: 'https://docs.keenable.ai/reference/search',
  count: { control: 'native', parameter: 'max_results', max: 50 },
  capabilities: recordCapabilities({
    excerpt: supplied,
    full_content: never('returns passages of pages that fit the query'),
    fetch_meta: supplied,
    usage: never('does not report units'),
  }),
  filters: {
    include_domains: native(
      'takes one host in site',
      ({ include_domains: hosts = [] }) => (hosts.length === 1 ? { site: hosts[0] } : null),
      inQuery('takes the operator site: for several hosts', anySite),
    ),
    exclude_domains: inQuery('takes the operator -site:', noSite),
    published_after: native('takes a day, and leaves out pages without a date', (filters) => ({
      published_after: filters.published_after,
    })),
    published_before: native('takes a day, and leaves out pages without a date', (filters) => ({
      published_before: filters.published_before,
    })),
    country: unsupported('has no filter for countries'),
    language: unsupported('has no filter for languages'),
    safe_search: unsupported('has no safe search'),
  },
  queryLimit: { characters: 400 },
  timeoutMs: 15_000,
  request: (plan) => ({
    ...keyedRequest(plan),
    path: '/v1/search/public',
    headers: { 'x-keenable-title': 'trawl' },
  }),
  keyed: {
    allowance: 'no limit an hour, and 10 requests a second',
    pace: { everyMs: 500, inFlight: 2 },
    request: keyedRequest,
    readFailure: readKeyedFailure,
    // what a search costs beyond the free ones of a month is not published
    price: (_plan, rates) => ({ usd: rates.search ?? 0, kind: 'estimated' }),
  },
  response: z
    .looseObject({ results: z.array(z.unknown()) })
    .refine((body) => body.error === undefined),
  parse: ({ results }) => ({ rows: rowsIn(results) }),
  readFailure,
});

export const keenable = defineProvider({
  slug: 'keenable',
  name: 'Keenable',
  baseUrl: 'https://api.keenable.ai',
  authentication: { in: 'header', name: 'x-api-key', optional: true },
  credentialVariables: ['KEENABLE_API_KEY'],
  open: {
    allowance: '1,000 requests an hour and 10 a second per address',
    pace: { everyMs: 500, inFlight: 2, most: { calls: 1_000, seconds: 3_600 } },
  },
  prices: { asOf: '2026-11-27', usd: { search: 0 } },
  dataUse: {
    ...UNKNOWN_USE,
    checked: '2026-11-27',
    note: 'Nothing was found: no page on terms, retention or training of queries.',
  },
  search,
});
