import { createHash, timingSafeEqual } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { METRICS_TYPE } from '@trawl/telemetry';
import type { Hono } from 'hono';
import type { Authenticate } from '../auth/authenticate.ts';
import { requirePermission } from '../auth/permissions.ts';
import type { CheckHost } from '../config/allowed-hosts.ts';
import { answer } from '../http/answer/answer.ts';
import type { HttpContext, HttpEnv } from '../http/exchange.ts';

const PATH = '/metrics';

export interface MetricsRouteOptions {
  /** The metrics in the text format of Prometheus. */
  readonly text: () => Promise<string>;
  readonly authenticate: Authenticate;
  readonly checkHost: CheckHost;
  /** `METRICS_TOKEN`; undefined = unset. */
  readonly token: string | undefined;
}

/**
 * Adds the metrics for Prometheus. They take no place among the requests in progress: a full server
 * must still show them.
 */
export function addMetrics(app: Hono<HttpEnv>, options: MetricsRouteOptions): void {
  app.get(PATH, async (context) => {
    const exchange = context.get('exchange');
    exchange.route = PATH;
    await admit(context, options);
    return answer(exchange, 200, await options.text(), { 'content-type': METRICS_TYPE });
  });
}

/** @throws RequestError 401, 403 or 503 */
async function admit(
  context: HttpContext,
  { authenticate, checkHost, token }: MetricsRouteOptions,
): Promise<void> {
  const { raw } = context.req;
  if (isLocal(context)) {
    // pages of other sites could read them in a browser on this machine otherwise
    checkHost(raw);
    return;
  }
  const header = raw.headers.get('authorization') ?? undefined;
  if (token !== undefined && header !== undefined && isEqual(header, `Bearer ${token}`)) return;
  const caller = await authenticate(header);
  context.get('exchange').caller = caller;
  requirePermission(caller, 'manage');
}

/** Headers of proxies: the client behind one is not on this machine. */
const FORWARDING = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'];

/** Whether the request comes from a program on this machine, over no proxy. */
function isLocal({ req, env }: HttpContext): boolean {
  const address = env?.incoming?.socket.remoteAddress ?? '';
  const isLoopback = isIPv6(address)
    ? address === '::1' || address.startsWith('::ffff:127.')
    : address.startsWith('127.');
  return isLoopback && !FORWARDING.some((name) => req.raw.headers.has(name));
}

/** Compares digests, which have one length, so that the time says nothing about the token. */
function isEqual(sent: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(sent), digest(expected));
}
