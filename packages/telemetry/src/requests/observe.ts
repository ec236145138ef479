import type { WorkMetrics, WorkOperation } from '../metrics/work-metrics.ts';
import { traceRequest } from '../traces/request-trace.ts';
import type { Tracing } from '../traces/tracer.ts';
import { createRequestWork, type RequestWork } from './request-work.ts';

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
