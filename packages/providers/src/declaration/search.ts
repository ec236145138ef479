import type { JsonObject, ResultField, Tier } from '@trawl/contract';
import type { z } from 'zod';
import type { ParsedSearch, SuppliedSearch } from '../parsed/search.ts';
import type { Price, Rates, ReportedUsage } from '../values/price.ts';
import type { Authentication, FailedAnswer, HttpCall } from './call.ts';
import type { FilteringProvider } from './filters.ts';
import type { KeyedForm, KeylessForm } from './keyless.ts';
import type { Operation, Vendor } from './vendor.ts';

/** The part of a request that a declaration may depend on. */
export interface Wanted {
  /** null in fields mode. */
  readonly tier: Tier | null;
  /** The active fields, of a tier or named. */
  readonly fields: ReadonlySet<ResultField>;
  readonly fullContent: boolean;
  /** This provider's block of `provider_overrides`. */
  readonly overrides: JsonObject;
}

/**
 * Whether page text is asked for where it costs extra: at `max`, by name, and at `extended` only
 * with full content.
 */
export const buysFullContent = ({ tier, fields, fullContent }: Wanted): boolean =>
  fields.has('full_content') && (tier !== 'extended' || fullContent);

/**
 * Whether a provider supplies a field:
 * - `supplied`: whenever it is active;
 * - `never`: at no tier or option, with the reason (completes "<field>: <provider> …");
 * - `on_condition`: only where `when` holds, because it costs extra or must be asked for; `reason`
 *   says what adds it.
 */
export type Supply =
  | { readonly kind: 'supplied' }
  | { readonly kind: 'never'; readonly reason: string }
  | {
      readonly kind: 'on_condition';
      readonly when: (wanted: Wanted) => boolean;
      readonly reason: string;
    };

export const supplied: Supply = { kind: 'supplied' };
export const never = (reason: string): Supply => ({ kind: 'never', reason });
export const onCondition = (when: (wanted: Wanted) => boolean, reason: string): Supply => ({
  kind: 'on_condition',
  when,
  reason,
});

/**
 * The capability table of one provider: no field may be left out. `url`, `rank` and `source` are
 * set for all.
 */
export type Capabilities = Readonly<Record<ResultField, Supply>>;

/**
 * How a result count reaches the provider:
 * - `native`: sent as `parameter` (dots lead into objects), at most `max`; rows beyond it are cut
 *   unless `keepsExtraRows`;
 * - `trim`: nothing to send, rows are cut;
 * - `page`: one page of `max` rows comes back, rows are cut. With `trim` and `page`, asking for
 *   more than `max` is a gap. The server itself never sends `parameter` there: a caller who
 *   overrides it gets that many rows.
 */
export type CountControl =
  | {
      readonly control: 'native';
      readonly parameter: string;
      readonly max: number;
      readonly keepsExtraRows?: true;
    }
  | { readonly control: 'trim' | 'page'; readonly max: number; readonly parameter?: string };

/** One query as planned for one provider. */
export interface SearchPlan {
  readonly query: string;
  /** Rows to ask for, clamped to what the provider takes. */
  readonly count: number;
  readonly wanted: Wanted;
}

