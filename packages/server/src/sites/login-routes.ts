import { type ClientAddress, jsonText, networkOf, type RateLimiter } from '@trawl/base';
import type { Hono } from 'hono';
import { type Form, refusal, type TokenRefusal, type TokenRequests } from '../auth/token-answer.ts';
import { LOGIN_PATHS, resourceMetadata, serverMetadata } from '../config/login-metadata.ts';
import type { LoginPlace } from '../config/login-place.ts';
import { answer } from '../http/answer/answer.ts';
import type { HttpContext, HttpEnv } from '../http/exchange.ts';
import { type RequestAdmission, takePlace } from '../http/request/admission.ts';
import { takeRate } from '../http/request/rate-limit.ts';
import { formOf, readBody } from '../http/request/read-body.ts';

/** Where people log in, and what becomes of their codes and tokens. */
export interface LoginServed {
  readonly place: LoginPlace;
  readonly requests: TokenRequests;
}

export interface LoginRouteOptions {
  readonly admission: RequestAdmission;
  readonly clientAddress: ClientAddress;
  readonly rateLimiter: RateLimiter;
}

/** Pages of any site may call these: no cookie is read, and nothing is done without a secret. */
const ANY_ORIGIN = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
};
const PREFLIGHT = {
  ...ANY_ORIGIN,
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': '*, authorization, content-type',
  'access-control-max-age': '86400',
};
const METADATA_KEPT = { 'cache-control': 'public, max-age=300' };
const USER_AGENT_CHARACTERS = 300;
/** Requests for tokens; callers of no known address share them. */
const NETWORK_PER_MINUTE = 60;
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Adds the metadata of the login for `/mcp`, and the routes of its tokens, where it is on. */
export function addLoginRoutes(
  app: Hono<HttpEnv>,
  login: LoginServed | undefined,
  { admission, clientAddress, rateLimiter }: LoginRouteOptions,
): void {
  if (!login) return;
  const { place, requests } = login;
  const document = (path: string, content: object) => {
    app.on(['GET', 'OPTIONS'], path, (context) => {
      const exchange = context.get('exchange');
      exchange.route = path;
      if (context.req.method === 'OPTIONS') return answer(exchange, 204, null, PREFLIGHT);
      const headers = { ...ANY_ORIGIN, ...METADATA_KEPT };
      return answer(exchange, 200, JSON.stringify(content), headers);
    });
  };
  const { resourceMetadata: ofResource } = LOGIN_PATHS;
  document(ofResource, resourceMetadata(place));
  document(`${ofResource}/mcp`, resourceMetadata(place));
  document(LOGIN_PATHS.serverMetadata, serverMetadata(place));

  const form = (path: string, run: (form: Form, context: HttpContext) => Promise<Response>) => {
    app.on(['POST', 'OPTIONS'], path, async (context) => {
      const exchange = context.get('exchange');
      exchange.route = path;
      Object.assign(exchange.headers, ANY_ORIGIN);
      if (context.req.method === 'OPTIONS') return answer(exchange, 204, null, PREFLIGHT);
      takePlace(context, admission);
      const read = await readForm(context);
      return 'error' in read ? refused(context, read) : run(read, context);
    });
  };
  const requestOf = (context: HttpContext) => {
    const { headers } = context.req.raw;
    const peer = context.env?.incoming?.socket.remoteAddress;
    return {
      requestId: context.get('exchange').requestId,
      address: clientAddress(peer, headers.get('x-forwarded-for')),
      userAgent: headers.get('user-agent')?.slice(0, USER_AGENT_CHARACTERS) ?? null,
    };
  };
  form(LOGIN_PATHS.token, async (sent, context) => {
    const request = requestOf(context);
    const network = request.address === null ? 'unknown' : networkOf(request.address);
    const taken = await takeRate(rateLimiter, [
      { id: `login tokens ${network}`, perMinute: NETWORK_PER_MINUTE },
    ]);
    Object.assign(context.get('exchange').headers, taken);
    const done = await requests.token(sent, request);
    if ('error' in done) return refused(context, done);
    return answer(context.get('exchange'), 200, jsonText(done));
  });
  form(LOGIN_PATHS.revoke, async (sent, context) => {
    const problem = await requests.revoke(sent, requestOf(context));
    return problem ? refused(context, problem) : answer(context.get('exchange'), 200, '{}');
  });
}

/** Far more than any client has. */
const PARAMETERS_MAX = 100;

/** The parameters of a form, each once. A client that wants to prove itself is refused. */
async function readForm(context: HttpContext): Promise<Form | TokenRefusal> {
  if (context.req.header('authorization') !== undefined) {
    return refusal('invalid_client', 'clients are public here: send client_id in the body alone');
  }
  const type = (context.req.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (type !== FORM_TYPE) return refusal('invalid_request', `the body must be ${FORM_TYPE}`);
  const sent = new Map<string, string>();
  const parameters = formOf(await readBody(context.req.raw, context.env), PARAMETERS_MAX + 1);
  if (parameters.size > PARAMETERS_MAX) {
    return refusal('invalid_request', `too many parameters: send at most ${PARAMETERS_MAX}`);
  }
  if (String(parameters).includes('%00')) {
    return refusal('invalid_request', 'the body has the character U+0000');
  }
  for (const [name, value] of parameters) {
    if (sent.has(name)) return refusal('invalid_request', 'a parameter was sent more than once');
    sent.set(name, value);
  }
  if (sent.has('client_secret') || sent.has('client_assertion')) {
    return refusal('invalid_client', 'clients are public here: send no secret and no assertion');
  }
  return sent;
}

/** 401 for a client that is not taken, else 400: RFC 6749, section 5.2. */
function refused(context: HttpContext, problem: TokenRefusal): Response {
  const status = problem.error === 'invalid_client' ? 401 : 400;
  const isBasic = status === 401 && context.req.raw.headers.has('authorization');
  const headers = isBasic ? { 'www-authenticate': 'Basic realm="trawl"' } : {};
  return answer(context.get('exchange'), status, JSON.stringify(problem), headers);
}
