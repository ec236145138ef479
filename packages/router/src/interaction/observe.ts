import type { RowErrorCode, StepCode, Tier } from '@trawl/contract';
import type { UpstreamResult } from '@trawl/upstream';
import type { Budget } from '../billing/budgets.ts';
import type { InteractionRecord } from './records.ts';

/** A call to a provider, as its request sees it. */
export interface ObservedCall {
  /** Slug. */
  readonly provider: string;
  readonly operation: 'search' | 'fetch';
  /** Rows that were asked for; absent for a page. */
  readonly rows?: number | undefined;
  /** null in fields mode; absent for a page. */
  readonly tier?: Tier | null | undefined;
}

/** How an observed call ended. */
export interface ObservedEnd {
  /** The code of its failure; null = it succeeded. */
  readonly code: string | null;
  readonly httpStatus: number | null;
  /** How often it was sent. */
  readonly calls: number;
}

/**
 * Observes one request, for its log line, metrics and traces. The functions must be quick and must
 * not throw.
 */
export interface RequestObserver {
  /** The budgets that pay for the request. */
  readonly paying: (budgets: readonly Budget[]) => void;
  /** A call to a provider begins. @returns ends it */
  readonly called: (call: ObservedCall) => (end: ObservedEnd) => void;
  /**
   * The request waits for a call of another request, whose answer it shares. @returns ends the wait
   */
  readonly waited: () => () => void;
  /** What a provider said about a page. `page`: it is one. */
  readonly judged: (provider: string, verdict: RowErrorCode | StepCode | 'page') => void;
  /** The page cache was read. */
  readonly cacheRead: (isHit: boolean) => void;
  /** All calls have ended, and what they brought is about to be recorded. */
  readonly executed: (record: InteractionRecord) => void;
}

/** How a call through the runner ended. */
export function endOf(result: UpstreamResult<unknown>): ObservedEnd {
  const failure = result.status === 'failed' ? result.failure : null;
  return {
    code: failure?.code ?? null,
    httpStatus: failure?.httpStatus ?? null,
    calls: result.calls,
  };
}
