import type { TextMeasure } from '@trawl/base';
import type { FetchPassage, PageFinding } from '@trawl/contract';
import type {
  PassageQuery,
  PieceQuery,
  QuotedText,
  QuoteMatch,
  ScoredPiece,
  TitledText,
  WantedQuote,
} from '@trawl/extract';
import type { FetchPlan, PageReading, PageVerdict, ParsedPage } from '@trawl/providers';

export type {
  PassageQuery,
  PieceQuery,
  QuotedText,
  QuoteMatch,
  ScoredPiece,
  TitledText,
  WantedQuote,
};

export interface ReaderLimits {
  /** The key that asks, as `callerIdOf` makes it. */
  readonly callerId: string;
  readonly signal: AbortSignal;
  /** Limit for the whole page. */
  readonly timeoutMs: number;
}

/** How a page of a vendor is checked. */
export interface CheckOptions extends ReaderLimits {
  /** Whether the quality of the text is predicted too, which is most of the work. Default true. */
  readonly wantsQuality?: boolean | undefined;
  /** Whether to look for what the page hides. Default true. */
  readonly wantsFindings?: boolean | undefined;
}

/** A fault of ours, which says nothing about the page. */
export interface ReaderFault {
  readonly kind: 'fault';
  /**
   * `timeout`: no slot or thread was free in time. `internal_error`: the code failed, or the
   * machine lacks something.
   */
  readonly code: 'timeout' | 'internal_error';
  /** Completes "<provider> …". */
  readonly happened: string;
  /** What helps, where it is not what usually helps with this code. */
  readonly remedy?: string | undefined;
}

/** A page with the verdict on it: why it is not what was asked for; null = it is. */
export interface JudgedPage {
  readonly kind: 'page';
  readonly page: ParsedPage;
  readonly verdict: PageVerdict | null;
  /** Length and hash of its text; null = not measured. */
  readonly measure: TextMeasure | null;
  /** The predicted quality of its text, from 0 to 1; null = not predicted. */
  readonly quality: number | null;
  /** What it hides, or says to programs. */
  readonly findings: readonly PageFinding[];
}

export type PageOrVerdict = JudgedPage | Extract<PageReading, { kind: 'verdict' }>;

/** Reads a page. The result is the page, a verdict about it, or `cancelled`. Never throws. */
export interface PageReader {
  read(
    plan: FetchPlan,
    limits: ReaderLimits,
  ): Promise<PageOrVerdict | { readonly kind: 'cancelled' } | ReaderFault>;
}

/** The diagnosis of a page that a vendor sent. */
export type Diagnosis =
  | {
      readonly kind: 'diagnosed';
      readonly verdict: PageVerdict | null;
      readonly measure: TextMeasure | null;
      readonly quality: number | null;
      readonly findings: readonly PageFinding[];
      /** Its text without invisible characters; absent = it has none. */
      readonly text?: string;
    }
  | { readonly kind: 'cancelled' }
  | ReaderFault;

/** Finds passages in the texts of pages, on worker threads. */
export interface PassageFinder {
  /**
   * The passages that fit a query best, in the order of the text; null = they could not be found in
   * time. Never throws.
   */
  find(
    content: string,
    query: PassageQuery,
    limits: ReaderLimits,
  ): Promise<readonly FetchPassage[] | null>;
}

/** Cuts recorded texts into pieces, on worker threads. */
export interface PieceFinder {
  /**
   * The pieces of each text in its order, with scores that compare over all texts; null = not in
   * time. Never throws.
   */
  find(
    texts: readonly TitledText[],
    query: PieceQuery,
    limits: ReaderLimits,
  ): Promise<readonly (readonly ScoredPiece[])[] | null>;
}

/** Finds quotes in recorded texts, on worker threads. */
export interface QuoteFinder {
  /**
   * For each quote the best match that is better than its known one, or null; null instead of the
   * list = not in time. Never throws.
   */
  find(
    texts: readonly QuotedText[],
    quotes: readonly WantedQuote[],
    limits: ReaderLimits,
  ): Promise<readonly (QuoteMatch | null)[] | null>;
}

/** Examines the text of pages that vendors sent, on worker threads. Never throws. */
export interface PageCheck {
  /** Starts a thread if none is running, so that the first text need not wait for it. */
  prepare(): void;
  /** @param url as the caller wrote it */
  check(page: ParsedPage, url: string, limits: CheckOptions): Promise<Diagnosis>;
}
