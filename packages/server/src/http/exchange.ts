import type { HttpBindings } from '@hono/node-server';
import type { Clock } from '@trawl/base';
import type { ApiKey } from '@trawl/router';
import type { RequestWork } from '@trawl/telemetry';
import type { Context } from 'hono';
import type { Logger } from 'pino';

/**
 * One request and its outcome: the source of its access log line and of the headers of its answer.
 */
export interface HttpExchange {
  readonly requestId: string;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  /** The same, by `performance.now()`. */
  readonly startedAt: number;
  /** Id of the contract's route, or the pattern of another one; null for an unknown path. */
  route: string | null;
  /** The path of that route with `{name}` for what varies; absent where `route` is the path. */
  template?: string;
  caller: ApiKey | null;
  /** Why it was refused, for the audit log. */
  refusal?: string;
  /** What it did is in the audit log already. */
  isAudited?: boolean;
  /** Headers of any answer to it. */
  readonly headers: Record<string, string>;
  /** The answer has all its headers. */
  isComplete: boolean;
  /** Frees its place among the requests in progress, where it has one. */
  release: () => void;
  /** Holds that place until this work is over too, which goes on when the client has left. */
  keepPlace: (work: Promise<unknown>) => void;
  /** The answer goes on after it was returned, as events do. */
  isStreaming: boolean;
  /** What it does, on routes that ask providers. */
  work?: RequestWork | undefined;
  /** When an answer in events is whole; absent = it was made in one piece. */
  whole?: Promise<void>;
}

/** Where a request comes from: node's own objects, or undefined for one from inside the process. */
export interface RequestSource extends Partial<HttpBindings> {
  /** It runs for a request that has a place already. */
  readonly hasPlace?: boolean;
  /** We named its providers, not its caller: `fallback: "auto"` may ask others. */
  readonly isOwnChoice?: boolean;
  /** It is a run of a watch. */
  readonly isWatch?: boolean;
  /** It runs for a request that was counted towards its rate limit already. */
  readonly isCounted?: boolean;
  /** The key of a request that was admitted in another way, as by a session of the console. */
  readonly caller?: ApiKey;
}

export interface HttpEnv {
  Bindings: RequestSource;
  Variables: { exchange: HttpExchange };
}
export type HttpContext = Context<HttpEnv>;

/**
 * Headers of every answer. These answers are not pages, so they may not load anything or be framed.
 */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

export function beginExchange(
  request: Request,
  clock: Clock,
  securityHeaders: Readonly<Record<string, string>>,
): HttpExchange {
  const sent = request.headers.get('x-request-id');
  const requestId = sent !== null && REQUEST_ID.test(sent) ? sent : clock.newId();
  return {
    requestId,
    receivedAt: clock.now(),
    startedAt: performance.now(),
    route: null,
    caller: null,
    headers: { 'x-request-id': requestId, ...securityHeaders },
    isComplete: false,
    release: () => undefined,
    keepPlace: () => undefined,
    isStreaming: false,
  };
}

/** Adds the missing headers to the answer of a route outside the contract. */
export function completeHeaders(context: HttpContext, exchange: HttpExchange): void {
  if (exchange.isComplete) return;
  for (const [name, value] of Object.entries(exchange.headers)) {
    if (!context.res.headers.has(name)) context.header(name, value);
  }
}

/** How a request was answered. */
export interface AnsweredExchange {
  readonly method: string;
  readonly status: number;
  /** From its arrival until its answer was made, by the clock. */
  readonly latencyMs: number;
  /** The same by `performance.now()`, with fractions. */
  readonly milliseconds: number;
}

/**
 * One line for each request, with what it asked providers for. Never headers, bodies, query strings
 * or keys.
 */
export function logAccess(
  exchange: HttpExchange,
  { method, status, latencyMs }: AnsweredExchange,
  log: Logger,
): void {
  if (!log.isLevelEnabled('info')) return;
  log.info(
    {
      request_id: exchange.requestId,
      method,
      route: exchange.route,
      status,
      latency_ms: latencyMs,
      key_id: exchange.caller?.id ?? null,
      project_id: exchange.caller?.projectId ?? null,
      ...exchange.work?.facts(),
    },
    'request',
  );
}
