import type { OutageLog } from '@trawl/base';
import { createMemoryRateLimiter } from '@trawl/base';
import { writeJson } from '@trawl/contract';
import { CallerLeftError, RequestError } from '@trawl/router';
import { routePath } from 'hono/route';
import type { AuditEvent } from '../admin/audit-entry.ts';
import { answer } from './answer/answer.ts';
import { errorAnswer, errorStyleOf } from './answer/error-response.ts';
import { reportFailure } from './answer/report-failure.ts';
import {
  type AnsweredExchange,
  beginExchange,
  completeHeaders,
  type HttpContext,
  type HttpExchange,
  logAccess,
  SECURITY_HEADERS,
} from './exchange.ts';
import type { HttpOptions } from './options.ts';
import { auditedRefusal, keyUseOf, refusalText } from './request/key-use.ts';

/**
 * Surrounds every request: its id, the headers of its answer, its log line, and errors that nothing
 * else caught.
 */
export function everyRequest(options: HttpOptions) {
  const securityHeaders = options.securityHeaders ?? SECURITY_HEADERS;
  const refusals = createMemoryRateLimiter(() => performance.now());
  const isWritten = async ({ caller }: HttpExchange) =>
    (await refusals.take([{ id: caller?.id ?? '', perMinute: REFUSALS_MAX }])).isAllowed;
  return async (context: HttpContext, next: () => Promise<void>): Promise<void> => {
    const exchange = beginExchange(context.req.raw, options.clock, securityHeaders);
    context.set('exchange', exchange);
    try {
      await next();
    } catch (error) {
      context.res = failure(error, context, options.outages);
    }
    const refused = auditedRefusal(exchange, context.res.status);
    if (refused && (await isWritten(exchange))) await writeRefusal(refused, context, options);
    if (!exchange.isComplete) {
      exchange.route = routePath(context, -1);
      completeHeaders(context, exchange);
    }
    // with a connection, the place is held until that has taken the answer
    if (!context.env?.outgoing && !exchange.isStreaming) exchange.release();
    if (exchange.whole) void exchange.whole.then(() => conclude(context, options));
    else conclude(context, options);
  };
}

/** A key's refusals of a minute that the audit log gets: it must not be filled by one. */
const REFUSALS_MAX = 60;

/** The answer waits for it. It is the same if the log cannot be written, which is reported. */
async function writeRefusal(
  event: AuditEvent,
  context: HttpContext,
  options: HttpOptions,
): Promise<void> {
  try {
    await options.keyAudit.write(event, keyUseOf(context, options.clientAddress));
  } catch (error) {
    reportFailure(error, context.get('exchange'), options.outages);
  }
}

/**
 * The answer was made: for an answer in events, all of it. Its client may have it already, so a
 * fault here does not change it.
 */
function conclude(context: HttpContext, options: HttpOptions): void {
  const exchange = context.get('exchange');
  const answered: AnsweredExchange = {
    method: context.req.method,
    status: context.res.status,
    latencyMs: options.clock.now() - exchange.receivedAt,
    milliseconds: performance.now() - exchange.startedAt,
  };
  try {
    exchange.work?.end(answered.status);
    logAccess(exchange, answered, options.log);
  } catch (error) {
    reportFailure(error, exchange, options.outages);
  }
  // a `Response` is written next, and its client need not wait for the metrics
  const isWaiting = context.env?.outgoing && !exchange.whole;
  if (isWaiting) setImmediate(countAnswered, context, answered, options);
  else countAnswered(context, answered, options);
}

function countAnswered(
  context: HttpContext,
  answered: AnsweredExchange,
  options: HttpOptions,
): void {
  const exchange = context.get('exchange');
  try {
    exchange.work?.count();
    // one from inside the process is part of another, which is counted
    if (!context.env?.incoming) return;
    const { method, status, milliseconds } = answered;
    const route = exchange.template ?? exchange.route;
    options.onAnswered?.({ method, route, status, milliseconds });
  } catch (error) {
    reportFailure(error, exchange, options.outages);
  }
}

/** nginx's status for a client that left; it is only logged. */
const CLIENT_GONE = 499;

/** The answer to a thrown value. */
export function failure(error: unknown, context: HttpContext, outages: OutageLog): Response {
  const exchange = context.get('exchange');
  if (error instanceof CallerLeftError || (isUnexpected(error) && context.req.raw.signal.aborted)) {
    return answer(exchange, CLIENT_GONE, null);
  }
  if (error instanceof RequestError) exchange.refusal = refusalText(error);
  const style = errorStyleOf(context.req.path);
  const { status, body, headers } = errorAnswer(error, style, exchange.requestId);
  if (status >= 500) reportFailure(error, exchange, outages);
  return answer(exchange, status, writeJson(body), headers);
}

function isUnexpected(error: unknown): boolean {
  return !(error instanceof RequestError);
}
