import type { DropIn, DropInRoute, KeyPlace, Sent } from '@trawl/drop-ins';
import { type ApiKey, RequestError } from '@trawl/router';
import type { Authenticate } from '../auth/authenticate.ts';
import { refuseAdminKey, requirePermission } from '../auth/permissions.ts';
import type { CheckHost } from '../config/allowed-hosts.ts';
import type { HttpContext } from '../http/exchange.ts';
import { type RequestAdmission, takePlace } from '../http/request/admission.ts';
import type { RateLimit } from '../http/request/rate-limit.ts';
import { readSent } from './sent-parameters.ts';

export interface DropInAdmission {
  readonly authenticate: Authenticate;
  readonly admission: RequestAdmission;
  readonly rateLimit: RateLimit;
  readonly checkHost: CheckHost;
  /** The key of calls without one, for vendors whose clients send none. */
  readonly keylessKey: string | undefined;
}

interface Admitted {
  readonly route: DropInRoute;
  readonly caller: ApiKey;
  readonly sent: Sent;
}

/**
 * The route, key and parameters of a request. The order is that of the API: route, key, permission,
 * place, rate limit, and only then the body; a key in the body is checked after it.
 * @param path below `/compat/<slug>`
 * @throws RequestError 400 to 429, or 503
 */
export async function admitDropIn(
  context: HttpContext,
  dropIn: DropIn,
  path: string,
  options: DropInAdmission,
): Promise<Admitted> {
  const { raw } = context.req;
  const { authenticate, checkHost, keylessKey } = options;
  const token = tokenOf(raw, dropIn.keys);
  const openKey = token === undefined && dropIn.isKeyless === true ? keylessKey : undefined;
  // any page in a browser on this network could spend the operator's money otherwise
  if (openKey !== undefined) checkHost(raw);
  const route = routeOf(dropIn, raw.method, path);
  const keyOf = async (sent: string | undefined): Promise<ApiKey> => {
    const key = await (openKey === undefined
      ? authenticate(sent)
      : keylessCaller(authenticate, openKey));
    context.get('exchange').caller = key;
    if (route.permission === null) refuseAdminKey(key);
    else requirePermission(key, route.permission);
    return key;
  };
  const bodyKey = dropIn.keys.find((place) => place.in === 'body');
  const isLate = token === undefined && bodyKey !== undefined;
  const early = isLate ? undefined : await keyOf(token);
  takePlace(context, options.admission);
  if (early) await count(context, early, options);
  const sent = await readSent(context, route);
  if (early) return { route, caller: early, sent };
  const late = bodyKey && sent[bodyKey.name];
  const caller = await keyOf(typeof late === 'string' ? `Bearer ${late}` : undefined);
  await count(context, caller, options);
  return { route, caller, sent };
}

async function count(
  context: HttpContext,
  caller: ApiKey,
  { rateLimit }: DropInAdmission,
): Promise<void> {
  Object.assign(context.get('exchange').headers, await rateLimit(caller));
}

/** The value of an Authorization header for the key, wherever the vendor's clients put it. */
export function tokenOf(
  { headers, url }: Request,
  places: readonly KeyPlace[],
): string | undefined {
  for (const place of places) {
    if (place.in === 'body') continue;
    const sent =
      place.in === 'query'
        ? new URL(url).searchParams.get(place.name)
        : headers.get(place.in === 'bearer' ? 'authorization' : place.name);
    // Open WebUI sends some keys without the word
    if (sent !== null) return sent.includes(' ') ? sent : `Bearer ${sent}`;
  }
  return undefined;
}

/** @throws RequestError 401 that says where the fault is: these callers have sent no key */
async function keylessCaller(authenticate: Authenticate, keylessKey: string): Promise<ApiKey> {
  try {
    return await authenticate(`Bearer ${keylessKey}`);
  } catch (error) {
    if (!(error instanceof RequestError) || error.status !== 401) throw error;
    throw new RequestError(401, 'The key of COMPAT_SEARXNG_KEY is not valid or no longer valid', {
      headers: error.headers,
    });
  }
}

/** @throws RequestError 404, or 405 */
function routeOf({ routes, name }: DropIn, method: string, path: string): DropInRoute {
  const atPath = routes.filter((route) =>
    route.path.endsWith('/*') ? path.startsWith(route.path.slice(0, -1)) : route.path === path,
  );
  // not HEAD for GET: a search or a page costs money, and HEAD has no answer
  const route = atPath.find((one) => one.method === method);
  if (route) return route;
  if (atPath.length === 0) {
    const served = routes.map((one) => `${one.method} ${one.path}`).join(', ');
    throw new RequestError(404, `trawl does not serve this path of ${name}; it serves ${served}`);
  }
  const allow = atPath.map((one) => one.method).join(', ');
  throw new RequestError(405, `This path takes ${allow}`, { headers: { allow } });
}