/** One query as planned, and when it was answered. */
export interface AnsweredSearch extends SearchPlan {
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The cheapest mode that is still an ordinary search. */
export interface EconomyMode {
  /** What asks for it; a caller's own override of the same parameter wins. */
  readonly overrides: JsonObject;
  /** Completes "<provider> …": what it is, and what it costs. */
  readonly meaning: string;
}

/** A value of the operator's account without which a search cannot be asked for. */
export interface AccountSetting {
  /** The environment variable, such as `BRIGHTDATA_SERP_ZONE`. */
  readonly variable: string;
  /** The member of the request's body that holds it. */
  readonly parameter: string;
  /** Completes "<variable>: …" in the docs. */
  readonly meaning: string;
}

export interface QueryLimit {
  /** Unicode code points. */
  readonly characters?: number;
  readonly words?: number;
  /**
   * A longer one is not sent, with the operators of filters: what is left of it would ask for
   * something else.
   */
  readonly isRefused?: true;
}

/**
 * List price of one successful call; `rates` are this provider's own, as declared or the
 * operator's. `usage` is what it reports, null before the call.
 */
export type SearchPrice = (plan: SearchPlan, rates: Rates, usage: ReportedUsage | null) => Price;

/** What a provider declares of its search. */
export interface SearchDeclaration<Body>
  extends Omit<Operation, 'concurrency' | 'docsUrl'>,
    FilteringProvider {
  /** Calls in progress at once; absent = a public service, whose pace says it. */
  readonly concurrency?: number;
  /** null = the operator declared it. */
  readonly docsUrl: string | null;
  /** How its calls carry the key, where that differs from the vendor's fetch. */
  readonly authentication?: Authentication;
  /**
   * The environment variable of an address for searches only; where it is not set, that of the
   * provider applies. Absent = not applied.
   */
  readonly baseUrlVariable?: string;
  readonly accountSetting?: AccountSetting;
  /**
   * It came after a fetch with the same key, so operators may not know that this key searches: the
   * start says so. In the registry it comes after the providers whose key is for searches.
   */
  readonly usesFetchKey?: true;
  /** Its mode for `search.economy`; absent = it sells one mode only, or uses the cheapest one. */
  readonly economy?: EconomyMode;
  /** Routing never chooses it; absent = it may. */
  readonly autoRoutable?: false;
  /** In a default set that no one has chosen, it is only where no other provider is configured. */
  readonly isDefaultOnlyAlone?: true;
  readonly count: CountControl;
  readonly capabilities: Capabilities;
  /**
   * The only hosts of its rows, subdomains included; absent = any. It does not run where filters
   * leave out all of them.
   */
  readonly hosts?: readonly string[];
  /** Longest query accepted; a longer one is cut at a word. Absent = none is documented. */
  readonly queryLimit?: QueryLimit;
  /** Upper bound of one call, retry included. */
  readonly timeoutMs: number;
  /**
   * The upper bound for a slow mode that overrides ask for; null = `timeoutMs`. An operator's own
   * limit wins.
   */
  readonly slowTimeoutMs?: (wanted: Wanted) => number | null;
  /** Absent = the item `search`. */
  readonly price?: SearchPrice;
  /** An answer without rows costs nothing. */
  readonly isEmptyFree?: true;
  readonly request: (plan: SearchPlan) => HttpCall;
  /** Moves what a filter has put into the query to its place in the call. */
  readonly place?: (call: HttpCall) => HttpCall;
  /**
   * Parameters that set the form of its answer, in addition to those refused for all; they cannot
   * be overridden. In lower case, without `_` and `-`.
   */
  readonly refusedOverrides?: readonly string[];
  /**
   * Parameters with facts on a person, which are never sent or shown. In lower case, without `_`
   * and `-`.
   */
  readonly personalOverrides?: readonly string[];
  /** The parameter of an override that multiplies what is bought for each row. */
  readonly multiplier?: string;
  /** Query parameters that an override's list repeats; other lists are joined by commas. */
  readonly repeatedParameters?: readonly string[];
  /**
   * A successful answer that is not JSON, as the body that `response` reads; undefined = unusable.
   */
  readonly readText?: (text: string) => unknown;
  /** How it answers where no key is set; absent = it does not. */
  readonly keyless?: KeylessForm<Body>;
  /** How an open source is asked where its optional key is set; absent = it has none. */
  readonly keyed?: KeyedForm<Body>;
  /**
   * Loose: only what `parse` reads, each part tolerant. An answer that does not fit is a failed
   * run.
   */
  readonly response: z.ZodType<Body>;
  /** Fields that it leaves out were not supplied. */
  readonly parse: (body: Body, search: AnsweredSearch) => SuppliedSearch;
  /**
   * It reports "nothing found" as an error text in a success; `response` distinguishes it from a
   * failure.
   */
  readonly emptyNamesError?: true;
  /**
   * The success body of a failing status that the vendor uses as an answer; otherwise undefined.
   * Vendors do not charge for such an answer.
   */
  readonly readFailedAnswer?: (answer: FailedAnswer) => unknown;
}

/**
 * What a provider supplies unless `own` says otherwise: a title, a text and a date for each page,
 * and nothing next to the rows.
 */
export const rowCapabilities = (own: Partial<Capabilities>): Capabilities => ({
  url: supplied,
  title: supplied,
  rank: supplied,
  summary: supplied,
  excerpt: never('returns one text per result, which is the summary'),
  full_content: never('returns no page text'),
  publish_date: supplied,
  thumbnail: never('returns no images'),
  favicon: never('returns no favicons'),
  source: supplied,
  enrichments: supplied,
  fetch_meta: never('does not say when or how a page was read'),
  usage: never('does not report cost or units'),
  answer: never('writes no answers'),
  entities: never('returns no entities'),
  related: never('returns no related searches'),
  verticals: never('returns its results as one list'),
  ...own,
});

/** The same of a public source. */
export const recordCapabilities = (own: Partial<Capabilities>): Capabilities =>
  rowCapabilities({ usage: never('costs nothing and does not report units'), ...own });

/**
 * A search declaration. Its body type is checked between `response` and `parse`, and then hidden.
 */
export type AnySearchDeclaration = SearchDeclaration<unknown>;

/** Declares a search. */
export function defineSearch<Body>(declaration: SearchDeclaration<Body>): AnySearchDeclaration {
  return declaration as AnySearchDeclaration;
}

/** A provider's search as the rest of the code sees it. */
export interface SearchProvider
  extends Vendor,
    Omit<AnySearchDeclaration, 'authentication' | 'baseUrl' | 'parse' | FilledIn> {
  readonly autoRoutable: boolean;
  readonly concurrency: number;
  readonly price: SearchPrice;
  readonly queryLimit: QueryLimit;
  readonly parse: (body: unknown, search: AnsweredSearch) => ParsedSearch;
}

/** What a declaration may leave out. */
type FilledIn = 'autoRoutable' | 'concurrency' | 'price' | 'queryLimit';
