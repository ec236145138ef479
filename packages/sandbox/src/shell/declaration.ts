import {
  bearerToken,
  gatewayPage,
  type Incoming,
  isJson,
  jsonReply,
  sandboxError,
  type VendorReply,
} from '../util/http.ts';
import { isObject, type JsonObject, textAt } from '../util/json.ts';
import { uuidFrom } from '../util/seed.ts';
import { filled, filledPart } from '../util/templates.ts';
import { urlText } from '../web/target-url.ts';
import {
  type Combination,
  combination,
  combined,
  type Problem,
  problemsOf,
  queryProblems,
  type Rules,
  type Schema,
} from './schema.ts';
import {
  type HandledRoute,
  type VendorRequest,
  type VendorServer,
  withEchoedKey,
} from './vendor.ts';

/** A vendor's answer when it does not serve a request. */
export interface VendorFailure {
  readonly status: number;
  readonly message: string;
  readonly code?: string | undefined;
  readonly title?: string | undefined;
  readonly number?: number | undefined;
  /** More members of the body, in the vendor's own shape. */
  readonly details?: unknown;
  /** The name of the template in `shapes`, by default `usual`. */
  readonly shape?: string | undefined;
}

/** A failure by its status; missing members come from the vendor's list of failures. */
export type VendorRefusal = Pick<VendorFailure, 'status'> & Partial<VendorFailure>;

/** Ends an answer with a failure. */
export function refuse(refusal: VendorRefusal): never {
  throw new Ended(refusal);
}

/** Ends an answer with an error of the sandbox: it does not support this. */
export function unsupported(what: string): never {
  throw new Ended(sandboxError(501, what));
}

class Ended extends Error {
  readonly end: VendorRefusal | VendorReply;

  constructor(end: VendorRefusal | VendorReply) {
    super('the answer was ended early');
    this.end = end;
  }
}

/**
 * One route of an API: its parameters are checked before it answers. Its facts are in `api.json`.
 */
export interface VendorRoute {
  readonly method: string;
  readonly path: string;
  /** The schema of the JSON body, or of the query string with GET. */
  readonly parameters: Schema;
  readonly rules?: Rules;
  /** Parameters that the vendor refuses together. */
  readonly combinations?: readonly Combination[];
  /** The problem of a list of `urls` without a URL. */
  readonly noUrls?: Pick<Combination, 'message' | 'at'>;
  /** Further problems of parameters that are valid individually. */
  check?(asked: JsonObject, request: VendorRequest): readonly Problem[];
  /** The vendor reports combinations together with other problems. */
  readonly checksAlways?: boolean;
  /** Whether it is for this request, where another route has the same path; absent = it is. */
  takes?(request: VendorRequest): boolean;
  /** Whether it serves this request without a key. */
  isOpen?(request: VendorRequest): boolean;
  /** The body of the answer. `refuse` ends it with a failure. */
  answer(request: VendorRequest, asked: JsonObject): unknown;
}

/** A route that checks the key and reads its request itself. */
export interface OwnRoute {
  readonly method: string;
  readonly path: string;
  reply(request: VendorRequest): VendorReply;
}

/** The facts of `api.json`. */
export interface ApiFacts {
  readonly slug: string;
  /** It serves everyone, without keys. */
  readonly isOpen?: boolean;
  /** It serves everyone, and has keys too. */
  readonly hasOptionalKey?: boolean;
  /** Settings of a server that its account needs in addition to address and key. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The header with the key, if it is not a bearer token. */
  readonly keyHeader?: string;
  /** By status. A status that is not listed uses `other`. */
  readonly failures: Readonly<Record<string, Omit<VendorFailure, 'status'>>>;
  /** Statuses that a gateway in front of the vendor answers with an HTML page. */
  readonly gateway: readonly number[];
  /** For a missing key, an unknown one and an empty account; by default 401, 401 and 402. */
  readonly keys?: {
    readonly missing?: VendorRefusal;
    readonly refused?: VendorRefusal;
    readonly exhausted?: VendorRefusal;
  };
  /** The refusal of another content type, if it differs from that of a body that is not JSON. */
  readonly notJson?: VendorRefusal;
  /**
   * Templates of the refusal for problems of the parameters, by the kind of the first one or
   * `other`.
   */
  readonly refusals?: ByKind<VendorRefusal>;
  /** Templates of an entry of `{problems}`, by its kind or `other`. */
  readonly problem?: ByKind<JsonObject>;
  /** Members of failures that have none of their own. */
  readonly unset?: { readonly details: unknown };
  /** Templates of the bodies of failures. */
  readonly shapes?: Readonly<Record<string, JsonObject>>;
}

