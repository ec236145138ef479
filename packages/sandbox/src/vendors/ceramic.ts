import { type Check, integer, members, textLike } from '../check.ts';
import { type Page, pagesFor, textOf } from '../content.ts';
import { bearerToken, gatewayPage, jsonReply, type Reply } from '../http.ts';
import { isObject, type JsonObject, numberAt, textAt } from '../json.ts';
import type { RowMembers } from '../odd-rows.ts';
import { finishRows, rowCount } from '../rows.ts';
import { diceFor, uuidFrom } from '../seed.ts';
import { type Vendor, type VendorRequest, withEchoedKey } from '../vendor.ts';

/** Ceramic, https://docs.ceramic.ai/api-reference/search */
export const ceramic: Vendor = {
  slug: 'ceramic',
  docsUrl: 'https://docs.ceramic.ai/api-reference/search',
  readKey: ({ headers }) => bearerToken(headers),
  readText: (request) => textAt(request.json(), 'query') ?? '',
  routes: [{ method: 'POST', path: '/search', answer: search }],
  fail,
};

/** https://docs.ceramic.ai/api-reference/error-codes; all codes but `unsupported_parameter` are ours. */
const FAILURES: Readonly<Record<number, readonly [code: string, title: string]>> = {
  400: ['invalid_request', 'Bad Request'],
  401: ['invalid_api_key', 'Unauthorized'],
  402: ['credits_exhausted', 'Payment Required'],
  403: ['forbidden', 'Forbidden'],
  404: ['not_found', 'Not Found'],
  405: ['method_not_allowed', 'Method Not Allowed'],
  408: ['timeout', 'Request Timeout'],
  413: ['body_too_large', 'Content Too Large'],
  415: ['unsupported_media_type', 'Unsupported Media Type'],
  422: ['invalid_parameter', 'Unprocessable Content'],
  429: ['rate_limit_exceeded', 'Too Many Requests'],
  500: ['internal_error', 'Internal Server Error'],
  503: ['overloaded', 'Service Unavailable'],
};

const PARAMETERS: Readonly<Record<string, Check>> = {
  query: textLike(/^\s*\S+(\s+\S+){0,49}\s*$/, 'a string of 1 to 50 words'),
  maxDescriptionLength: integer(1_000, 8_000),
  maxResults: integer(1, 50),
};
const parameters = members(PARAMETERS, ['query']);

const RESULTS_DEFAULT = 10;
const DESCRIPTION_DEFAULT = 3_000;
const URL_HABITS = { slash: 0.1, www: 0.08 };
const ROW_MEMBERS: RowMembers = {
  title: 'title',
  url: 'url',
  snippets: [{ name: 'description' }],
};

function search(request: VendorRequest): Reply {
  const { credential, headers } = request;
  if (credential === 'missing' || credential === 'refused') return fail(request, 401);
  if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) return fail(request, 415);
  const body = request.json();
  if (!isObject(body)) return fail(request, 400);
  const [problem] = parameters(body, []);
  if (problem) {
    const isKnown = Object.hasOwn(PARAMETERS, String(problem.path[0]));
    const code = isKnown ? 'invalid_parameter' : 'unsupported_parameter';
    return failure(request, 422, code, 'Unprocessable Content', problem.message);
  }
  return credential === 'exhausted' ? fail(request, 402) : jsonReply(200, found(request, body));
}

function found(request: VendorRequest, body: JsonObject): JsonObject {
  const query = textAt(body, 'query') ?? '';
  const count = rowCount(request, numberAt(body, 'maxResults') ?? RESULTS_DEFAULT);
  const length = numberAt(body, 'maxDescriptionLength') ?? DESCRIPTION_DEFAULT;
  const pages = pagesFor({ vendor: 'ceramic', query, start: 0, count, habits: URL_HABITS });
  const rows = pages.map((page) => rowOf(page, length));
  return {
    requestId: uuidFrom(request.fingerprint),
    result: {
      results: finishRows(request, rows, ROW_MEMBERS),
      totalResults: count,
      searchMetadata: {
        executionTime: (20 + diceFor('ceramic time', request.fingerprint).below(180)) / 1_000,
      },
    },
  };
}

function rowOf(page: Page, length: number): JsonObject {
  const hasTitle = diceFor('ceramic row', page.topic, page.id).chance(0.97);
  return {
    title: hasTitle ? page.title : '',
    url: page.url,
    description: textOf(page).slice(0, length),
  };
}

/** One shape for all errors; 502 and 504 come from a gateway in front, with a page. */
function fail(request: VendorRequest, status: number): Reply {
  if (status === 502 || status === 504) return gatewayPage(status);
  const [code, title] = FAILURES[status] ?? ['error', 'Error'];
  return failure(request, status, code, title, `${title}: the request could not be served`);
}

function failure(
  request: VendorRequest,
  status: number,
  code: string,
  title: string,
  detail: string,
): Reply {
  const { retryAfterSeconds } = request.faults;
  return jsonReply(status, {
    title,
    status,
    detail: withEchoedKey(request, detail),
    requestId: uuidFrom(request.fingerprint),
    code,
    ...(status === 429 && retryAfterSeconds !== undefined
      ? { retry_after_seconds: retryAfterSeconds }
      : {}),
  });
}
