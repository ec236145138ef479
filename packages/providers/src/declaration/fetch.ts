import {
  type ContentFormat,
  PAGE_FIELDS,
  type PageField,
  type Tier,
  type WebRule,
} from '@trawl/contract';
import type { z } from 'zod';
import type { PageReading, ParsedPage } from '../parsed/page.ts';
import type { Price, Rates } from '../values/price.ts';
import type { FailedAnswer, HttpCall } from './call.ts';
import type { KeylessPages } from './keyless.ts';
import type { Operation, Vendor } from './vendor.ts';

/** One page as planned for one provider. */
export interface FetchPlan {
  /** Absolute http(s), as the caller wrote it. */
  readonly url: string;
  readonly tier: Tier;
  /** Page fields of the tier. */
  readonly fields: ReadonlySet<PageField>;
  /** The format that the caller asks for. */
  readonly contentFormat: ContentFormat;
  /** Only a copy younger than this may be served by the provider; null = not asked. */
  readonly maxAgeSeconds: number | null;
  /** True = no cached copy at all. */
  readonly noCache: boolean;
  /** The only hosts that a reader of ours may be led to; null or absent = any public one. */
  readonly onlyHosts?: readonly string[] | null;
  /** The web rule of the caller against an address, for a reader of ours; null = none. */
  readonly webRule?: (url: string) => WebRule | null;
  /** For the provider's own time parameter, so that it ends a little before we do. */
  readonly timeLimitMs: number;
}

/**
 * Whether a provider supplies a page field:
 * - `supplied`: whenever the page has it;
 * - `never`: at no tier or option;
 * - `on_failure`: only with a page that could not be read, such as the target's status;
 * - `on_condition`: only where `when` holds; `reason` says when it is supplied (completes "<field>
 *   …").
 */
export type PageSupply =
  | { readonly kind: 'supplied' | 'never' | 'on_failure' }
  | {
      readonly kind: 'on_condition';
      readonly when: (plan: FetchPlan) => boolean;
      readonly reason: string;
    };

/** The capability table of one fetch provider: no field may be left out. */
export type PageCapabilities = Readonly<Record<PageField, PageSupply>>;

/** Facts that every fetch declares, our own reader included. */
export interface PageFacts {
  /** `pinned_only` is never part of a default chain. */
  readonly chain: 'default' | 'pinned_only';
  /** The formats in which it delivers pages. */
  readonly contentFormats: readonly ContentFormat[];
  readonly capabilities: PageCapabilities;
  /** Whether it takes pages of this address at all; absent = all. */
  readonly accepts?: (url: URL) => boolean;
  /**
   * The lowest `maxAgeSeconds` that it honours: 0 also where it keeps no copies; null = it has no
   * such control.
   */
  readonly lowestMaxAgeSeconds: number | null;
  /** Upper bound of one page, waits included. */
  readonly timeoutMs: number;
}

/** What a provider's `fetch.ts` declares. `concurrency` counts pages. */
export interface FetchDeclaration<Body> extends PageFacts, Operation {
  /** A failed call is never repeated, not even where it was the only provider asked. */
  readonly neverRetried?: true;
  /**
   * List price of one page. `page` is the page received, null before the call.
   * `failedPages`: what a verdict costs: the same, nothing, or not known.
   */
  readonly price: (plan: FetchPlan, page: ParsedPage | null, rates: Rates) => Price;
  readonly failedPages: 'charged' | 'free' | 'unknown';
  readonly request: (plan: FetchPlan) => HttpCall;
  /**
   * Loose: only what `parse` reads, each part tolerant. An answer that does not fit is a failed
   * attempt.
   */
  readonly response: z.ZodType<Body>;
  /** `job` is the one that this answers, where the page is being collected. */
  readonly parse: (body: Body, plan: FetchPlan, job?: string) => PageReading;
  /**
   * A successful answer that is not JSON, as the body that `response` reads; undefined = unusable.
   */
  readonly readText?: (text: string) => unknown;
  /** How it answers where no fetch provider has a key; absent = it does not. */
  readonly keyless?: KeylessPages<Body>;
  /** Reads a failing status that is about the page; undefined = the call failed. */
  readonly readFailedAnswer?: (
    answer: FailedAnswer,
    plan: FetchPlan,
    job?: string,
  ) => PageReading | undefined;
  /** A provider that collects a page and is asked again until it is ready. */
  readonly collect?: {
    readonly follow: (job: string, plan: FetchPlan) => HttpCall;
    readonly everyMs: number;
    /** Counted from the first call. */
    readonly withinMs: number;
  };
}

/**
 * A fetch declaration. Its body type is checked between `response` and `parse`, and then hidden.
 */
export type AnyFetchDeclaration = FetchDeclaration<unknown>;

/** Declares a fetch. */
export function defineFetch<Body>(declaration: FetchDeclaration<Body>): AnyFetchDeclaration {
  return declaration as AnyFetchDeclaration;
}

/** What the rest of the code knows about every fetch provider, our own reader included. */
export interface FetchFacts
  extends PageFacts,
    Pick<Vendor, 'slug' | 'name' | 'dataUse'>,
    Pick<Operation, 'description' | 'docsUrl' | 'concurrency'> {}

/** A provider's fetch as the rest of the code sees it. */
export interface FetchProvider extends Vendor, Omit<AnyFetchDeclaration, 'baseUrl'> {
  readonly kind: 'vendor';
}

/** Our own reader: its facts are a declaration like the vendors', the server does its work. */
export interface OwnReader extends FetchFacts {
  readonly kind: 'own';
}

export type AnyFetchProvider = FetchProvider | OwnReader;

/** A capability table in lists. A field that no list names is never supplied. */
export function pageCapabilities({
  supplied,
  onFailure = [],
  onCondition = {},
}: {
  readonly supplied: readonly PageField[];
  readonly onFailure?: readonly PageField[];
  readonly onCondition?: Readonly<
    Partial<Record<PageField, Omit<Extract<PageSupply, { kind: 'on_condition' }>, 'kind'>>>
  >;
}): PageCapabilities {
  const supplyOf = (field: PageField): PageSupply => {
    const condition = onCondition[field];
    if (condition) return { kind: 'on_condition', ...condition };
    if (onFailure.includes(field)) return { kind: 'on_failure' };
    return { kind: supplied.includes(field) ? 'supplied' : 'never' };
  };
  // every page field gets a supply
  return Object.fromEntries(
    PAGE_FIELDS.map((field) => [field, supplyOf(field)]),
  ) as PageCapabilities;
}