type ByKind<T> = Readonly<Partial<Record<Problem['kind'] | 'other', T>>>;

export interface Declaration {
  readonly api: ApiFacts;
  readonly routes: readonly (VendorRoute | OwnRoute)[];
  /** The received key, if it is not in the header of `api.json` or a bearer token. */
  readKey?(request: Incoming): string | undefined;
  /** The caller's own text, if it is not in `query`, `q` or a URL. */
  readText?(request: Incoming): string;
  /** The refusal for a missing key, if it depends on the request. */
  missingKey?(request: Incoming): VendorRefusal;
  /** The refusal for problems of the parameters, if it is not made by the templates. */
  refusal?(request: VendorRequest): VendorRefusal | undefined;
  /** Writes a failure in the vendor's shape, if the templates are not enough. */
  write?(failure: VendorFailure, request: VendorRequest): VendorReply;
  /** Headers of every answer of the vendor, and of the gateway (without a failure). */
  headers?(failure?: VendorFailure): Readonly<Record<string, string>>;
}

/** Makes a vendor's API from its declaration: keys, parameters, failures and routes. */
export function defineVendor(declaration: Declaration): VendorServer {
  const { api, readText = textOf, routes } = declaration;
  const { slug, keyHeader } = api;
  const readUsualKey = (request: Incoming) =>
    keyHeader === undefined ? bearerToken(request) : request.headers[keyHeader];
  return {
    slug,
    settings: api.settings,
    hasOptionalKey: api.hasOptionalKey,
    readKey: declaration.readKey ?? readUsualKey,
    readText,
    fail: (request, status) => failed(declaration, request, { status }),
    routes: routes.map((route): HandledRoute => {
      const { method, path } = route;
      const takes = 'takes' in route ? { takes: route.takes } : {};
      return { method, path, ...takes, answer: (request) => answered(declaration, route, request) };
    }),
  };
}

function answered(
  declaration: Declaration,
  route: VendorRoute | OwnRoute,
  request: VendorRequest,
): VendorReply {
  try {
    if ('reply' in route) return route.reply(request);
    const asked = checked(declaration, route, request);
    return jsonReply(200, route.answer(request, asked), declaration.headers?.());
  } catch (thrown) {
    if (!(thrown instanceof Ended)) throw thrown;
    return 'body' in thrown.end ? thrown.end : failed(declaration, request, thrown.end);
  }
}

/** The checked parameters of a request; ends with a failure if they are not valid. */
function checked(declaration: Declaration, route: VendorRoute, request: VendorRequest): JsonObject {
  const { keys, notJson } = declaration.api;
  const isOpen = declaration.api.isOpen === true || route.isOpen?.(request) === true;
  if (request.credential === 'missing' && !isOpen) {
    return refuse(declaration.missingKey?.(request) ?? keys?.missing ?? { status: 401 });
  }
  if (request.credential === 'refused') return refuse(keys?.refused ?? { status: 401 });
  if (route.method === 'POST' && notJson && !isJson(request)) return refuse(notJson);
  const asked = askedOf(route, request);
  const problems = asked ? problemsIn(route, request, asked) : [NO_OBJECT];
  if (problems.length > 0 || !asked) {
    const own = declaration.refusal?.(request);
    return refuse(own ?? refusalOf(declaration.api, problems, request.query));
  }
  if (request.credential === 'exhausted') return refuse(keys?.exhausted ?? { status: 402 });
  return asked;
}

