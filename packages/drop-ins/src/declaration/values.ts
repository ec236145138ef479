import { LIMITS } from '@trawl/contract';
import { DAY_MS } from '@trawl/providers';
import { z } from 'zod';

const DAYS = { hour: 0, day: 1, week: 7, month: 30, year: 365 } as const;
type DateSpan = keyof typeof DAYS;
/** The first letter of each span, as several vendors write it. */
export const SPAN_LETTERS = { d: 'day', w: 'week', m: 'month', y: 'year' } as const;

/** Why parameters are refused or have no effect, in words that several vendors' tables share. */
export const UNSUPPORTED = 'not available through trawl';
export const CHAIN_DECIDES = 'the chain of providers decides how a page is read';
export const CLIENT_NAME = 'says which client it is';
export const PROGRAM_NAME = 'says which program it is';
export const OWN_LIMITS = 'the server has its own limits';

/** The day so many days before `today`, as YYYY-MM-DD. */
export const daysBefore = (today: string, days: number): string =>
  new Date(Date.parse(today) - days * DAY_MS).toISOString().slice(0, 10);

/** Pages of the web are younger. */
const DAYS_MAX = 36_500;

/** The first day of the last hour, day, week, month or year, or of so many of them. */
export const startOf = (span: DateSpan, today: string, count = 1): string =>
  daysBefore(today, Math.min(DAYS_MAX, DAYS[span] * count));

/** A whole number, also as a text: several vendors read `"10"` as 10. */
export const wholeNumber = z.union([
  z.int(),
  z
    .string()
    .regex(/^\s{0,9}\+?\d{1,9}(?:\.0{1,9})?\s{0,9}$/, 'must be a whole number')
    .transform(Number),
]);

/** A number of rows. More than we can return is refused: fewer rows would pass unnoticed. */
export const rowCount = wholeNumber.pipe(
  z
    .int()
    .min(LIMITS.resultsMin)
    .max(LIMITS.resultsMax, `trawl returns at most ${LIMITS.resultsMax} rows`),
);

/** A number of rows, cut to what we can return, as clients of several vendors expect. */
export const clampedCount = wholeNumber.transform((count) =>
  Math.min(Math.max(count, LIMITS.resultsMin), LIMITS.resultsMax),
);

const YES = new Set(['true', '1', 'yes', 'on', 't', 'y']);
const YES_OR_NO = 'must be true or false';
const NO = new Set(['false', '0', 'no', 'off', 'f', 'n', 'none']);

/** Whether something is wanted, in the words of several languages: Python writes True. */
export const flag = z.union([
  z.boolean(),
  z.literal([0, 1], YES_OR_NO).transform((number) => number === 1),
  z
    .string()
    .refine((word) => YES.has(word.toLowerCase()) || NO.has(word.toLowerCase()), YES_OR_NO)
    .transform((word) => YES.has(word.toLowerCase())),
]);

/** Words for no value, which clients in Python and JavaScript send. */
const ABSENT = new Set(['none', 'null', 'undefined']);

/** A value that may also be one of these words. */
export const orAbsent = <Schema extends z.ZodType>(schema: Schema) =>
  z.union([
    z
      .string()
      .refine((word) => ABSENT.has(word.toLowerCase()))
      .transform(() => undefined),
    schema,
  ]);

/** More than any such list has. */
const LIST_MAX = 1_000;

/**
 * A list that is refused as a whole when it is long: to refuse its items one by one takes a second
 * for a million.
 */
export const shortList = <List extends z.ZodArray>(list: List) =>
  z.array(z.unknown()).max(LIST_MAX, `must have at most ${LIST_MAX} items`).pipe(list);

/** One URL, or a list of them. */
export const urlList = z.union([
  z.string().transform((url) => [url]),
  shortList(z.array(z.string()).min(1)),
]);

/** The host of an entry that may be an address. */
export const hostOf = (text: string): string =>
  text.replace(/^[a-z]{1,9}:\/\//i, '').split('/')[0] ?? '';

/** Host names; clients send an empty list for all hosts. */
export const hostList = shortList(z.array(z.string()))
  .transform((hosts) => (hosts.length > 0 ? hosts : undefined))
  .optional();

/** The degree of a vendor that only switches safe search on or off. */
export const safeSearchOf = (isOn: boolean | undefined) =>
  isOn === undefined ? undefined : isOn ? 'moderate' : 'off';

/** The day (UTC) of an ISO date or date-time. */
export const dayOf = z
  .string()
  .refine((text) => !Number.isNaN(Date.parse(text)), 'must be an ISO 8601 date or date-time')
  .transform((text) =>
    /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : new Date(text).toISOString().slice(0, 10),
  );

/** Passages, as an excerpt has them: with blank lines between. */
export const passagesOf = (excerpt: string | null): readonly string[] =>
  excerpt === null ? [] : excerpt.split('\n\n').filter((part) => part !== '');

/** The language of a locale such as `en-US`, in small letters. */
export const languageOf = (locale: string): string => (locale.split(/[-_]/)[0] ?? '').toLowerCase();

/** The country of a locale such as `en-US`, in capitals; undefined without one. */
export function countryOf(locale: string): string | undefined {
  const region = locale.split(/[-_]/)[1] ?? '';
  return /^[a-z]{2}$/i.test(region) ? region.toUpperCase() : undefined;
}

/** Languages that Google spells otherwise than ISO 639-1. */
const GOOGLE_SPELLINGS: Readonly<Record<string, string>> = { iw: 'he', jw: 'jv' };
export const languageOfGoogle = (code: string): string =>
  GOOGLE_SPELLINGS[languageOf(code)] ?? languageOf(code);

/**
 * What to ask for where a client wants `count` rows after the first `skipped` of a list: all rows
 * up to them, as far as one search goes. After that there are none.
 */
export const windowOf = (skipped: number, count: number) => ({
  numResults: Math.min(LIMITS.resultsMax, skipped + count),
  isLaterPage: skipped >= LIMITS.resultsMax,
});

const TIME_LETTERS = { ...SPAN_LETTERS, h: 'hour' } as const;
/** `qdr:w`, or a range of days as month/day/year. */
const TIME_SPAN = /^qdr:([hdwmy])$/;
const TIME_RANGE =
  /^cdr:1,cd_min:(\d{1,2})\/(\d{1,2})\/(\d{4})(?:,cd_max:(\d{1,2})\/(\d{1,2})\/(\d{4}))?$/;

/** Google's `tbs`, which other vendors took over. */
export const timeText = z
  .string()
  .max(100)
  .refine(
    (text) => TIME_SPAN.test(text) || TIME_RANGE.test(text),
    'must be qdr:h, qdr:d, qdr:w, qdr:m, qdr:y or cdr:1,cd_min:M/D/YYYY,cd_max:M/D/YYYY',
  );

/** The first and last day of a `timeText`. */
export function daysOfTimeText(text: string | undefined, today: string) {
  if (text === undefined) return {};
  const letter = TIME_SPAN.exec(text)?.[1] as keyof typeof TIME_LETTERS | undefined;
  if (letter !== undefined) return { published_after: startOf(TIME_LETTERS[letter], today) };
  const [, month, date, year, lastMonth, lastDate, lastYear] = TIME_RANGE.exec(text) ?? [];
  return {
    published_after: isoDay(month, date, year),
    published_before: lastYear === undefined ? undefined : isoDay(lastMonth, lastDate, lastYear),
  };
}

/** `3/1/2026` as `2026-03-01`. */
export const isoDay = (month = '', date = '', year = ''): string =>
  `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`;
