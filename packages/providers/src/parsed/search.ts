import type { Answer, Entity, FetchMeta, FilterName, JsonObject, Warning } from '@trawl/contract';
import type { RowDate } from '../values/dates.ts';
import type { ReportedUsage } from '../values/price.ts';
import type { LimitedText } from '../values/text.ts';

/** The fields whose texts are cut at `TEXT_LIMITS`. */
export type CutField = 'title' | 'summary' | 'excerpt' | 'author';

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

/** A row as a provider's declaration reads it. `date`: `publish_date` and `sent_date`. */
export type SuppliedRow = Partial<
  Omit<ParsedRow, CutField | 'cut' | 'publish_date' | 'sent_date'> &
    Readonly<Record<CutField, LimitedText | null>> & { readonly date: RowDate | null }
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
