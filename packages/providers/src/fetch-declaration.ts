import type {
  ContentFormat,
  JsonObject,
  PageField,
  RowErrorCode,
  Tier,
  Warning,
} from '@trawl/contract';
import type { z } from 'zod';
import type {
  Authentication,
  FailedAnswer,
  FailureReading,
  HttpCall,
  Price,
  Rates,
  ReportedUsage,
} from './declaration.ts';
import type { OptionalPart } from './optional-part.ts';

/** One page as planned for one provider. */
export interface FetchPlan {
  /** Absolute http(s), as the caller wrote it. */
  readonly url: string;
  readonly tier: Tier;
  /** Page fields of the tier. */
  readonly fields: ReadonlySet<PageField>;
  /** What the caller would like to have. */
  readonly contentFormat: ContentFormat;
  /** Only a copy younger than this may be served by the provider; null = not asked. */
  readonly maxAgeSeconds: number | null;
  /** No cached copy at all. */
  readonly noCache: boolean;
  /** For the provider's own time parameter, so that it gives up a little before we do. */
  readonly timeLimitMs: number;
}

/**
 * Whether a provider supplies a page field:
 * - `supplied`: whenever the page has it;
 * - `never`: structurally;
 * - `on_failure`: only with a page that could not be read, such as the target's status;
 * - `on_condition`: only where `when` holds; `reason` says what brings it (completes "<field> …").
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

/** A page in our words. What the provider did not send is null, or an empty list. */
export interface ParsedPage {
  /** null or blank is an empty page. */
  readonly content: string | null;
  readonly content_format: ContentFormat;
  readonly title: string | null;
  /** The target's own status. */
  readonly http_status: number | null;
  readonly canonical_url: string | null;
  readonly cache_state: 'hit' | 'miss' | null;
  readonly request_id: string | null;
  readonly js_rendered: boolean | null;
  readonly pdf_mode: 'parsed' | null;
  readonly description: string | null;
  readonly raw_html: string | null;
  readonly html: string | null;
  readonly chunks: readonly string[];
  readonly screenshot: string | null;
  readonly page_count: number | null;
  readonly content_type: string | null;
  readonly summary: string | null;
  readonly language: string | null;
  readonly author: string | null;
  readonly publish_date: string | null;
  readonly favicon: string | null;
  readonly thumbnail: string | null;
  /** Absolute http(s) URLs, each once; images and media likewise. */
  readonly links: readonly string[];
  readonly images: readonly string[];
  readonly metadata: JsonObject | null;
  readonly usage: ReportedUsage | null;
  readonly media: readonly string[];
  readonly transcript: string | null;
  readonly excerpt: string | null;
  readonly structured: JsonObject | null;
  readonly subpages: readonly {
    readonly url: string;
    readonly title: string | null;
    readonly content: string | null;
  }[];
  /** Keys of the provider's page that nothing above consumed, verbatim. */
  readonly enrichments: JsonObject;
  /** What the provider says beside the page: `upstream_warning`, `upstream_error`, `relative_links`. */
  readonly remarks: readonly Warning[];
}

/**
 * What a provider says of a page that it could not deliver. A verdict is about the page, so the page was reached: it is
 * no fault of the provider's.
 */
export interface PageVerdict {
  readonly code: RowErrorCode;
  /** The provider's own code or our few words, such as `bot_blocked`; never a text of the page. */
  readonly reason: string;
  /** One sentence for people, where it says more than what `code` usually means. */
  readonly meaning?: string;
  /** The target's own status, where the provider names it. */
  readonly httpStatus: number | null;
  /** Text that came all the same, such as that of an error page. */
  readonly content?: string | null;
  /** What the failed page cost, where the provider says so. */
  readonly usage?: ReportedUsage | null;
}

export type PageReading =
  | { readonly kind: 'page'; readonly page: ParsedPage }
  | { readonly kind: 'verdict'; readonly verdict: PageVerdict }
  /** Not ready yet: `collect.follow` asks again under this name. */
  | { readonly kind: 'pending'; readonly job: string /** Ask at once. */; readonly isDue?: true };

/** Facts that every fetch provider has, our own reader included. */
export interface FetchFacts {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly docsUrl: string;
  /** `pinned_only` is never part of a default chain. */
  readonly chain: 'default' | 'pinned_only';
  /** The formats in which it delivers pages. */
  readonly contentFormats: readonly ContentFormat[];
  readonly capabilities: PageCapabilities;
  /** Whether it takes pages of this address at all; absent = all. */
  readonly accepts?: (url: URL) => boolean;
  /** Upper bound of one page, waits included. */
  readonly timeoutMs: number;
  /** Pages under way at once. */
  readonly concurrency: number;
}

