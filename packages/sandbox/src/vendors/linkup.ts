import { type Page, pagesFor, sentencesOf } from '../content.ts';
import { filledSchema } from '../fill-schema.ts';
import { bearerToken, gatewayPage, jsonReply, type Reply } from '../http.ts';
import { isObject, isTrueAt, type JsonObject, numberAt, textAt } from '../json.ts';
import { finishRows, rowCount } from '../rows.ts';
import { type Vendor, type VendorRequest, withEchoedKey } from '../vendor.ts';
import { urlText } from '../web/target-url.ts';
import { type Fetched, fetchDetailsOf, fetched } from './linkup/fetch.ts';
import { type Detail, detailsOf, schemaOf } from './linkup/request.ts';
import { itemsOf, ROW_MEMBERS, sourceOf, textItem } from './linkup/rows.ts';

/** Linkup, https://docs.linkup.so/pages/documentation/endpoints/search and …/endpoints/fetch. */
export const linkup: Vendor = {
  slug: 'linkup',
  docsUrl: 'https://docs.linkup.so/pages/documentation/endpoints/search',
  readKey: ({ headers }) => bearerToken(headers),
  readText: (request) => textAt(request.json(), 'q') ?? urlText(request.json()),
  routes: [
    {
      method: 'POST',
      path: '/v1/search',
      answer: (request) => answered(request, detailsOf, searched),
    },
    {
      method: 'POST',
      path: '/v1/fetch',
      answer: (request) => answered(request, fetchDetailsOf, fetch),
    },
  ],
  fail,
};

/** Codes of https://docs.linkup.so/pages/documentation/platform/errors; the sentences are ours. */
const FAILURES: Readonly<Record<number, readonly [code: string, message: string]>> = {
  400: ['VALIDATION_ERROR', 'The request is not valid'],
  401: ['UNAUTHORIZED', 'The API key is not known'],
  402: ['PAYMENT_REQUIRED', 'A call without an API key must be paid for'],
  403: ['FORBIDDEN', 'The API key may not do this'],
  404: ['NOT_FOUND', 'There is no such route'],
  405: ['NOT_FOUND', 'There is no such route for this method'],
  409: ['CONFLICT', 'The request conflicts with another one'],
  429: ['TOO_MANY_REQUESTS', 'The limit of 10 requests per second is exceeded'],
  500: ['INTERNAL_SERVER_ERROR', 'The server failed'],
};

/** The vendor names no default for `maxResults`; this is what its answers had. */
const RESULTS_DEFAULT = 20;
const URL_HABITS = { tracking: 0.08, slash: 0.12, www: 0.05 };

function answered(
  request: VendorRequest,
  check: (body: unknown) => readonly Detail[],
  answer: (request: VendorRequest, body: JsonObject) => Reply,
): Reply {
  const { credential, headers } = request;
  // only a call without any Authorization header is offered to pay
  if (headers.authorization === undefined) return fail(request, 402);
  if (credential === 'missing' || credential === 'refused') return fail(request, 401);
  const isJson = /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '');
  const body = isJson ? request.json() : undefined;
  const details = check(body);
  if (details.length > 0 || !isObject(body)) {
    return failure(request, 400, 'VALIDATION_ERROR', 'The request is not valid', details);
  }
  if (credential === 'exhausted') {
    return failure(request, 429, 'INSUFFICIENT_FUNDS_CREDITS', 'There is no credit left');
  }
  return answer(request, body);
}

function searched(request: VendorRequest, body: JsonObject): Reply {
  return request.faults.rows === 'empty'
    ? failure(request, 400, 'SEARCH_QUERY_NO_RESULT', 'The query gave no result')
    : jsonReply(200, found(request, body));
}

function fetch(request: VendorRequest, body: JsonObject): Reply {
  const page: Fetched = fetched(request, body);
  return 'code' in page
    ? failure(request, 400, page.code, page.message)
    : jsonReply(200, page.body);
}

function found(request: VendorRequest, body: JsonObject): JsonObject {
  const count = rowCount(request, numberAt(body, 'maxResults') ?? RESULTS_DEFAULT);
  const query = textAt(body, 'q') ?? '';
  const pages = pagesFor({ vendor: 'linkup', query, start: 0, count, habits: URL_HABITS });
  const finished = (rows: readonly JsonObject[]) => finishRows(request, rows, ROW_MEMBERS);
  switch (body.outputType) {
    case 'sourcedAnswer': {
      const cited = isTrueAt(body, 'includeInlineCitations');
      return { answer: answerOf(pages, cited), sources: finished(pages.map(sourceOf)) };
    }
    case 'structured': {
      const data = filledSchema(schemaOf(body) ?? {}, answerOf(pages, false));
      const sources = () => finished(pages.map(textItem));
      return isTrueAt(body, 'includeSources') ? { data, sources: sources() } : data;
    }
    default:
      return { results: finished(itemsOf(pages, isTrueAt(body, 'includeImages'))) };
  }
}

function answerOf([first]: readonly Page[], cited: boolean): string {
  const plain = first ? sentencesOf(first, 'answer', 3).join(' ') : 'Nothing was found.';
  return cited ? `${plain} [1]` : plain;
}

/** One shape for all errors; a gateway in front answers 502 to 504 with a page. */
function fail(request: VendorRequest, status: number): Reply {
  if (status >= 502 && status <= 504) return gatewayPage(status);
  const [code, message] = FAILURES[status] ?? ['UNKNOWN_ERROR', 'The request could not be served'];
  return failure(request, status, code, message);
}

function failure(
  request: VendorRequest,
  statusCode: number,
  code: string,
  message: string,
  details: readonly Detail[] = [],
): Reply {
  const error = { code, message: withEchoedKey(request, message), details };
  const headers: Readonly<Record<string, string>> =
    statusCode === 402 ? { 'payment-required': 'x402' } : {};
  return jsonReply(statusCode, { statusCode, error }, headers);
}
