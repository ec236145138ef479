/** https://api.stackexchange.com/docs/advanced-search */
import { z } from 'zod';
import type { FailedAnswer, FailureReading } from '../declaration/call.ts';
import { defineProvider } from '../declaration/declare.ts';
import { checked, native, unsupported } from '../declaration/filters.ts';
import { defineSearch, never, recordCapabilities, supplied } from '../declaration/search.ts';
import { UNKNOWN_USE } from '../declaration/vendor.ts';
import { rowReader, unixDate } from '../parsed/rows.ts';
import { wholeUrl } from '../parsed/table.ts';
import { DAY_MS } from '../values/dates.ts';
import { finiteNumber, object } from '../values/json.ts';
import { limitedText, openingOf, text } from '../values/text.ts';

/** The sites that have a host of their own; the others are below stackexchange.com. */
const SITES: Readonly<Record<string, string>> = {
  'stackoverflow.com': 'stackoverflow',
  'serverfault.com': 'serverfault',
  'superuser.com': 'superuser',
  'askubuntu.com': 'askubuntu',
  'mathoverflow.net': 'mathoverflow.net',
  'stackapps.com': 'stackapps',
};
const BELOW = /^([a-z][a-z0-9-]{1,40})\.stackexchange\.com$/;

const siteOf = (host: string): string | undefined => SITES[host] ?? BELOW.exec(host)?.[1];

const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1_000;

const rowsIn = rowReader({
  url: 'link',
  title: 'title',
  date: { at: 'creation_date', read: unixDate },
  author: 'owner.display_name',
  dropped: ['body', 'owner', 'content_license'],
  more: (row, left) => {
    const question = limitedText(row.body);
    const [license, profile] = [text(row.content_license), wholeUrl(object(row.owner).link)];
    return {
      summary: openingOf(question),
      excerpt: question,
      enrichments: {
        ...left,
        ...(license === null ? {} : { license }),
        ...(profile === null ? {} : { author_url: profile }),
      },
    };
  },
});

/** Its errors have numbers, under any HTTP status. */
const CODES: Readonly<Record<number, FailureReading['code']>> = {
  400: 'bad_request',
  401: 'bad_request',
  402: 'bad_request',
  403: 'bad_request',
  404: 'bad_request',
  405: 'invalid_credential',
  406: 'bad_request',
  500: 'upstream_error',
  502: 'rate_limited',
  503: 'upstream_error',
};
const WAIT = /\b(?:available )?in (\d{1,6}) seconds/;

function readFailure({ status, body }: FailedAnswer): FailureReading | undefined {
  const error = object(body);
  const id = finiteNumber(error.error_id);
  if (id === null) return status === 429 ? { code: 'rate_limited' } : undefined;
  const code = CODES[id] ?? 'upstream_error';
  const seconds = WAIT.exec((text(error.error_message) ?? '').slice(0, 500))?.[1];
  if (code !== 'rate_limited' || seconds === undefined) return { code };
  const retryAfterMs = Number(seconds) * 1_000;
  // a wait of hours is the end of the day's allowance
  return { code: retryAfterMs > 600_000 ? 'quota_exhausted' : 'rate_limited', retryAfterMs };
}

/** A key that it does not know. */
const readKeyedFailure = (answer: FailedAnswer): FailureReading | undefined =>
  object(answer.body).error_id === 405 ? { code: 'invalid_credential' } : readFailure(answer);

const search = defineSearch({
  description: 'Questions of programmers on Stack Overflow, or on one of its sister sites.',
  docsUrl: 'https://api.stackexchange.com/docs/advanced-search',
  count: { control: 'native', parameter: 'pagesize', max: 100 },
  capabilities: recordCapabilities({
    excerpt: supplied,
    full_content: never('returns questions without their answers'),
  }),
  hosts: [...Object.keys(SITES), 'stackexchange.com'],
  filters: {
    include_domains: native(
      'asks one site, by its host',
      ({ include_domains: hosts = [] }) => {
        const [first] = hosts.flatMap((host) => siteOf(host) ?? []);
        return first === undefined ? null : { site: first };
      },
      checked('asks one site at a time, Stack Overflow unless the filter names another'),
    ),
    exclude_domains: checked('asks one site at a time'),
    published_after: native('takes a time in fromdate', ({ published_after = '' }) => ({
      fromdate: startOf(published_after),
    })),
    published_before: native('takes a time in todate', ({ published_before = '' }) => ({
      todate: startOf(published_before) + DAY_MS / 1_000 - 1,
    })),
    country: unsupported('does not know the countries of questions'),
    language: unsupported('has a site for each language, and none for most'),
    safe_search: unsupported('has no safe search'),
  },
  queryLimit: { characters: 240 },
  timeoutMs: 15_000,
  refusedOverrides: ['filter', 'key'],
  request: ({ query, count }) => ({
    method: 'GET',
    path: '/2.3/search/advanced',
    query: {
      q: query,
      site: 'stackoverflow',
      order: 'desc',
      sort: 'relevance',
      pagesize: count,
      filter: 'withbody',
    },
  }),
  response: z
    .looseObject({ items: z.array(z.unknown()) })
    .refine((body) => body.error_id === undefined),
  parse: ({ items }) => ({ rows: rowsIn(items) }),
  readFailure,
  keyed: {
    allowance: '10,000 requests a day per address',
    pace: {
      everyMs: 1_000,
      inFlight: 1,
      most: { calls: 9_900, seconds: 86_400 },
      silence: { ms: 300_000, maxMs: 3_600_000 },
    },
    readFailure: readKeyedFailure,
  },
  readBackoff: ({ backoff }) => {
    const seconds = finiteNumber(backoff);
    return seconds !== null && seconds > 0 ? seconds * 1_000 : null;
  },
});

export const stackexchange = defineProvider({
  slug: 'stackexchange',
  name: 'Stack Exchange',
  baseUrl: 'https://api.stackexchange.com',
  authentication: { in: 'query', name: 'key', optional: true },
  credentialVariables: ['STACKEXCHANGE_KEY'],
  keyPage: { url: 'https://stackapps.com/apps/oauth/register', free: '10,000 requests a day' },
  open: {
    allowance: '300 requests a day per address',
    pace: {
      everyMs: 1_000,
      inFlight: 1,
      most: { calls: 280, seconds: 86_400 },
      silence: { ms: 300_000, maxMs: 3_600_000 },
    },
  },
  prices: { asOf: '2026-11-27', usd: { search: 0 } },
  dataUse: {
    ...UNKNOWN_USE,
    checked: '2026-11-27',
    note: 'Nothing was found on what becomes of queries. The site terms restrict the use of its content for training models.',
  },
  search,
});
