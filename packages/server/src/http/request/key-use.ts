import type { ClientAddress } from '@trawl/base';
import { ADMIN_API, ADMIN_PERMISSION, isAdminKey, ROUTES, type RouteId } from '@trawl/contract';
import { RequestError } from '@trawl/router';
import type { AuditEvent, KeyUse } from '../../admin/audit-entry.ts';
import type { HttpContext, HttpExchange } from '../exchange.ts';

const TEXT_CHARACTERS = 300;

/** @throws Error on a request without a key */
export function keyUseOf(context: HttpContext, addressOf: ClientAddress): KeyUse {
  const exchange = context.get('exchange');
  const { caller, requestId, template } = exchange;
  if (caller === null) throw new Error('a request without a key cannot be audited');
  const { headers } = context.req.raw;
  const peer = context.env?.incoming?.socket.remoteAddress;
  return {
    caller,
    route: `${context.req.method} ${template ?? context.req.path}`.slice(0, TEXT_CHARACTERS),
    requestId,
    address: addressOf(peer, headers.get('x-forwarded-for')),
    userAgent: headers.get('user-agent')?.slice(0, TEXT_CHARACTERS) ?? null,
  };
}

const isRouteId = (route: string | null): route is RouteId =>
  route !== null && Object.hasOwn(ROUTES, route);

/**
 * The refusal of a request that belongs into the audit log: of a key of the operator API anywhere,
 * and of any key at the operator API. What the rate limit refused does not, or a key could fill the
 * log.
 */
export function auditedRefusal(exchange: HttpExchange, status: number): AuditEvent | undefined {
  const { caller, route, refusal, isAudited } = exchange;
  if (caller === null || isAudited || status < 400 || status >= 500 || status === 429) {
    return undefined;
  }
  if (!isAdminKey(caller) && !isAdminRoute(route)) return undefined;
  return { action: 'admin.refused', refused: refusal ?? `HTTP ${status}` };
}

const isAdminRoute = (route: string | null): boolean =>
  isRouteId(route) && ROUTES[route].permission === ADMIN_PERMISSION;

/** Why it was refused, in a line: the text, or the faulty fields without their values. */
export function refusalText({ detail }: RequestError): string {
  const text =
    typeof detail === 'string'
      ? detail
      : detail.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`).join('; ');
  return text.slice(0, TEXT_CHARACTERS);
}

/** Headers that browsers add by themselves, and no program sends without a reason. */
const OF_BROWSERS = ['Origin', 'Cookie', 'Sec-Fetch-Site'];

/**
 * Refuses (403) what a browser sent: a key of the operator API in a page is open to all who can
 * read the page, and to its scripts.
 */
export function refuseBrowser(headers: Headers): void {
  const sent = OF_BROWSERS.find((name) => headers.has(name));
  if (sent === undefined) return;
  throw new RequestError(
    403,
    `${ADMIN_API} is not for browsers, and this request has the header ${sent}: call it from a program or a shell, and keep its key out of pages. People have the console`,
    { typed: { code: 'forbidden' } },
  );
}
