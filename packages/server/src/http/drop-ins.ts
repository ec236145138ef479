import { wellFormedJson } from '@trawl/base';
import { type ErrorBody, type InteractionResponse, writeJson } from '@trawl/contract';
import {
  type DropIn,
  type DropInAnswer,
  type DropInRoute,
  faultText,
  fetchedOf,
  foundOf,
  type KeyPlace,
  type Sent,
} from '@trawl/drop-ins';
import { type ApiKey, type Deployment, RequestError } from '@trawl/router';
import type { Hono } from 'hono';
import type { Authenticate } from '../auth/authenticate.ts';
import type { CheckHost } from '../config/allowed-hosts.ts';
import { type ApiRequest, fetchRequest, searchRequest } from '../drop-in/requests.ts';
import type { Admission } from './admission.ts';
import { answer, type HttpContext, type HttpEnv, takePlace } from './exchange.ts';
import { checkContentType, readBody } from './read-body.ts';
import { readJson } from './read-json.ts';

export interface DropInOptions {
  readonly dropIns: readonly DropIn[];
  readonly deployment: Deployment;
  readonly authenticate: Authenticate;
  readonly admission: Admission;
  readonly checkHost: CheckHost;
  /** The key of calls without one, for vendors whose clients send none. */
  readonly keylessKey: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const PREFIX = '/compat';

/** Adds the routes of vendors' own APIs. Each request becomes one request to the API, in process, with the caller's key. */
export function addDropIns(app: Hono<HttpEnv>, options: DropInOptions): void {
  for (const dropIn of options.dropIns) {
    app.all(`${PREFIX}/${dropIn.slug}/*`, async (context) => {
      const exchange = context.get('exchange');
      exchange.route = `compat.${dropIn.slug}`;
      exchange.template = `${PREFIX}/${dropIn.slug}/*`;
      try {
        return await serve(app, dropIn, context, options);
      } catch (error) {
        if (!(error instanceof RequestError)) throw error;
        const { status, headers } = error;
        const body: ErrorBody =
          typeof error.detail === 'string'
            ? { detail: error.detail }
            : { detail: [...error.detail] };
        return refuse(context, dropIn, { status, message: faultText(body, {}) }, headers);
      }
    });
  }
}

async function serve(
  app: Hono<HttpEnv>,
  dropIn: DropIn,
  context: HttpContext,
  options: DropInOptions,
): Promise<Response> {
  const { raw } = context.req;
  const path = context.req.path.slice(PREFIX.length + dropIn.slug.length + 1);
  const admit = (token: string | undefined) => admitted(context, token, dropIn, options);
  const token = tokenOf(raw.headers, dropIn.keys);
  const bodyKey = dropIn.keys.find((place) => place.in === 'body');
  // a key in the body is known after the body was read, which takes a place too
  const early = token !== undefined || bodyKey === undefined ? await admit(token) : undefined;
  takePlace(context, options.admission);
  const route = routeOf(dropIn, raw.method, path);
  const sent = await readSent(context, route);
  const late = bodyKey && sent[bodyKey.name];
  const caller = early ?? (await admit(typeof late === 'string' ? `Bearer ${late}` : undefined));
  const prepared = route.prepare(sent, new Date(options.now()).toISOString().slice(0, 10));
  if (prepared.kind === 'refused') {
    return refuse(context, dropIn, { status: 400, ...prepared });
  }
  const { deployment } = options;
  const request =
    prepared.kind === 'search'
      ? searchRequest(prepared.ask, dropIn.slug, deployment, caller)
      : fetchRequest(prepared.ask, dropIn.slug, deployment, caller);
  const response = await callApi(app, request, caller, context);
  keepLimits(context, response);
  const text = await response.text();
  if (!response.ok) {
    const message = faultText(JSON.parse(text) as ErrorBody, route.names);
    const retry = response.headers.get('retry-after');
    const headers = retry === null ? {} : { 'retry-after': retry };
    return refuse(context, dropIn, { status: response.status, message }, headers);
  }
  const interaction = JSON.parse(text) as InteractionResponse;
  Object.assign(context.get('exchange').headers, {
    'x-session-id': interaction.session_id,
    'x-interaction-id': interaction.interaction_id,
  });
  if (prepared.kind === 'fetch') return reply(context, prepared.answer(fetchedOf(interaction)));
  if (interaction.status === 'failed') {
    return refuse(context, dropIn, { status: 502, message: failedText(interaction) });
  }
  const found = foundOf(interaction, dropIn.slug);
  const pages = found.pages.slice(0, prepared.ask.numResults);
  return reply(context, prepared.answer({ ...found, pages }));
}

const failedText = ({ preprocessor_runs: runs }: InteractionResponse): string =>
  `No provider answered: ${runs.flatMap(({ error }) => error?.message ?? []).join('; ')}`;

/** The value of an Authorization header for the key, wherever the vendor's clients put it. */
function tokenOf(headers: Headers, places: readonly KeyPlace[]): string | undefined {
  for (const place of places) {
    if (place.in === 'body') continue;
    const sent = headers.get(place.in === 'bearer' ? 'authorization' : place.name);
    if (sent !== null) return place.in === 'bearer' ? sent : `Bearer ${sent}`;
  }
  return undefined;
}

/** @throws RequestError 401 or 503, or 403 for a call without a key from a web page */
async function admitted(
  context: HttpContext,
  token: string | undefined,
  { isKeyless }: DropIn,
  { authenticate, checkHost, keylessKey }: DropInOptions,
): Promise<ApiKey> {
  const isOpen = token === undefined && isKeyless === true && keylessKey !== undefined;
  // any page in a browser on this network could spend the operator's money otherwise
  if (isOpen) checkHost(context.req.raw);
  const caller = isOpen ? await keylessCaller(authenticate, keylessKey) : await authenticate(token);
  context.get('exchange').caller = caller;
  return caller;
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

const FORM = 'application/x-www-form-urlencoded';

/** @throws RequestError 413, 415 or 422 */
async function readSent(context: HttpContext, route: DropInRoute): Promise<Sent> {
  const { raw } = context.req;
  if (route.place === 'headers') return headersOf(raw, route);
  if (route.place === 'query') {
    const isForm = (raw.headers.get('content-type') ?? '').startsWith(FORM);
    const form = isForm ? Buffer.from(await readBody(raw, context.env)).toString() : '';
    return textsOf([...new URL(raw.url).searchParams, ...new URLSearchParams(form)]);
  }
  checkContentType(raw.headers);
  const reading = readJson(await readBody(raw, context.env));
  if (!reading.ok) throw new RequestError(422, [reading.issue]);
  const { value } = reading;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new RequestError(422, 'The body must be a JSON object');
  }
  return value as Sent;
}

/** Headers that the vendor documents: others are of proxies and clients. The address is as it was sent, not decoded. */
function headersOf({ headers, url }: Request, { parameters }: DropInRoute): Sent {
  const named = parameters.flatMap(({ name }) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  const { pathname, search } = new URL(url);
  const rest = pathname.split('/').slice(3).join('/');
  return { ...Object.fromEntries(named), url: rest + search };
}

/** Clients send an empty text for nothing. A name that comes twice has a list, which schemas refuse. */
function textsOf(pairs: readonly (readonly [string, string])[]): Sent {
  const texts = new Map<string, unknown>();
  for (const [name, text] of pairs) {
    if (text === '') continue;
    const earlier = texts.get(name);
    texts.set(name, earlier === undefined ? text : [earlier, text].flat());
  }
  return Object.fromEntries(texts);
}

/** The request has its place already; permission, rate limit, budget and record are those of the API. */
async function callApi(
  app: Hono<HttpEnv>,
  { path, body }: ApiRequest,
  caller: ApiKey,
  context: HttpContext,
): Promise<Response> {
  const request = new Request(`http://localhost${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-request-id': context.get('exchange').requestId,
      ...traceHeaders(context.req.raw.headers),
    },
    body: writeJson(body),
    signal: context.req.raw.signal,
  });
  return app.fetch(request, { hasPlace: true, caller });
}

/** The trace that the caller named; empty without one. */
function traceHeaders(headers: Headers): Record<string, string> {
  const named = ['traceparent', 'tracestate'].map((name) => [name, headers.get(name)] as const);
  return Object.fromEntries(named.filter((entry): entry is [string, string] => entry[1] !== null));
}

/** Rate limits are counted inside; their headers are of this answer too. */
function keepLimits(context: HttpContext, response: Response): void {
  for (const [name, value] of response.headers) {
    if (name.includes('ratelimit')) context.get('exchange').headers[name] = value;
  }
}

function refuse(
  context: HttpContext,
  dropIn: DropIn,
  fault: { readonly status: number; readonly message: string; readonly parameter?: string },
  headers: Readonly<Record<string, string>> = {},
): Response {
  const { requestId } = context.get('exchange');
  const refused = dropIn.fault({ ...fault, requestId });
  return reply(context, { status: fault.status, ...refused }, headers);
}

function reply(
  context: HttpContext,
  { status = 200, body, type }: DropInAnswer,
  headers: Readonly<Record<string, string>> = {},
): Response {
  // a text that was cut to the length that a client wants may end in half a character
  const text = typeof body === 'string' ? body : wellFormedJson(body);
  return answer(context.get('exchange'), status, text, {
    ...headers,
    ...(type === undefined ? {} : { 'content-type': type }),
  });
}
