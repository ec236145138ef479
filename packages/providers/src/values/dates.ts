export const DAY_MS = 86_400_000;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(\.\d{1,9})?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;
const MONTH_FIRST = /^([a-z]{3,9})\.?\s+(\d{1,2}),?\s+(\d{4})$/i;
/** A year, or a month of it. */
const PARTIAL = /^[12]\d{3}(?:-(?:0[1-9]|1[0-2]))?$/;
const MONTH_ONLY = /^([a-z]{3,9})\.?,?\s+([12]\d{3})$/i;
const DAY_FIRST = /^(\d{1,2})\s+([a-z]{3,9})\.?,?\s+(\d{4})$/i;
/** The usual form. It is the answer's too, so it need not be taken apart. */
const USUAL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z?$/;
/** Characters; a longer text is not a date. */
const LONGEST_DATE = 100;
/**
 * As in HTTP headers, mail and feeds: `Tue, 03 Feb 2026 08:15:00 GMT`. The weekday, the seconds and
 * half of the year may be missing (RFC 5322 4.3), and HTTP once had dashes and long weekdays (RFC
 * 9110 5.6.7).
 */
const INTERNET =
  /^(?:[a-z]{3,9}\.?,?\s+)?(\d{1,2})[\s-]+([a-z]{3,9})[\s-]+(\d{2}|\d{4})\s+(\d{1,2}:\d{2}(?::\d{2})?)(?:\s*([a-z]{1,5}|[+-]\d{2}:?\d{2}))?(?:\s*\([^()]*\))?$/i;

/** Of RFC 5322 4.3. */
const ZONES: Readonly<Record<string, string>> = {
  ...{ UT: 'Z', UTC: 'Z', GMT: 'Z', Z: 'Z' },
  ...{ EDT: '-0400', EST: '-0500', CDT: '-0500', CST: '-0600' },
  ...{ MDT: '-0600', MST: '-0700', PDT: '-0700', PST: '-0800' },
};

/**
 * A date as upstreams spell it → ISO 8601: a year, a month, a date, or a date-time in UTC, in the
 * precision received. A time without zone is read as UTC. Relative ("2 days ago"), impossible and
 * unreadable dates are null: nothing is guessed.
 */
export function isoDate(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const spelled = value.slice(0, LONGEST_DATE + 1).trim();
  if (spelled.length > LONGEST_DATE) return null;
  if (USUAL.test(spelled)) return fromUsual(spelled);
  const iso = ISO.exec(spelled);
  if (iso) return fromIso(iso);
  if (PARTIAL.test(spelled)) return spelled;
  const monthOnly = MONTH_ONLY.exec(spelled);
  if (monthOnly) return fromWords(monthOnly[2], monthOnly[1], '01')?.slice(0, 7) ?? null;
  const monthFirst = MONTH_FIRST.exec(spelled);
  if (monthFirst) return fromWords(monthFirst[3], monthFirst[1], monthFirst[2]);
  const dayFirst = DAY_FIRST.exec(spelled);
  if (dayFirst) return fromWords(dayFirst[3], dayFirst[2], dayFirst[1]);
  const internet = INTERNET.exec(spelled);
  return internet && fromInternet(internet);
}

function fromUsual(spelled: string): string | null {
  const isReal =
    isRealDay(spelled.slice(0, 4), spelled.slice(5, 7), spelled.slice(8, 10)) &&
    isRealTime(spelled.slice(11, 13), spelled.slice(14, 16), spelled.slice(17, 19));
  if (!isReal) return null;
  return spelled.endsWith('Z') ? spelled : `${spelled}Z`;
}

function fromIso(parts: RegExpExecArray): string | null {
  const [, year = '', month = '', day = '', hour, minute, second, fraction = '', zone] = parts;
  const date = `${year}-${month}-${day}`;
  if (!isRealDay(year, month, day)) return null;
  if (hour === undefined || minute === undefined) return date;
  if (!isRealTime(hour, minute, second)) return null;
  const time = second === undefined ? `${hour}:${minute}` : `${hour}:${minute}:${second}`;
  if (zone === undefined || zone.toUpperCase() === 'Z') return `${date}T${time}${fraction}Z`;
  const offset = zone.length === 3 ? `${zone}:00` : zone.replace(/(\d{2}):?(\d{2})$/, '$1:$2');
  const instant = new Date(`${date}T${time}${offset}`);
  if (Number.isNaN(instant.getTime())) return null;
  return `${instant.toISOString().slice(0, second === undefined ? 16 : 19)}${fraction}Z`;
}

function fromInternet([, day, month, year = '', time = '', zone = 'Z']: RegExpExecArray) {
  const century = Number(year) < 50 ? '20' : '19';
  const date = fromWords(year.length === 2 ? century + year : year, month, day);
  const offset = /^[+-]/.test(zone) ? zone : ZONES[zone.toUpperCase()];
  // of a zone that is not known, only the day is
  return (
    date &&
    (offset ? isoDate(`${date}T${time.padStart(time.length > 5 ? 8 : 5, '0')}${offset}`) : date)
  );
}

