import type {
  Answer,
  Entity,
  FetchMeta,
  JsonObject,
  ResultField,
  RunErrorCode,
  Tier,
} from '@trawl/contract';
import type { z } from 'zod';
import type { OptionalPart } from './optional-part.ts';

/** How a provider is told who calls. The runner adds it; it is never part of a recorded request. */
export type Authentication =
  | {
      readonly in: 'header';
      readonly name: string;
      readonly prefix?: string;
      /** It serves callers without a key too. */
      readonly optional?: true;
    }
  | { readonly in: 'query'; readonly name: string }
  | { readonly in: 'none' };

/** Whether a call without a key makes no sense. */
export function needsCredential(authentication: Authentication): boolean {
  if (authentication.in === 'none') return false;
  return authentication.in !== 'header' || authentication.optional !== true;
}

/** One upstream call as data, without credential. `path` is appended to the provider's base URL. */
export interface HttpCall {
  readonly method: 'GET' | 'POST';
  readonly path: `/${string}`;
  readonly query?: QueryParameters;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: JsonObject;
}

/** Query parameters; an array repeats its name. */
export type QueryParameters = Readonly<
  Record<string, string | number | boolean | readonly string[]>
>;

/** What a request wants to know, as far as a declaration may depend on it. */
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
 * Whether a provider supplies a field:
 * - `supplied`: whenever it is active;
 * - `never`: structurally, with the reason (completes "<field>: <provider> …");
 * - `on_condition`: only where `when` holds, because it must be bought or asked for; `reason` says what buys it.
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

/** The capability table of one provider: no field may be left out. `url`, `rank` and `source` are set for all. */
export type Capabilities = Readonly<Record<ResultField, Supply>>;

/**
 * How a result count reaches the provider:
 * - `native`: sent as `parameter` (dots lead into objects), at most `max`; rows beyond it are cut unless
 *   `keepsExtraRows`;
 * - `trim`: nothing to send, rows are cut;
 * - `page`: one page of `max` rows comes back, rows are cut.
 * With `trim` and `page`, asking for more than `max` is a gap. `parameter` is one that is never sent by itself there: a
 * caller who overrides it gets that many rows.
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

export type CutField = 'title' | 'summary' | 'excerpt' | 'author';

/** A result row in our words. What the provider did not send is null. `url` still as received. */
export interface ParsedRow {
  readonly url: string | null;
  readonly title: string | null;
  readonly summary: string | null;
  readonly excerpt: string | null;
  readonly full_content: string | null;
  readonly publish_date: string | null;
  readonly thumbnail: string | null;
  readonly favicon: string | null;
  readonly author: string | null;
  readonly fetch_meta: FetchMeta | null;
  /** Keys of the provider's row that nothing above consumed, verbatim. */
  readonly enrichments: JsonObject;
  /** Fields whose text was longer than `TEXT_LIMITS`; absent = none. */
  readonly cut?: readonly CutField[];
}

/** What the provider's answer says of its own cost. null = it says nothing. */
export interface ReportedUsage {
  readonly units: JsonObject;
  readonly costUsd: number | null;
}

export interface ParsedSearch {
  readonly rows: readonly ParsedRow[];
  readonly usage: ReportedUsage | null;
  readonly answer: Answer | null;
  readonly entities: readonly Entity[];
  readonly related: readonly string[];
  readonly verticals: JsonObject | null;
}

/** An answer that is a failure, as received: by its status, or a 2xx that `response` refuses; `body` is parsed JSON, or text when it is not JSON. */
export interface FailedAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** What a declaration knows better than the general reading of HTTP statuses. */
export interface FailureReading {
  readonly code: RunErrorCode;
  readonly retryAfterMs?: number;
  /** Completes "<provider> …", in our words, where they say more than those of the code. */
  readonly happened?: string;
  /** What to do about it, in place of what the code advises. */
  readonly remedy?: string;
}

/** A provider's price list: US dollars by item. */
export type Rates = Readonly<Record<string, number>>;

/** Price of one call in US dollars by the provider's list. `known` = does not depend on the answer. */
export interface Price {
  readonly usd: number;
  readonly kind: 'known' | 'estimated';
}

export interface SearchProvider<Body = unknown> {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly docsUrl: string;
  /** Scheme, host and any path prefix; null where each operator has an own one, which must then be set. */
  readonly baseUrl: string | null;
  /** The path of its calls at `baseUrl`, where that is another than under an operator's own base URL. */
  readonly pathAtBaseUrl?: `/${string}`;
  readonly authentication: Authentication;
  /** Environment variables that may hold the key, strongest first; empty = needs none. */
  readonly credentialVariables: readonly string[];
  readonly autoRoutable: boolean;
  readonly count: CountControl;
  readonly capabilities: Capabilities;
  /** Longest query accepted; a longer one is cut at a word. */
  readonly queryLimit: { readonly characters?: number; readonly words?: number };
  /** Upper bound of one call, retry included. */
  readonly timeoutMs: number;
  /** Calls under way at once. */
  readonly concurrency: number;
  /** List price of one successful call; `rates` are this provider's own, of `data/prices.ts` or the operator's. */
  readonly price: (plan: SearchPlan, rates: Rates) => Price;
  readonly request: (plan: SearchPlan) => HttpCall;
  /** Parameters that set the form of its answer, beside those refused for all; they cannot be overridden. */
  readonly refusedOverrides?: readonly string[];
  /** Parts of its calls that a plan may refuse; a parameter that the caller set is not left out. */
  readonly optionalParts?: readonly OptionalPart[];
  /** Query parameters that an override's list repeats; other lists are joined by commas. */
  readonly repeatedParameters?: readonly string[];
  /** Loose: only what `parse` reads, each part tolerant. An answer that does not fit is a failed run. */
  readonly response: z.ZodType<Body>;
  readonly parse: (body: Body, wanted: Wanted) => ParsedSearch;
  /** Its way to say that nothing was found is an error text in a success; `response` tells it from a failure. */
  readonly emptyNamesError?: true;
  /**
   * Statuses or bodies with a meaning of the vendor's own; undefined = the general reading holds. By that a 403 is the
   * failure of its call alone. Where the vendor documents a 403 body that names the key, this reads it as
   * `invalid_credential`, which stops all calls of this operation for a while.
   */
  readonly readFailure?: (answer: FailedAnswer) => FailureReading | undefined;
  /**
   * Where a failing status is the vendor's way to answer: the success body that it stands for, else undefined. Vendors do
   * not charge for such an answer.
   */
  readonly readFailedAnswer?: (answer: FailedAnswer) => unknown;
}

/**
 * Declares a search provider. The body type is checked here, between `response` and `parse`, and hidden from the
 * registry, which only ever hands `parse` what `response` returned.
 */
export function defineSearchProvider<Body>(declaration: SearchProvider<Body>): SearchProvider {
  return declaration as SearchProvider;
}
