import type { TextMeasure } from '@trawl/base';
import type { FetchPlan, PageReading, PageVerdict, ParsedPage } from '@trawl/providers';

export interface ReaderLimits {
  /** The id of the API key that asks, or `OWN_CALLER`. */
  readonly callerId: string;
  readonly signal: AbortSignal;
  /** Bound of the whole page. */
  readonly timeoutMs: number;
}

/** Our own fault: it says nothing about the page. */
export interface ReaderFault {
  readonly kind: 'fault';
  /** `timeout`: there was no free place in time. */
  readonly code: 'timeout' | 'internal_error';
  /** Completes "<provider> …". */
  readonly happened: string;
}

/** A page that came, with what stands in the way of taking it for what was asked for; null = it is that page. */
export interface JudgedPage {
  readonly kind: 'page';
  readonly page: ParsedPage;
  readonly verdict: PageVerdict | null;
  /** Of its text; null = it was not measured. */
  readonly measure: TextMeasure | null;
}

export type PageOrVerdict = JudgedPage | Extract<PageReading, { kind: 'verdict' }>;

/** A page or a verdict about it, or `cancelled`. Never throws. */
export interface PageReader {
  read(
    plan: FetchPlan,
    limits: ReaderLimits,
  ): Promise<PageOrVerdict | { readonly kind: 'cancelled' } | ReaderFault>;
}

/** What was found in the text of a page that a vendor sent. */
export type Diagnosis =
  | {
      readonly kind: 'diagnosed';
      readonly verdict: PageVerdict | null;
      readonly measure: TextMeasure | null;
    }
  | { readonly kind: 'cancelled' }
  | ReaderFault;

/** Looks through the text of pages that vendors sent, away from the main thread. Never throws. */
export interface PageCheck {
  /** Starts a thread if there is none, so that the first text does not wait for it. */
  prepare(): void;
  /** @param url as the caller wrote it */
  check(page: ParsedPage, url: string, limits: ReaderLimits): Promise<Diagnosis>;
}