/** Fills the vendor's template with the first problem and the list of all. */
export function refusalOf(
  { refusals, problem: entries }: ApiFacts,
  problems: readonly Problem[],
  query: URLSearchParams,
): VendorRefusal {
  const [first = NO_OBJECT] = problems;
  const refusal = refusals?.[first.kind] ?? refusals?.other ?? { status: 400 };
  const all = problems.map((one) =>
    filledPart(entries?.[one.kind] ?? entries?.other, valuesOf(one)),
  );
  const template = first.code === undefined ? refusal : { ...refusal, code: first.code };
  const value = query.get(first.path.join('.'));
  const values = { ...valuesOf(first), value, problems: all };
  return { ...template, ...filled(template, values), status: refusal.status };
}

function valuesOf({ path, message }: Problem): JsonObject {
  return { path, field: path.join('.'), bodyPath: ['body', ...path], message };
}

const NO_OBJECT: Problem = { path: [], message: 'the body must be a JSON object', kind: 'body' };

function askedOf(route: VendorRoute, request: VendorRequest): JsonObject | undefined {
  if (route.method === 'GET') return Object.fromEntries(request.query);
  const body = isJson(request) ? request.json() : undefined;
  return isObject(body) ? body : undefined;
}

function problemsIn(
  { method, parameters, rules, combinations = [], noUrls, checksAlways, check }: VendorRoute,
  request: VendorRequest,
  asked: JsonObject,
): readonly Problem[] {
  const problems =
    method === 'GET'
      ? queryProblems(parameters, request.query)
      : problemsOf(parameters, asked, rules);
  if (problems.length > 0 && !checksAlways) return problems;
  const isEmpty = noUrls !== undefined && listed(asked.urls).length === 0;
  return [
    ...problems,
    ...(check?.(asked, request) ?? []),
    ...(isEmpty ? [combination(noUrls.message, noUrls.at)] : []),
    ...combined(combinations, asked),
  ];
}

function failed(
  declaration: Declaration,
  request: VendorRequest,
  refusal: VendorRefusal,
): VendorReply {
  const { api, headers, write = writeShape(api) } = declaration;
  const { status } = refusal;
  if (api.gateway.includes(status)) return gatewayPage(status, headers?.());
  const known = api.failures[status] ?? api.failures.other;
  const message = refusal.message ?? known?.message ?? 'The request could not be served';
  const failure = { ...api.unset, ...known, ...refusal, message: withEchoedKey(request, message) };
  const reply = write(failure, request);
  return { ...reply, headers: { ...reply.headers, ...headers?.(failure) } };
}

/** Writes failures by the vendor's templates. */
function writeShape({ shapes }: ApiFacts): NonNullable<Declaration['write']> {
  return (failure, { fingerprint, faults }) => {
    const { status, shape = 'usual' } = failure;
    const retryAfter = status === 429 ? faults.retryAfterSeconds : undefined;
    const ids = { hex: fingerprint.slice(0, 32), uuid: uuidFrom(fingerprint) };
    return jsonReply(status, filled(shapes?.[shape] ?? {}, { ...failure, ...ids, retryAfter }));
  };
}

/** The caller's text in most vendors' requests: the query and every URL. */
function textOf(request: Incoming): string {
  const body = request.json();
  const { query } = request;
  const text = textAt(body, 'query') ?? textAt(body, 'q') ?? query.get('query') ?? query.get('q');
  return `${text ?? ''} ${urlText(body)}`.trim();
}

/** The entries of a list of URLs, or the single URL in its place. */
export function listed(value: unknown): readonly string[] {
  return [value].flat().filter((entry) => typeof entry === 'string');
}

/** Whether a parameter was sent: null counts as absent. */
export function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}