export interface FetchProvider<Body = unknown> extends FetchFacts {
  readonly kind: 'vendor';
  readonly baseUrl: string;
  /** The path of its calls at `baseUrl`, where that is another than under an operator's own base URL. */
  readonly pathAtBaseUrl?: `/${string}`;
  readonly authentication: Authentication;
  /** Environment variables that may hold the key, strongest first. */
  readonly credentialVariables: readonly string[];
  /** Parts of its calls that a plan may refuse. */
  readonly optionalParts?: readonly OptionalPart[];
  /** A failed call is never repeated, also where it alone was asked for. */
  readonly neverRetried?: true;
  /**
   * List price of one page. `page` is what came, null before the call.
   * `failedPages`: what a verdict costs: the same, nothing, or not known.
   */
  readonly price: (plan: FetchPlan, page: ParsedPage | null, rates: Rates) => Price;
  readonly failedPages: 'charged' | 'free' | 'unknown';
  readonly request: (plan: FetchPlan) => HttpCall;
  /** Loose: only what `parse` reads, each part tolerant. An answer that does not fit is a failed attempt. */
  readonly response: z.ZodType<Body>;
  /** `job` is the one that this answers, where the page is being collected. */
  readonly parse: (body: Body, plan: FetchPlan, job?: string) => PageReading;
  /** A successful answer that is no JSON, as the body that `response` reads; undefined = unusable. */
  readonly readText?: (text: string) => unknown;
  /** As in `SearchProvider`. */
  readonly readFailure?: (answer: FailedAnswer) => FailureReading | undefined;
  /** Where a failing status is the vendor's way to speak about the page; undefined = the call failed. */
  readonly readFailedAnswer?: (
    answer: FailedAnswer,
    plan: FetchPlan,
    job?: string,
  ) => PageReading | undefined;
  /** A provider that collects a page and is asked until it is there. */
  readonly collect?: {
    readonly follow: (job: string, plan: FetchPlan) => HttpCall;
    readonly everyMs: number;
    /** From the first call on. */
    readonly withinMs: number;
  };
}

/** Our own reader: its facts stand beside the vendors', its work is bound in the server. */
export interface OwnReader extends FetchFacts {
  readonly kind: 'own';
}

export type AnyFetchProvider = FetchProvider | OwnReader;

/** Declares a fetch provider. The body type is checked here and hidden from the registry. */
export function defineFetchProvider<Body>(
  declaration: Omit<FetchProvider<Body>, 'kind'>,
): FetchProvider {
  return { ...declaration, kind: 'vendor' } as FetchProvider;
}

export function defineOwnReader(facts: Omit<OwnReader, 'kind'>): OwnReader {
  return { ...facts, kind: 'own' };
}

/** A capability table in lists; each page field stands in exactly one of them (the contract suite checks it). */
export function pageCapabilities(table: {
  readonly supplied: readonly PageField[];
  readonly never: readonly PageField[];
  readonly onFailure?: readonly PageField[];
  readonly onCondition?: Readonly<
    Partial<Record<PageField, Omit<Extract<PageSupply, { kind: 'on_condition' }>, 'kind'>>>
  >;
}): PageCapabilities {
  const all = (fields: readonly PageField[], kind: 'supplied' | 'never' | 'on_failure') =>
    fields.map((field) => [field, { kind }]);
  const conditions = Object.entries(table.onCondition ?? {});
  return Object.fromEntries([
    ...all(table.supplied, 'supplied'),
    ...all(table.never, 'never'),
    ...all(table.onFailure ?? [], 'on_failure'),
    ...conditions.map(([field, condition]) => [field, { kind: 'on_condition', ...condition }]),
  ]) as PageCapabilities;
}

/** A page of which nothing is known. */
export const EMPTY_PAGE: ParsedPage = {
  content: null,
  content_format: 'markdown',
  title: null,
  http_status: null,
  canonical_url: null,
  cache_state: null,
  request_id: null,
  js_rendered: null,
  pdf_mode: null,
  description: null,
  raw_html: null,
  html: null,
  chunks: [],
  screenshot: null,
  page_count: null,
  content_type: null,
  summary: null,
  language: null,
  author: null,
  publish_date: null,
  favicon: null,
  thumbnail: null,
  links: [],
  images: [],
  metadata: null,
  usage: null,
  media: [],
  transcript: null,
  excerpt: null,
  structured: null,
  subpages: [],
  enrichments: {},
  remarks: [],
};

/** A page; what is left out was not supplied. */
export function pageRead(page: Partial<ParsedPage>): Extract<PageReading, { kind: 'page' }> {
  return { kind: 'page', page: { ...EMPTY_PAGE, ...page } };
}

export function verdict(
  code: RowErrorCode,
  reason: string,
  httpStatus: number | null = null,
  more: Pick<PageVerdict, 'content' | 'usage' | 'meaning'> = {},
): Extract<PageReading, { kind: 'verdict' }> {
  return { kind: 'verdict', verdict: { code, reason, httpStatus, ...more } };
}
