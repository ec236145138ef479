/**
 * Rows of an answer, read by a table: which key of the vendor's row is which of our fields. Keys
 * that the table does not name are left over, for `enrichments`: of keys that stand for the same
 * field, the first with a value counts, and the others are not repeated.
 */
import { type FetchMeta, isJsonObject, type JsonObject } from '@trawl/contract';
import { dated, isoDate, isoFromUnix, type RowDate } from '../values/dates.ts';
import { withoutInvisible } from '../values/invisible-characters.ts';
import { without } from '../values/json.ts';
import { withUnreadDate } from '../values/left-over.ts';
import { memberReader } from '../values/paths.ts';
import {
  joinedTexts,
  type LimitedText,
  limitedText,
  limitedTexts,
  limitedTitle,
  limitedTitles,
  text,
} from '../values/text.ts';
import { absoluteUrl } from '../values/urls.ts';
import type { CutField, ParsedRow, SuppliedRow } from './search.ts';

/** A key, or a path with dots and numbers. Of several, the first whose value can be read counts. */
type Place = string | readonly string[];

/** How a value becomes a field; null = it cannot be read. `page`: the address of its row. */
type ReadValue<Value> = (value: unknown, page: string | null) => Value | null;

/** A place whose values are not read in the usual way of its field. */
interface ReadAt<Value> {
  readonly at: Place;
  readonly read: ReadValue<Value>;
}

/** Where a field comes from. */
type From<Value> = Place | ReadAt<Value> | undefined;

/** How a vendor's row becomes ours. A field that is in neither the table nor `more` is null. */
export interface RowTable<Context = void> {
  readonly url?: From<string>;
  /** Without markup, on one line, like `author`. */
  readonly title?: From<LimitedText>;
  /** Without markup, like `excerpt`. */
  readonly summary?: From<LimitedText>;
  readonly excerpt?: From<LimitedText>;
  /** As it is. */
  readonly full_content?: From<string>;
  /** Of several, the first that is a date. One that is not stays in `enrichments` too. */
  readonly date?: From<RowDate>;
  /** Relative to the address of the row, like `favicon`. */
  readonly thumbnail?: From<string>;
  readonly favicon?: From<string>;
  readonly author?: From<LimitedText>;
  /** When the vendor read the page. */
  readonly fetch_meta?: From<FetchMeta>;
  /** Keys without a field that are left out of `enrichments` all the same; `all` = every key. */
  readonly dropped?: readonly string[] | 'all';
  /**
   * What a place cannot say: its members replace those of the table. `left`: what the table leaves
   * over, which are the `enrichments` unless it returns others.
   */
  readonly more?: (row: JsonObject, left: JsonObject, context: Context) => SuppliedRow;
}

/** For a place: an address that is whole. A relative one is not an address of the row's page. */
export const wholeUrl = (value: unknown): string | null => absoluteUrl(value, undefined);

/** For a place: a list of passages, as one text. */
export const joinedPassages = (value: unknown): LimitedText | null =>
  joinedTexts(limitedTexts(value), '\n\n');

/** For a place: a list of names. */
export const joinedNames = (value: unknown): LimitedText | null =>
  joinedTexts(limitedTitles(value), ', ');

/** A date whose words say no more than itself. */
export const knownDate = (publish_date: string | null): RowDate | null =>
  publish_date === null ? null : { publish_date, sent_date: undefined };

/** For a place: a Unix time. */
export const unixDate = (value: unknown): RowDate | null => knownDate(isoFromUnix(value));

/** When the vendor read a page; null where the time is not known. */
export function fetchedAt(time: unknown): FetchMeta | null {
  const fetched_at = isoDate(time);
  return fetched_at === null ? null : { status: null, cached: null, fetched_at };
}

/**
 * The rows of an answer by a table, which is compiled once. What is not an object becomes an empty
 * row, so that it is counted where rows without a URL are left out.
 */
export function rowReader<Context = void>(
  table: RowTable<Context>,
): (rows: unknown, context: Context) => readonly ParsedRow[] {
  const read = oneRowReader(table);
  return (rows, context) =>
    (Array.isArray(rows) ? rows : []).map((row) =>
      isJsonObject(row) ? read(row, context) : EMPTY_ROW,
    );
}

const NOTHING: SuppliedRow = {};

