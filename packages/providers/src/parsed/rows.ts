/**
 * Rows of an answer, read by a table: which key of the vendor's row is which of our fields. What no
 * key of the table reads is left over, for `enrichments`.
 */
import { type FetchMeta, isJsonObject, type JsonObject } from '@trawl/contract';
import { dated, isoDate, isoFromUnix, type RowDate } from '../values/dates.ts';
import { withoutInvisible } from '../values/invisible-characters.ts';
import { leftOver } from '../values/left-over.ts';
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
  const supplied = suppliedBy(table);
  const left = leftOversOf(table);
  const { more } = table;
  const read = (row: JsonObject, context: Context): ParsedRow => {
    const rest = left(row);
    return rowOf(supplied(row, rest, more === undefined ? NOTHING : more(row, rest, context)));
  };
  return (rows, context) =>
    (Array.isArray(rows) ? rows : []).map((row) =>
      isJsonObject(row) ? read(row, context) : EMPTY_ROW,
    );
}

const NOTHING: SuppliedRow = {};

type ReadMember<Value> = (row: JsonObject, page: string | null) => Value | null;

/** All fields of a row: those of `own`, else those at the places of a table. */
function suppliedBy<Context>(table: RowTable<Context>) {
  const url = memberOf(table.url, text);
  const title = memberOf(table.title, limitedTitle);
  const summary = memberOf(table.summary, limitedText);
  const excerpt = memberOf(table.excerpt, limitedText);
  const fullContent = memberOf(table.full_content, text);
  const date = dateOf(table.date);
  const thumbnail = memberOf(table.thumbnail, absoluteUrl);
  const favicon = memberOf(table.favicon, absoluteUrl);
  const author = memberOf(table.author, limitedTitle);
  const fetchMeta = memberOf(table.fetch_meta, fetchedAt);
  return (row: JsonObject, left: JsonObject, own: SuppliedRow): SuppliedRow => {
    const page = own.url === undefined ? url(row, null) : own.url;
    return {
      url: page,
      title: own.title === undefined ? title(row, page) : own.title,
      summary: own.summary === undefined ? summary(row, page) : own.summary,
      excerpt: own.excerpt === undefined ? excerpt(row, page) : own.excerpt,
      full_content: own.full_content === undefined ? fullContent(row, page) : own.full_content,
      date: own.date === undefined ? date(row, page) : own.date,
      thumbnail: own.thumbnail === undefined ? thumbnail(row, page) : own.thumbnail,
      favicon: own.favicon === undefined ? favicon(row, page) : own.favicon,
      author: own.author === undefined ? author(row, page) : own.author,
      fetch_meta: own.fetch_meta === undefined ? fetchMeta(row, page) : own.fetch_meta,
      enrichments: own.enrichments ?? left,
    };
  };
}

const isPlace = (from: Place | ReadAt<unknown>): from is Place =>
  typeof from === 'string' || Array.isArray(from);

const placesOf = (from: From<unknown>): readonly string[] => {
  if (from === undefined) return [];
  const place = isPlace(from) ? from : from.at;
  return typeof place === 'string' ? [place] : place;
};

const nothing = () => null;

function memberOf<Value>(from: From<Value>, usual: ReadValue<Value>): ReadMember<Value> {
  const read = from === undefined || isPlace(from) ? usual : from.read;
  const [first, ...others] = placesOf(from).map(memberReader);
  if (first === undefined) return nothing;
  if (others.length === 0) return (row, page) => read(first(row), page);
  return (row, page) => {
    let found = read(first(row), page);
    for (const other of others) found ??= read(other(row), page);
    return found;
  };
}

/** Of several values, the first that is a date counts, else the first words. */
function dateOf(from: From<RowDate>): ReadMember<RowDate> {
  if (from === undefined || !isPlace(from)) return memberOf(from, dated);
  const members = placesOf(from).map(memberReader);
  const [first] = members;
  if (first !== undefined && members.length === 1) return (row) => dated(first(row));
  return (row) => dated(...members.map((member) => member(row)));
}

/** What a table leaves of a row. An object of which only a part is read stays whole. */
function leftOversOf<Context>({
  dropped = [],
  more: _,
  ...fields
}: RowTable<Context>): (row: JsonObject) => JsonObject {
  if (dropped === 'all') return () => ({});
  const keysOf = (from: From<unknown>) => placesOf(from).filter((place) => !place.includes('.'));
  const consumed = new Set([...dropped, ...Object.values(fields).flatMap(keysOf)]);
  const { date } = fields;
  const dateKeys = date !== undefined && isPlace(date) ? keysOf(date) : [];
  return (row) => leftOver(row, consumed, ...dateKeys);
}

/** Written out, so that all rows have one shape: spreading costs three times as much. */
function rowOf(value: SuppliedRow): ParsedRow {
  return {
    url: value.url ?? null,
    title: visible(value.title?.text),
    summary: visible(value.summary?.text),
    excerpt: visible(value.excerpt?.text),
    full_content: visible(value.full_content),
    publish_date: value.date?.publish_date ?? null,
    sent_date: value.date?.sent_date,
    thumbnail: value.thumbnail ?? null,
    favicon: value.favicon ?? null,
    author: visible(value.author?.text),
    fetch_meta: value.fetch_meta ?? null,
    enrichments: value.enrichments ?? {},
    cut: cutFields(value),
  };
}

const LIMITED_FIELDS: readonly CutField[] = ['title', 'summary', 'excerpt', 'author'];

function cutFields(value: SuppliedRow): readonly CutField[] | undefined {
  let cut: CutField[] | undefined;
  for (const field of LIMITED_FIELDS) {
    if (!value[field]?.wasCut) continue;
    cut ??= [];
    cut.push(field);
  }
  return cut;
}

/** As a reader sees it: a terminal obeys control characters. */
const visible = (text: string | null | undefined): string | null =>
  text == null ? null : withoutInvisible(text);

/** A row without any values. */
export const EMPTY_ROW: ParsedRow = rowOf({});
