import { AsyncLocalStorage } from 'node:async_hooks';
import type { Permission } from '@trawl/contract';
import { type ApiKey, RequestError } from '@trawl/router';
import type { Hono } from 'hono';
import { type Authenticate, tokenOf } from '../auth/authenticate.ts';
import { isAccessToken } from '../auth/login-secrets.ts';
import { forbidden, isGranted } from '../auth/permissions.ts';
import type { CheckHost } from '../config/allowed-hosts.ts';
import { challenge } from '../config/login-metadata.ts';
import type { LoginPlace } from '../config/login-place.ts';
import type { HttpContext, HttpEnv, RequestSource } from '../http/exchange.ts';
import { type RequestAdmission, takePlace } from '../http/request/admission.ts';
import { readBody } from '../http/request/read-body.ts';

/**
 * The API from inside the process: no address, no network, and the same rules for every request.
 */
export type Api = (request: Request) => Promise<Response>;

export interface Mounted {
  /** Serves a request with a valid key. The API checks the permissions. */
  fetch(request: Request): Promise<Response>;
  /** The permissions that the body of a request needs; absent = it is not known before. */
  needs?(body: unknown): Promise<readonly Permission[]>;
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
  /** Where people log in instead of sending a key; absent = nowhere. */
  readonly login?: MountLogin | undefined;
}

export interface MountLogin {
  readonly place: LoginPlace;
  /** The login of an access token in force; undefined = not found. @throws RequestError 503 */
  readonly find: (token: string) => Promise<ApiKey | undefined>;
}

/** Adds it to the app. A foreign host name is refused first, then a wrong key, as on all routes. */
export function addMount(
  app: Hono<HttpEnv>,
  mount: Mount,
  { authenticate, admission, checkHost, login }: MountOptions,
): Mounted {
  const places = sharedPlaces();
  const mounted = mount.open(async (request) => app.fetch(request, places.source()));
  // some clients add a slash, and a redirect would lose the method or the body
  const serve = async (context: HttpContext) => {
    checkHost(context.req.raw);
    const { headers, method } = context.req.raw;
    if (method === 'OPTIONS') throw noPreflight();
    const { caller, isLogin } = await callerOf(headers, authenticate, login);
    context.get('exchange').caller = caller;
    if (!mount.permissions.some((permission) => isGranted(caller, permission))) {
      const list = mount.permissions.join(', ');
      throw forbidden(caller, `This API key lacks permission: it needs one of ${list}`);
    }
    takePlace(context, admission);
    if (!login || !isLogin) return places.within(undefined, () => mounted.fetch(context.req.raw));
    const request = await permitted(context, caller, { mounted, login, mount });
    return places.within(caller, () => mounted.fetch(request));
  };
  app.all(mount.path, serve);
  app.all(`${mount.path}/`, serve);
  return mounted;
}

/** @throws RequestError 401, which says where one logs in, or 503 */
async function callerOf(
  headers: Headers,
  authenticate: Authenticate,
  login: MountLogin | undefined,
): Promise<{ readonly caller: ApiKey; readonly isLogin: boolean }> {
  const header = headers.get('authorization') ?? undefined;
  const token = tokenOf(header);
  if (login && isAccessToken(token)) {
    const caller = await login.find(token);
    if (caller) return { caller, isLogin: true };
  }
  const caller = await authenticate(header, headers).catch((error: unknown) => {
    if (!login || !(error instanceof RequestError) || error.status !== 401) throw error;
    const wrong = { error: 'invalid_token', says: error.message } as const;
    const value = challenge(login.place, token === '' ? {} : wrong);
    throw error.withHeaders({ 'www-authenticate': value });
  });
  return { caller, isLogin: false };
}

/**
 * The request of a login that has the permissions which it needs. A client learns the missing ones
 * from the status of the answer alone, and asks the person again.
 * @throws RequestError 403
 */
async function permitted(
  { req, env }: HttpContext,
  caller: ApiKey,
  { mounted, login, mount }: { mounted: Mounted; login: MountLogin; mount: Mount },
): Promise<Request> {
  const { raw } = req;
  const isAll = mount.permissions.every((permission) => isGranted(caller, permission));
  if (isAll || raw.method !== 'POST') return raw;
  const bytes = await readBody(raw, env);
  const needed = (await mounted.needs?.(jsonOrNothing(bytes))) ?? [];
  const missing = needed.filter((permission) => !isGranted(caller, permission));
  const { method, headers, signal } = raw;
  if (missing.length === 0) return new Request(raw.url, { method, headers, signal, body: bytes });
  const says = `this login lacks ${missing.join(', ')}: log in again and allow it`;
  const header = challenge(login.place, { error: 'insufficient_scope', says });
  throw forbidden(caller, `This needs ${missing.join(', ')}, and ${says}`).withHeaders({
    'www-authenticate': header,
  });
}

function jsonOrNothing(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
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
  const requests = new AsyncLocalStorage<{
    isShared: boolean;
    readonly login: ApiKey | undefined;
  }>();
  return {
    /** @param login whose token is worth nothing at the API itself; undefined = it has a key */
    within: <Result>(login: ApiKey | undefined, serve: () => Result): Result =>
      requests.run({ isShared: false, login }, serve),
    source(): RequestSource {
      const request = requests.getStore();
      if (!request) return {};
      const caller = request.login && { caller: request.login };
      if (request.isShared) return { ...caller };
      request.isShared = true;
      return { hasPlace: true, ...caller };
    },
  };
}
