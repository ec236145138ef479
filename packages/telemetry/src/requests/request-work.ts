import type { InteractionRecord, RequestObserver } from '@trawl/router';
import type { WorkMetrics, WorkOperation } from '../metrics/work-metrics.ts';
import { type RequestTrace, traceRequest } from '../traces/request-trace.ts';
import type { Tracing } from '../traces/tracer.ts';

/** What a request did, for its log line. */
export interface WorkFacts {
  /** How often each provider ended in which way: `{tavily: {succeeded: 1}}`. */
  readonly providers: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly outcome: InteractionRecord['outcome'];
  /** Known costs in millionths of a US dollar. */
  readonly cost_micros: number;
  /** The trace that has its spans; absent = it is not traced. */
  readonly trace_id?: string;
}

/** One request that may ask providers. */
export interface RequestWork {
  readonly observer: RequestObserver;
  /** Call it when the request was admitted and its input is valid. */
  readonly begin: () => void;
  /** undefined = it asked none: it was refused, priced only, or answered from its record. */
  readonly facts: () => WorkFacts | undefined;
  /** Its answer was made, with this status. Call it once. */
  readonly end: (status: number) => void;
  /** Counts what it cost. Call it once, after `end`; its client need not wait for that. */
  readonly count: () => void;
}

export interface RequestWorkOptions {
  readonly operation: WorkOperation;
  /** When the request arrived, by `performance.now()`. */
  readonly startedAt: number;
  /** undefined = nothing is measured. */
  readonly metrics: WorkMetrics | undefined;
  /** undefined = nothing is traced. */
  readonly trace: RequestTrace | undefined;
}

export function createRequestWork(options: RequestWorkOptions): RequestWork {
  const { operation, startedAt, metrics, trace } = options;
  const waiting = spanOfAll();
  let record: InteractionRecord | undefined;
  let overheadMs = 0;
  return {
    observer: {
      paying: (budgets) => metrics?.paying(budgets),
      called: trace ? bothOf(waiting.begin, trace.called) : waiting.begin,
      waited: waiting.begin,
      judged: (provider, verdict) => metrics?.judged(provider, verdict),
      cacheRead: (isHit) => metrics?.cacheRead(isHit),
      executed: (executed) => {
        record = executed;
        trace?.executed(executed);
      },
    },
    begin: () => trace?.begin(),
    facts: () =>
      record && {
        ...factsOf(record),
        ...(trace && { trace_id: trace.traceId }),
      },
    end: (status) => {
      trace?.end(status);
      overheadMs = Math.max(0, performance.now() - startedAt - waiting.total());
    },
    count: () => {
      if (!record) return;
      metrics?.paid(record.ledger);
      metrics?.overhead(operation, overheadMs);
    },
  };
}

const bothOf =
  (begin: () => () => void, called: RequestObserver['called']): RequestObserver['called'] =>
  (call) => {
    const end = begin();
    const ended = called(call);
    return (how) => {
      end();
      ended(how);
    };
  };

/** Adds up the time in which at least one of several works was in progress. */
function spanOfAll() {
  let active = 0;
  let since = 0;
  let total = 0;
  const end = (): void => {
    active -= 1;
    if (active === 0) total += performance.now() - since;
  };
  return {
    begin: () => {
      if (active === 0) since = performance.now();
      active += 1;
      return end;
    },
    /** Milliseconds. */
    total: () => total,
  };
}

function factsOf({ ledger, outcome: ended }: InteractionRecord): WorkFacts {
  const providers: Record<string, Record<string, number>> = {};
  let micros = 0;
  for (const { provider, errorCode, outcome, costMicros } of ledger) {
    providers[provider] ??= {};
    const ends = providers[provider];
    const name = errorCode ?? outcome;
    ends[name] = (ends[name] ?? 0) + 1;
    micros += costMicros ?? 0;
  }
  return { providers, outcome: ended, cost_micros: micros };
}

/** A request that may ask providers. */
export interface ObservedRequest {
  readonly operation: WorkOperation;
  /** When it arrived, by `performance.now()`. */
  readonly startedAt: number;
  readonly method: string;
  /** The template of its path. */
  readonly route: string;
  readonly headers: Headers;
}

/** Begins to observe a request. */
export type Observe = (request: ObservedRequest) => RequestWork;

/** @param metrics undefined = nothing is measured; @param tracing undefined = nothing is traced */
export const observeRequests =
  (metrics: WorkMetrics | undefined, tracing: Tracing | undefined): Observe =>
  (request) =>
    createRequestWork({ metrics, trace: tracing && traceRequest(tracing, request), ...request });
