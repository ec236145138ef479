import { pagesFor, SANDBOX_NOW } from '../content.ts';
import { bearerToken, gatewayPage, type Incoming, jsonReply, type Reply } from '../http.ts';
import { isObject, isTrueAt, type JsonObject, numberAt } from '../json.ts';
import { finishRows, rowCount } from '../rows.ts';
import { uuidFrom } from '../seed.ts';
import { type Vendor, type VendorRequest, withEchoedKey } from '../vendor.ts';
import { issuesOf } from './perplexity/request.ts';
import { charactersPerRow, ROW_MEMBERS, rowOf } from './perplexity/rows.ts';

/** Perplexity's search API, https://docs.perplexity.ai/api-reference/search-post. Its answers are other products. */
export const perplexity: Vendor = {
  slug: 'perplexity',
  docsUrl: 'https://docs.perplexity.ai/api-reference/search-post',
  readKey: ({ headers }) => bearerToken(headers),
  readText: (request) => queriesOf(request).join('\n'),
  routes: [{ method: 'POST', path: '/search', answer: search }],
  fail,
};

const RESULTS_DEFAULT = 10;
const URL_HABITS = { tracking: 0.05, slash: 0.1, www: 0.15 };

/** The sentences are ours; a type comes with each status. */
const FAILURES: Readonly<Record<number, readonly [type: string, message: string]>> = {
  400: ['bad_request', 'The request is not valid.'],
  401: ['authentication_error', 'The API key is missing or not valid.'],
  403: ['permission_error', 'This key may not do that.'],
  429: ['rate_limit_error', 'Too many requests. Send fewer of them.'],
  500: ['server_error', 'The server failed.'],
};
const QUOTA_USED_UP = ['insufficient_quota', 'The credit of this account is used up.'] as const;

/** What the framework itself answers. */
const FRAMEWORK_FAILURES: Readonly<Record<number, unknown>> = {
  404: 'Not Found',
  405: 'Method Not Allowed',
  422: [{ loc: ['body'], msg: 'The body is not valid', type: 'value_error' }],
};

/** One query, or several in a list. */
function queriesOf(request: Pick<Incoming, 'json'>): readonly string[] {
  const body = request.json();
  const query = isObject(body) ? body.query : undefined;
  const queries: readonly unknown[] = Array.isArray(query) ? query : [query];
  return queries.filter((one) => typeof one === 'string');
}

function search(request: VendorRequest): Reply {
  const { credential, headers } = request;
  if (credential === 'missing' || credential === 'refused') return fail(request, 401);
  const isJson = /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '');
  const body = isJson ? request.json() : undefined;
  const issues = issuesOf(body);
  if (issues.length > 0 || !isObject(body)) return jsonReply(422, { detail: issues });
  // used-up credit is a 401 as well, told apart by its type alone
  if (credential === 'exhausted') return failure(request, 401, ...QUOTA_USED_UP);
  return jsonReply(200, found(request, body));
}

/** Several queries are answered by a list of rows each; a single one by its rows. */
function found(request: VendorRequest, body: JsonObject): JsonObject {
  const lists = queriesOf(request).map((query) => rowsFor(request, body, query));
  return {
    id: uuidFrom(request.fingerprint),
    results: Array.isArray(body.query) ? lists : lists.flat(),
    ...(isTrueAt(body, 'display_server_time') ? { server_time: `${SANDBOX_NOW}Z` } : {}),
  };
}

function rowsFor(request: VendorRequest, body: JsonObject, query: string): readonly unknown[] {
  const count = rowCount(request, numberAt(body, 'max_results') ?? RESULTS_DEFAULT);
  const characters = charactersPerRow(body, count);
  const pages = pagesFor({ vendor: 'perplexity', query, start: 0, count, habits: URL_HABITS });
  return finishRows(
    request,
    pages.map((page) => rowOf(page, characters)),
    ROW_MEMBERS,
  );
}

function fail(request: VendorRequest, status: number): Reply {
  if (status === 502 || status === 503 || status === 504) return gatewayPage(status);
  const own = FRAMEWORK_FAILURES[status];
  if (own !== undefined) return jsonReply(status, { detail: own });
  const [type, message] = FAILURES[status] ?? ['api_error', 'The request could not be served.'];
  return failure(request, status, type, message);
}

function failure(request: VendorRequest, status: number, type: string, message: string): Reply {
  const error = { message: withEchoedKey(request, message), type, code: status };
  return jsonReply(status, { error });
}
