import type { TextMeasure } from '@trawl/base';
import type { ChainStep, RowErrorCode, Warning } from '@trawl/contract';
import type { ParsedPage } from '@trawl/providers';
import type { Cost } from '../interaction/cost.ts';
import { FREE } from './cost.ts';
import type { CachedPage } from './page-cache.ts';
import type { PageFailure } from './page-failure.ts';

/** What one provider was paid for one page. */
export interface ChainCost extends Cost {
  readonly provider: string;
  readonly outcome: 'succeeded' | 'failed';
  readonly latencyMs: number | null;
  readonly errorCode: RowErrorCode | null;
}

/** How a chain ended for one page. */
export type ChainResult = {
  readonly steps: readonly ChainStep[];
  /** What went wrong on the way, in order. */
  readonly warnings: readonly Warning[];
  readonly costs: readonly ChainCost[];
  /** Of the page's text; null = it was not measured. */
  readonly measure: TextMeasure | null;
} & (
  | {
      readonly kind: 'page';
      readonly provider: string;
      readonly page: ParsedPage;
      /** What the answering provider was paid. */
      readonly cost: Cost;
      /** From our page cache. */
      readonly isCached: boolean;
    }
  | {
      readonly kind: 'failed';
      readonly failure: PageFailure;
      /** The page that the failure is about, where one came: that of a 404. */
      readonly page: ParsedPage | null;
      /** Some provider had a word to say about the page itself. */
      readonly isReached: boolean;
    }
);

/** A failure that no provider's word stands behind. */
const ownFailure = (code: RowErrorCode, message: string, retryable: boolean): PageFailure => ({
  code,
  message,
  reason: null,
  provider: null,
  retryable,
  httpStatus: null,
  content: null,
  attempts: 0,
});

/** No provider of the chain could be asked. */
export const NOBODY = ownFailure(
  'missing_credential',
  'no fetch provider of the chain has a credential: set an API key in the server settings',
  false,
);

const ended = (failure: PageFailure, isReached: boolean): ChainResult => ({
  kind: 'failed',
  failure,
  page: null,
  measure: null,
  isReached,
  steps: [],
  warnings: [],
  costs: [],
});

/** A page that is never asked for, by its address alone. */
export const forbidden = (): ChainResult =>
  ended(
    ownFailure(
      'forbidden_address',
      'the address is private or local, so it is not fetched; the operator may allow it with FETCH_ALLOW_PRIVATE_HOSTS',
      false,
    ),
    true,
  );

/** The caller went away while others still wait for the same page. */
export const leftEarly = (): ChainResult =>
  ended(ownFailure('cancelled', 'the request was cancelled before the page came', true), false);

export const brokenDown = (): ChainResult =>
  ended(
    ownFailure(
      'internal_error',
      'the page could not be fetched for a fault of our own: report it with the request id',
      false,
    ),
    false,
  );

/** A page that came when the answer was full. What was paid for it is booked. */
export function crowdedOut({ steps, warnings, costs }: ChainResult): ChainResult {
  const failure = ownFailure(
    'too_large',
    'the pages of this request are too large for one answer: fetch this one by itself, or ask for a lower tier or fewer options.inline_max_chars',
    false,
  );
  return { ...ended({ ...failure, attempts: costs.length }, true), steps, warnings, costs };
}

/** What somebody else paid for. */
export function shared(result: ChainResult): ChainResult {
  if (result.kind === 'failed') return { ...result, costs: [] };
  return { ...result, costs: [], cost: FREE };
}

/** A page of our own cache. */
export function cached(hit: CachedPage, latencyMs: number): ChainResult {
  return {
    kind: 'page',
    provider: hit.provider,
    page: hit.page,
    measure: hit.measure,
    cost: FREE,
    isCached: true,
    steps: [{ provider: 'cache', outcome: 'answered', code: null, latency_ms: latencyMs }],
    warnings: [],
    costs: [],
  };
}
