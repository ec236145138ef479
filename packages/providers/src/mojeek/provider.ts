/** https://www.mojeek.com/support/api/search/request_parameters.html */
import type { JsonObject, Warning } from '@trawl/contract';
import { z } from 'zod';
import type { FailedAnswer, FailureReading } from '../declaration/call.ts';
import { defineProvider } from '../declaration/declare.ts';
import {
  checked,
  type FilterRule,
  type FilterRules,
  native,
  prefers,
  takes,
} from '../declaration/filters.ts';
import { defineSearch, never, rowCapabilities, supplied } from '../declaration/search.ts';
import { UNKNOWN_USE } from '../declaration/vendor.ts';
import { knownDate, rowReader, unixDate } from '../parsed/rows.ts';
import { DAY_MS } from '../values/dates.ts';
import { finiteNumber, object } from '../values/json.ts';
import { text } from '../values/text.ts';

/** Most hosts of a list. */
const HOSTS_MAX = 25;

/** A leading dot takes subdomains too. */
const hostsIn = (parameter: string, hosts: readonly string[] = []): JsonObject | null =>
  hosts.length > HOSTS_MAX ? null : { [parameter]: hosts.map((host) => `.${host}`).join(',') };

const hostRule = (parameters: Extract<FilterRule, { kind: 'native' }>['parameters']): FilterRule =>
  native(
    `takes up to ${HOSTS_MAX} hosts`,
    parameters,
    checked(`takes at most ${HOSTS_MAX} hosts, so its rows are checked for them here`),
  );

const compact = (day: string): string => day.replaceAll('-', '');
/** Its last day is not part of the range. */
const dayAfter = (day: string): string =>
  new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);

const filters: FilterRules = {
  include_domains: hostRule(({ include_domains }) => hostsIn('fi', include_domains)),
  exclude_domains: hostRule(({ exclude_domains }) => hostsIn('fe', exclude_domains)),
  published_after: native('takes a day in since', ({ published_after = '' }) => ({
    since: compact(published_after),
  })),
  published_before: native('takes a day in before', ({ published_before = '' }) => ({
    before: compact(dayAfter(published_before)),
  })),
  country: prefers('prefers pages of the region in rb', ({ country }) => ({ rb: country })),
  language: takes('a language', 'language', 'lr'),
  safe_search: native('takes safe, on or off', ({ safe_search }) => ({
    safe: safe_search === 'off' ? 0 : 1,
  })),
};

const C_DATE = /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) {1,2}(\d{1,2}) (\d\d:\d\d:\d\d) (\d{4})$/;

/** `Tue Jul 10 05:19:00 2007`, in UTC; null for anything else. */
function timeOf(value: unknown): string | null {
  const [, month, day, time, year] = C_DATE.exec(text(value) ?? '') ?? [];
  if (year === undefined) return null;
  const instant = new Date(`${day} ${month} ${year} ${time} GMT`);
  return Number.isNaN(instant.getTime()) ? null : instant.toISOString();
}

const rowsIn = rowReader({
  url: 'url',
  title: 'title',
  summary: 'desc',
  thumbnail: 'image.url',
  dropped: ['image', 'pdate', 'date'],
  more: ({ pdate, date }) => ({ date: unixDate(pdate) ?? knownDate(timeOf(date)) }),
});

/** The most rows that a call of its smallest plan returns, without a word in the answer. */
const LEAST_CAP = 10;

const cappedRemark = (count: number): Warning => ({
  code: 'capability_gap',
  message: `num_results: mojeek returned ${LEAST_CAP} of ${count} rows although it found more, as its smallest plan does`,
});

/** Failures have the status 200 and say so in words; a missing key is an empty 403. */
function readFailure({ status, body }: FailedAnswer): FailureReading | undefined {
  if (status === 403 && body === '') return { code: 'invalid_credential' };
  const said = text(object(object(body).response).status) ?? '';
  if (/^access denied/i.test(said)) return { code: 'invalid_credential' };
  if (/limit reached/i.test(said)) return { code: 'quota_exhausted' };
  return said === '' || said === 'OK' ? undefined : { code: 'upstream_error' };
}

const search = defineSearch({
  description: 'Web results of an independent index.',
  docsUrl: 'https://www.mojeek.com/support/api/search/request_parameters.html',
  count: { control: 'native', parameter: 't', max: 20 },
  capabilities: rowCapabilities({
    thumbnail: supplied,
    fetch_meta: never('does not say when or how it read the page'),
  }),
  filters,
  refusedOverrides: ['fmt'],
  timeoutMs: 10_000,
  concurrency: 5,
  // titles and texts are cut at 56 and 160 characters unless more is asked for
  request: ({ query, count }) => ({
    method: 'GET',
    path: '/search',
    query: { q: query, fmt: 'json', t: count, tlen: 127, dlen: 511, date: 1 },
  }),
  response: z.looseObject({
    response: z
      .looseObject({ results: z.array(z.unknown()).nullish() })
      .refine(({ status, head, results }) => status === 'OK' && !!(head ?? results)),
  }),
  parse: ({ response }, { count }) => {
    const rows = rowsIn(response.results);
    const found = finiteNumber(object(response.head).results) ?? 0;
    const isCapped = rows.length === LEAST_CAP && count > LEAST_CAP && found > LEAST_CAP;
    return { rows, remarks: isCapped ? [cappedRemark(count)] : [] };
  },
  readFailure,
});

export const mojeek = defineProvider({
  slug: 'mojeek',
  name: 'Mojeek',
  baseUrl: 'https://api.mojeek.com',
  authentication: { in: 'query', name: 'api_key' },
  credentialVariables: ['MOJEEK_API_KEY'],
  prices: { asOf: '2026-11-26', usd: { search: 0.003 } },
  dataUse: {
    ...UNKNOWN_USE,
    checked: '2026-11-26',
    note: 'Nothing was found: the terms of the API could not be read for this check. A firm in the United Kingdom with an index of its own.',
  },
  search,
});
