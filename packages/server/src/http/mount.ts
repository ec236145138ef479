import { AsyncLocalStorage } from 'node:async_hooks';
import type { Permission } from '@trawl/contract';
import { RequestError } from '@trawl/router';
import type { Hono } from 'hono';
import type { Authenticate } from '../auth/authenticate.ts';
import { forbidden, isGranted } from '../auth/permissions.ts';
import type { CheckHost } from '../config/allowed-hosts.ts';
import type { RequestAdmission } from './admission.ts';
import { type HttpContext, type HttpEnv, type RequestSource, takePlace } from './exchange.ts';

/**
 * The API from inside the process: no address, no network, and the same rules for every request.
 */
export type Api = (request: Request) => Promise<Response>;

export interface Mounted {
  /** Serves a request with a valid key. The API checks the permissions. */
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/** Another way to the API, at a path of its own. */
export interface Mount {
  readonly path: `/${string}`;
  /** A key needs at least one of them. */
  readonly permissions: readonly Permission[];
  open(api: Api): Mounted;
}

export interface MountOptions {
  readonly authenticate: Authenticate;
  readonly admission?: RequestAdmission | undefined;
  readonly checkHost: CheckHost;
}

/** Adds it to the app. A foreign host name is refused first, then a wrong key, as on all routes. */
export function addMount(
  app: Hono<HttpEnv>,
  mount: Mount,
  { authenticate, admission, checkHost }: MountOptions,
): Mounted {
  const places = sharedPlaces();
  const mounted = mount.open(async (request) => app.fetch(request, places.source()));
  // some clients add a slash, and a redirect would lose the method or the body
  const serve = async (context: HttpContext) => {
    checkHost(context.req.raw);
    const { headers, method } = context.req.raw;
    if (method === 'OPTIONS') throw noPreflight();
    const caller = await authenticate(headers.get('authorization') ?? undefined, headers);
    context.get('exchange').caller = caller;
    if (!mount.permissions.some((permission) => isGranted(caller, permission))) {
      const list = mount.permissions.join(', ');
      throw forbidden(caller, `This API key lacks permission: it needs one of ${list}`);
    }
    takePlace(context, admission);
    return places.within(() => mounted.fetch(context.req.raw));
  };
  app.all(mount.path, serve);
  app.all(`${mount.path}/`, serve);
  return mounted;
}

/** A preflight has no key, and a 401 would look like a wrong one. */
const noPreflight = (): RequestError =>
  new RequestError(405, 'Method Not Allowed', {
    headers: { allow: 'POST' },
    hint: 'a page in a browser cannot call this path: use a proxy of your own, or a program',
  });

/**
 * A request to a mount and the call that it makes to the API are one request, with one place. A
 * mount may take several calls in one request; each call after the first takes a place of its own.
 */
function sharedPlaces() {
  const requests = new AsyncLocalStorage<{ isShared: boolean }>();
  return {
    within: <Result>(serve: () => Result): Result => requests.run({ isShared: false }, serve),
    source(): RequestSource {
      const request = requests.getStore();
      if (!request || request.isShared) return {};
      request.isShared = true;
      return { hasPlace: true };
    },
  };
}
