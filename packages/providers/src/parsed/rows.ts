/**
 * Rows of an answer, read by a table. Keys that it does not name are left over, for `enrichments`.
 * Of keys for the same field, the first with a value counts, and the others are not repeated.
 */
import { type FetchMeta, isJsonObject, type JsonObject } from '@trawl/contract';
import { dated, isoDate, isoFromUnix, type RowDate } from '../values/dates.ts';
import { withoutInvisible } from '../values/invisible-characters.ts';
import { object } from '../values/json.ts';
import { memberReader } from '../values/paths.ts';
import { type LimitedText, limitedText, limitedTitle, text } from '../values/text.ts';
import { absoluteUrl } from '../values/urls.ts';
import type { CutField, ParsedRow, SuppliedRow } from './search.ts';
import {
  type From,
  isPlace,
  type KeyRules,
  leftOversOf,
  memberOf,
  placesOf,
  type ReadMember,
} from './table.ts';

/** How a vendor's row becomes ours. A field that is in neither the table nor `more` is null. */
export interface RowTable<Context = void> extends KeyRules {
  /**
   * The member of the vendor's row that has the fields: places are read in it, and its other keys
   * are left over. `more` gets the whole row.
   */
  readonly within?: string;
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
  /**
   * What a place cannot say: its members replace those of the table. `left`: what the table leaves
   * over, which are the `enrichments` unless it returns others.
   */
  readonly more?: (sent: JsonObject, left: JsonObject, context: Context) => SuppliedRow;
}

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
function oneRowReader<Context>({
  more,
  within,
  dropped = [],
  split = [],
  ...table
}: RowTable<Context>) {
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
  const leftOver = leftOversOf(table, { dropped, split }, table.date);
  return (sent: JsonObject, context: Context): ParsedRow => {
    const row = within === undefined ? sent : object(sent[within]);
    const read = dateAt?.(row, null) ?? null;
    const left = leftOver(row, read?.place);
    const own = more === undefined ? NOTHING : more(sent, left, context);
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
