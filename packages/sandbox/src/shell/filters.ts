import { type JsonObject, textAt, valueAt } from '../util/json.ts';
import { DAY_MS, type PageFilter, SANDBOX_NOW } from '../web/pages.ts';
import { listed } from './declaration.ts';

/** Where a vendor's request has its filters; a path may have dots. */
interface FilterPlaces {
  readonly include?: string;
  readonly exclude?: string;
  /** A day, with or without a time. */
  readonly after?: string;
  readonly before?: string;
}

/** The filters of a request; undefined without any. */
export function filterAt(asked: JsonObject, places: FilterPlaces): PageFilter | undefined {
  const hosts = (path = '') => listed(valueAt(asked, path));
  const day = (path = '') => textAt(asked, path)?.slice(0, 10);
  return filterOf({
    include: hosts(places.include),
    exclude: hosts(places.exclude),
    after: day(places.after),
    before: day(places.before),
  });
}

/** Undefined where nothing is asked for. */
export function filterOf(filter: PageFilter): PageFilter | undefined {
  const { include = [], exclude = [], after, before } = filter;
  const isEmpty = include.length + exclude.length === 0 && (after ?? before) === undefined;
  return isEmpty ? undefined : filter;
}

/**
 * The hosts of `site:` and `-site:` in a query, for vendors that document these operators. Users
 * report rows of other hosts with them (https://github.com/spences10/mcp-omnisearch/issues/53), so
 * they are soft.
 */
export function sitesIn(query: string): PageFilter {
  const words = query.split(/\s+/);
  const after = (prefix: string) =>
    words.filter((word) => word.startsWith(prefix)).map((word) => word.slice(prefix.length));
  const [include, exclude] = [after('site:'), after('-site:')];
  return { include, exclude, isSoft: include.length + exclude.length > 0 };
}

/** A range as `YYYY-MM-DDtoYYYY-MM-DD`; other words are not understood. */
export function rangeOf(text: string | null | undefined): PageFilter {
  const [after, before] = (text ?? '').split('to');
  return before === undefined ? {} : { after, before };
}

/** Days of Google's spans. */
const SPANS: Readonly<Record<string, number>> = { h: 1, d: 1, w: 7, m: 30, y: 365 };

/** The first day of one of Google's spans, `qdr:w`, or of its range; undefined without one. */
export function firstDayOfSpan(tbs: string | null | undefined): string | undefined {
  const [, span] = /^qdr:([hdwmy])/.exec(tbs ?? '') ?? [];
  if (span === undefined) return dayOfAmerican(/cd_min:([\d/]{1,10})/.exec(tbs ?? '')?.[1]);
  const ms = Date.parse(`${SANDBOX_NOW}Z`) - (SPANS[span] ?? 0) * DAY_MS;
  return new Date(ms).toISOString().slice(0, 10);
}

/** `01/31/2026` or `1/31/2026` as `2026-01-31`. */
export function dayOfAmerican(text: string | undefined): string | undefined {
  const [month = '', day = '', year] = (text ?? '').split('/');
  return year === undefined
    ? undefined
    : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}