function fromWords(year = '', month = '', day = ''): string | null {
  const index = MONTHS.indexOf(month.slice(0, 3).toLowerCase());
  if (index < 0) return null;
  const parts = [year, String(index + 1).padStart(2, '0'), day.padStart(2, '0')] as const;
  return isRealDay(...parts) ? parts.join('-') : null;
}

/** Two digits each. */
const isRealTime = (hour: string, minute: string, second = '00'): boolean =>
  hour <= '23' && minute <= '59' && second <= '59';

const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Two digits each for month and day, four for the year. */
function isRealDay(year: string, month: string, day: string): boolean {
  const most = DAYS[Number(month) - 1] ?? 0;
  if (day < '01' || Number(day) > most) return false;
  if (month !== '02' || day !== '29') return true;
  return Number(year) % 4 === 0 && (Number(year) % 100 !== 0 || Number(year) % 400 === 0);
}

/** Days in UTC as texts that compare in their order; the first and the last of a span. */
export interface Days {
  readonly first: string;
  readonly last: string;
}

const AGO = /^(\d{1,3}|an?) (second|minute|min|hour|day|week|month|year)s? ago$/i;
const NEAR: Readonly<Record<string, string>> = {
  now: '0 hours ago',
  'just now': '0 hours ago',
  today: '0 days ago',
  yesterday: '1 day ago',
};
const HOUR_MS = DAY_MS / 24;
/** The least and the most milliseconds of a unit; vendors round down to whole ones. */
const UNITS: Readonly<Record<string, readonly [number, number]>> = {
  second: [1_000, 1_000],
  minute: [60_000, 60_000],
  min: [60_000, 60_000],
  hour: [HOUR_MS, HOUR_MS],
  day: [DAY_MS, DAY_MS],
  week: [7 * DAY_MS, 7 * DAY_MS],
  month: [28 * DAY_MS, 31 * DAY_MS],
  year: [365 * DAY_MS, 366 * DAY_MS],
};

/** The day in UTC. @param time milliseconds since 1970 */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Of "3 weeks ago"; null for other texts. */
function daysAgo(words: string, now: number): Days | null {
  const [, count = '', unit = ''] = AGO.exec(NEAR[words.toLowerCase()] ?? words) ?? [];
  const [least, most] = UNITS[unit.toLowerCase()] ?? [];
  if (least === undefined || most === undefined) return null;
  const whole = /^a/i.test(count) ? 1 : Number(count);
  return { first: dayOf(now - (whole + 1) * most), last: dayOf(now - whole * least) };
}

/** Zones are from 12 hours behind UTC to 14 hours ahead of it. */
const [BEHIND_MS, AHEAD_MS] = [12 * HOUR_MS, 14 * HOUR_MS];

/**
 * The days that a date may mean, as upstreams spell it: all of a month or a year, all of the unit
 * of "3 weeks ago", and those of every zone where a time has none. null where it cannot be read.
 * @param now milliseconds since 1970
 */
export function daysOf(sent: string | null, now: number): Days | null {
  const words = sent?.slice(0, LONGEST_DATE + 1).trim() ?? '';
  const iso = isoDate(words);
  if (iso === null) return daysAgo(words, now);
  // another zone after one that is there could not be read
  const time = iso.includes('T') && isoDate(`${words}Z`) === iso ? Date.parse(iso) : Number.NaN;
  if (!Number.isNaN(time)) return { first: dayOf(time - AHEAD_MS), last: dayOf(time + BEHIND_MS) };
  const day = iso.slice(0, 10);
  return { first: day, last: day.padEnd(10, '~') };
}

/** The date of a row. */
export interface RowDate {
  readonly publish_date: string | null;
  /** The vendor's words, where they say more: which words, or that there was no zone. */
  readonly sent_date: string | undefined;
}

/**
 * The date of a row, from what a vendor sent for it, the best value first: the first that can be
 * read, else the first text.
 */
export function dated(...values: readonly unknown[]): RowDate {
  let sent: string | undefined;
  let publish_date: string | null = null;
  for (const value of values) {
    if (typeof value !== 'string' || value.trim() === '') continue;
    const date = isoDate(value);
    sent = date === null ? (sent ?? value) : value;
    publish_date = date;
    if (date !== null) break;
  }
  const saysMore = publish_date === null || (publish_date.endsWith('Z') && publish_date !== sent);
  return { publish_date, sent_date: saysMore ? sent?.slice(0, LONGEST_DATE + 1) : undefined };
}

/** A Unix time in seconds or milliseconds → ISO date-time in UTC; null when it is neither. */
export function isoFromUnix(value: unknown): string | null {
  if (typeof value !== 'number' || !(value > 0)) return null;
  const instant = new Date(value < 1e11 ? value * 1000 : value);
  return Number.isNaN(instant.getTime()) ? null : instant.toISOString();
}
