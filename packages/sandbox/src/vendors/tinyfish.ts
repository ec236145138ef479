import { pagesFor } from '../content.ts';
import { gatewayPage, jsonReply, type Reply } from '../http.ts';
import type { JsonObject } from '../json.ts';
import { finishRows, rowCount } from '../rows.ts';
import { type Vendor, type VendorRequest, withEchoedKey } from '../vendor.ts';
import { urlText } from '../web/target-url.ts';
import { fetched, fetchIssuesOf } from './tinyfish/fetch.ts';
import { type Issue, issuesOf } from './tinyfish/query.ts';
import { ROW_MEMBERS, rowOf } from './tinyfish/rows.ts';

/**
 * TinyFish, https://docs.tinyfish.ai/search-api/reference and …/fetch-api/reference. Search and fetch have hosts of
 * their own, where the path is `/`; a third host has them at `/v1/search` and `/v1/fetch`. Here are all of them.
 */
export const tinyfish: Vendor = {
  slug: 'tinyfish',
  docsUrl: 'https://docs.tinyfish.ai/search-api/reference',
  readKey: ({ headers }) => headers['x-api-key'],
  readText: ({ query, json }) => query.get('query') ?? urlText(json()),
  routes: [
    { method: 'GET', path: '/v1/search', answer: search },
    { method: 'GET', path: '/', answer: search },
    { method: 'POST', path: '/v1/fetch', answer: fetch },
    { method: 'POST', path: '/', answer: fetch },
  ],
  fail: (request, status) => {
    if (status === 502 || status === 504) return gatewayPage(status);
    const [code, message] = FAILURES[status] ?? ['INTERNAL_ERROR', 'The request was not served'];
    return failure(request, status, code, message);
  },
};

/** https://docs.tinyfish.ai/error-codes; the sentences are ours. */
const FAILURES: Readonly<Record<number, readonly [code: string, message: string]>> = {
  400: ['INVALID_INPUT', 'The request is not valid'],
  401: ['INVALID_API_KEY', 'The API key is not valid or no longer valid'],
  402: ['INSUFFICIENT_CREDITS', 'The account has no credits left'],
  403: ['FORBIDDEN', 'This key may not do that'],
  404: ['NOT_FOUND', 'There is no such resource'],
  405: ['NOT_FOUND', 'There is no such resource for this method'],
  429: ['RATE_LIMIT_EXCEEDED', 'Too many requests'],
  500: ['INTERNAL_ERROR', 'The server failed'],
  503: ['SERVICE_BUSY', 'The service is busy'],
};

const PAGE_ROWS = 10;
const URL_HABITS = { www: 0.15, tracking: 0.05 };

function search(request: VendorRequest): Reply {
  return answered(request, issuesOf(request.query), () => found(request));
}

function fetch(request: VendorRequest): Reply {
  const isJson = /^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '');
  const body = isJson ? request.json() : undefined;
  return answered(request, fetchIssuesOf(body), () => fetched(request, body));
}

function answered(
  request: VendorRequest,
  details: readonly Issue[],
  answer: () => JsonObject,
): Reply {
  const { credential } = request;
  if (credential === 'missing') {
    return failure(request, 401, 'MISSING_API_KEY', 'The X-API-Key header is missing');
  }
  if (credential === 'refused') return tinyfish.fail(request, 401);
  if (details.length > 0) {
    return failure(request, 400, 'INVALID_INPUT', 'The parameters are not valid', details);
  }
  return credential === 'exhausted' ? tinyfish.fail(request, 402) : jsonReply(200, answer());
}

/** One page of ten, whatever is asked. */
function found(request: VendorRequest): JsonObject {
  const query = request.query.get('query') ?? '';
  const page = Number(request.query.get('page') ?? 0);
  const domainType = request.query.get('domain_type') ?? 'web';
  const pages = pagesFor({
    vendor: 'tinyfish',
    query,
    start: page * PAGE_ROWS,
    count: rowCount(request, PAGE_ROWS),
    habits: URL_HABITS,
    ...(domainType === 'news' ? { kind: 'news' as const } : {}),
  });
  const rows = pages.map((item, index) => rowOf(item, index + 1, domainType));
  const results = finishRows(request, rows, ROW_MEMBERS);
  return { query, results, total_results: results.length, page };
}

function failure(
  request: VendorRequest,
  status: number,
  code: string,
  message: string,
  details?: readonly unknown[],
): Reply {
  const error = { code, message: withEchoedKey(request, message), ...(details ? { details } : {}) };
  return jsonReply(status, { error });
}
