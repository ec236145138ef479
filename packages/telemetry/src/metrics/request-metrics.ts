import { Histogram, type Registry } from 'prom-client';
import { requestSeconds } from './buckets.ts';

/** One request that was answered. */
export interface AnsweredRequest {
  readonly method: string;
  /**
   * The template of its route, such as `/v1/sessions/{session_id}/history`; null = no route has its
   * path.
   */
  readonly route: string | null;
  readonly status: number;
  /** From its arrival until its answer was made. */
  readonly milliseconds: number;
}

/** The methods of our routes. Others share one label value. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE']);

/**
 * The label of requests that no route serves. Their paths are the choice of callers, so they are
 * never a label.
 */
const UNMATCHED = 'unmatched';

/** @returns notes an answered request */
export function requestMetrics(registry: Registry): (request: AnsweredRequest) => void {
  const requests = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Time from the arrival of a request until its answer was made, by route, method and status.',
    labelNames: ['http_request_method', 'http_route', 'http_response_status_code'],
    buckets: requestSeconds,
    registers: [registry],
  });
  return ({ method, route, status, milliseconds }) => {
    requests.observe(
      {
        http_request_method: METHODS.has(method) ? method : '_OTHER',
        http_route: route ?? UNMATCHED,
        http_response_status_code: status,
      },
      milliseconds / 1000,
    );
  };
}
