import {
  type Answer,
  type Entity,
  type FetchMeta,
  type FilterName,
  isJsonObject,
  type JsonObject,
  type Warning,
} from '@trawl/contract';
import type { RowDate } from '../values/dates.ts';
import { withoutInvisible } from '../values/invisible-characters.ts';
import type { ReportedUsage } from '../values/price.ts';
import type { LimitedText } from '../values/text.ts';

const LIMITED_FIELDS = ['title', 'summary', 'excerpt', 'author'] as const;

export type CutField = (typeof LIMITED_FIELDS)[number];

/**
 * A result row in our words. A value that the provider did not send is null. `url` still as
 * received.
 */
export interface ParsedRow {
  readonly url: string | null;
  readonly title: string | null;
  readonly summary: string | null;
  readonly excerpt: string | null;
  readonly full_content: string | null;
  readonly publish_date: string | null;
  /** The date in the vendor's words, where these say more than `publish_date`; for checks only. */
  readonly sent_date: string | undefined;
  readonly thumbnail: string | null;
  readonly favicon: string | null;
  readonly author: string | null;
  readonly fetch_meta: FetchMeta | null;
  /** Keys of the provider's row that no field above uses, verbatim. */
  readonly enrichments: JsonObject;
  /** Fields whose text was longer than `TEXT_LIMITS`; undefined = none. */
  readonly cut: readonly CutField[] | undefined;
}

/** A row as a provider's declaration reads it. `date`: `publish_date`, where words may say more. */
export type SuppliedRow = Partial<
  Omit<ParsedRow, CutField | 'cut' | 'sent_date'> &
    Readonly<Record<CutField, LimitedText | null>> & { readonly date: RowDate }
>;

/** An answer in our words. */
export interface ParsedSearch {
  readonly rows: readonly ParsedRow[];
  readonly usage: ReportedUsage | null;
  readonly answer: Answer | null;
  readonly entities: readonly Entity[];
  readonly related: readonly string[];
  readonly verticals: JsonObject | null;
  /**
   * What the provider reports in addition, and what it does not supply in the mode that overrides
   * ask for.
   */
  readonly remarks: readonly Warning[];
  /**
   * Filters that it was sent and says it ignored; the reason completes "<filter>: <provider> …".
   */
  readonly ignoredFilters: readonly IgnoredFilter[];
}

export interface IgnoredFilter {
  readonly name: FilterName;
  readonly reason: string;
}

/**
 * What a declaration's `parse` returns: the rows, and everything else that the provider supplied.
 */
export type SuppliedSearch = Pick<ParsedSearch, 'rows'> & Partial<ParsedSearch>;

/** An answer in which nothing was found and nothing else was supplied. */
export const EMPTY_SEARCH: ParsedSearch = {
  rows: [],
  usage: null,
  answer: null,
  entities: [],
  related: [],
  verticals: null,
  remarks: [],
  ignoredFilters: [],
};

/**
 * The rows of an answer. Each is read from its own object; fields that a reader leaves out are
 * null. What is not an object becomes an empty row, so that it is counted where rows without a URL
 * are left out.
 */
export function readRows(
  rows: unknown,
  read: (row: JsonObject) => SuppliedRow,
): readonly ParsedRow[] {
  return (Array.isArray(rows) ? rows : []).map((row) => {
    if (!isJsonObject(row)) return EMPTY_ROW;
    return rowOf(read(row));
  });
}

/** Written out, so that all rows have one shape: spreading costs three times as much. */
function rowOf(value: SuppliedRow): ParsedRow {
  return {
    url: value.url ?? null,
    title: visible(value.title?.text),
    summary: visible(value.summary?.text),
    excerpt: visible(value.excerpt?.text),
    full_content: visible(value.full_content),
    publish_date: value.date ? value.date.publish_date : (value.publish_date ?? null),
    sent_date: value.date?.sent_date,
    thumbnail: value.thumbnail ?? null,
    favicon: value.favicon ?? null,
    author: visible(value.author?.text),
    fetch_meta: value.fetch_meta ?? null,
    enrichments: value.enrichments ?? {},
    cut: cutFields(value),
  };
}

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