/** Written out, so that all rows have one shape: spreading costs three times as much. */
function oneRowReader<Context>({ more, ...table }: RowTable<Context>) {
  const url = memberOf(table.url, text);
  const titleAt = memberOf(table.title, limitedTitle);
  const summaryAt = memberOf(table.summary, limitedText);
  const excerptAt = memberOf(table.excerpt, limitedText);
  const fullContent = memberOf(table.full_content, text);
  const dateAt = dateOf(table.date);
  const thumbnail = memberOf(table.thumbnail, absoluteUrl);
  const favicon = memberOf(table.favicon, absoluteUrl);
  const authorAt = memberOf(table.author, limitedTitle);
  const fetchMeta = memberOf(table.fetch_meta, fetchedAt);
  const leftOver = leftOversOf(table);
  return (row: JsonObject, context: Context): ParsedRow => {
    const read = dateAt?.(row, null) ?? null;
    const left = leftOver(row, read);
    const own = more === undefined ? NOTHING : more(row, left, context);
    const page = own.url === undefined ? (url?.(row, null) ?? null) : own.url;
    const title = own.title === undefined ? titleAt?.(row, page) : own.title;
    const summary = own.summary === undefined ? summaryAt?.(row, page) : own.summary;
    const excerpt = own.excerpt === undefined ? excerptAt?.(row, page) : own.excerpt;
    const author = own.author === undefined ? authorAt?.(row, page) : own.author;
    const date = own.date === undefined ? read : own.date;
    return {
      url: page,
      title: visible(title?.text),
      summary: visible(summary?.text),
      excerpt: visible(excerpt?.text),
      full_content: visible(
        own.full_content === undefined ? fullContent?.(row, page) : own.full_content,
      ),
      publish_date: date === null ? null : date.publish_date,
      sent_date: date?.sent_date,
      thumbnail: (own.thumbnail === undefined ? thumbnail?.(row, page) : own.thumbnail) ?? null,
      favicon: (own.favicon === undefined ? favicon?.(row, page) : own.favicon) ?? null,
      author: visible(author?.text),
      fetch_meta: (own.fetch_meta === undefined ? fetchMeta?.(row, page) : own.fetch_meta) ?? null,
      enrichments: own.enrichments ?? left,
      cut:
        title?.wasCut || summary?.wasCut || excerpt?.wasCut || author?.wasCut
          ? cutFields({ title, summary, excerpt, author })
          : undefined,
    };
  };
}

type ReadMember<Value> = (row: JsonObject, page: string | null) => Value | null;

const isPlace = (from: Place | ReadAt<unknown>): from is Place =>
  typeof from === 'string' || Array.isArray(from);

const placesOf = (from: From<unknown>): readonly string[] => {
  if (from === undefined) return [];
  const place = isPlace(from) ? from : from.at;
  return typeof place === 'string' ? [place] : place;
};

function memberOf<Value>(
  from: From<Value>,
  usual: ReadValue<Value>,
): ReadMember<Value> | undefined {
  const read = from === undefined || isPlace(from) ? usual : from.read;
  const [first, ...others] = placesOf(from).map(memberReader);
  if (first === undefined) return undefined;
  if (others.length === 0) return (row, page) => read(first(row), page);
  return (row, page) => {
    let found = read(first(row), page);
    for (const other of others) found ??= read(other(row), page);
    return found;
  };
}

/** The date of a row, and the place that it was read from; absent = words only. */
interface ReadDate extends RowDate {
  readonly place?: string;
}

/** Of several values, the first that is a date counts, else the first words. */
function dateOf(from: From<RowDate>): ReadMember<ReadDate> | undefined {
  if (from === undefined || !isPlace(from)) return memberOf(from, dated);
  const members = placesOf(from).map((place) => ({ place, valueIn: memberReader(place) }));
  return (row) => {
    let words: RowDate | null = null;
    for (const { place, valueIn } of members) {
      const date = dated(valueIn(row));
      const { publish_date, sent_date } = date;
      if (publish_date !== null) return { publish_date, sent_date, place };
      if (sent_date !== undefined) words ??= date;
    }
    return words;
  };
}

/** What a table leaves of a row. An object of which only a part is read stays whole. */
function leftOversOf({
  dropped = [],
  ...fields
}: Omit<RowTable, 'more'>): (row: JsonObject, date: ReadDate | null) => JsonObject {
  if (dropped === 'all') return () => ({});
  const keysOf = (from: From<unknown>) => placesOf(from).filter((place) => !place.includes('.'));
  const consumed = new Set([...dropped, ...Object.values(fields).flatMap(keysOf)]);
  const { date } = fields;
  const dateKeys = date !== undefined && isPlace(date) ? keysOf(date) : [];
  return (row, read) => {
    let left = without(row, consumed);
    for (const key of dateKeys) if (key !== read?.place) left = withUnreadDate(left, row, key);
    return left;
  };
}

/** Of the texts of a row. */
const cutFields = (
  texts: Readonly<Record<CutField, LimitedText | null | undefined>>,
): readonly CutField[] => CUT_FIELDS.filter((field) => texts[field]?.wasCut);

const CUT_FIELDS: readonly CutField[] = ['title', 'summary', 'excerpt', 'author'];

/** As a reader sees it: a terminal obeys control characters. */
const visible = (text: string | null | undefined): string | null =>
  text == null ? null : withoutInvisible(text);

/** A row without any values. */
export const EMPTY_ROW: ParsedRow = {
  url: null,
  title: null,
  summary: null,
  excerpt: null,
  full_content: null,
  publish_date: null,
  sent_date: undefined,
  thumbnail: null,
  favicon: null,
  author: null,
  fetch_meta: null,
  enrichments: {},
  cut: undefined,
};
