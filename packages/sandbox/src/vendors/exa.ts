import { pagesFor } from '../content.ts';
import { bearerToken, jsonReply, type Reply, sandboxError } from '../http.ts';
import { isObject, isTrueAt, type JsonObject, numberAt, objectAt, textAt } from '../json.ts';
import { finishRows, rowCount } from '../rows.ts';
import { diceFor } from '../seed.ts';
import { type Vendor, type VendorRequest, withEchoedKey } from '../vendor.ts';
import { urlText } from '../web/target-url.ts';
import { fetched, fetchRefusalOf } from './exa/fetch.ts';
import { type Refusal, refusalOf } from './exa/request.ts';
import { outputOf, ROW_MEMBERS, rowOf } from './exa/rows.ts';

/** Exa, https://exa.ai/docs/reference/search and https://exa.ai/docs/reference/get-contents. */
export const exa: Vendor = {
  slug: 'exa',
  docsUrl: 'https://exa.ai/docs/reference/search',
  readKey: ({ headers }) => headers['x-api-key'] ?? bearerToken(headers),
  readText: (request) => textAt(request.json(), 'query') ?? urlText(request.json()),
  routes: [
    { method: 'POST', path: '/search', answer: (request) => answered(request, refusalOf, found) },
    {
      method: 'POST',
      path: '/contents',
      answer: (request) => answered(request, fetchRefusalOf, fetched),
    },
  ],
  fail: (request, status) => {
    const [tag, message] = FAILURES[status] ?? ['DEFAULT_ERROR', 'The request could not be served'];
    return failure(request, status, tag, message);
  },
};

/** https://exa.ai/docs/admin/error-codes; the sentences are ours. */
const FAILURES: Readonly<Record<number, readonly [tag: string, message: string]>> = {
  400: ['INVALID_REQUEST', 'The request is not valid'],
  401: ['INVALID_API_KEY', 'The API key is missing or not valid'],
  402: ['NO_MORE_CREDITS', 'The account has no credits left'],
  403: ['ACCESS_DENIED', 'The plan of this account does not include this feature'],
  404: ['NOT_FOUND', 'There is no such route'],
  405: ['NOT_FOUND', 'There is no such route for this method'],
  422: ['FETCH_DOCUMENT_ERROR', 'The document could not be processed'],
  500: ['INTERNAL_ERROR', 'The server failed'],
};

/** https://exa.ai/docs/admin/pricing, in USD. */
const PRICE_BY_TYPE: Readonly<Record<string, number>> = {
  lite: 0.004,
  instant: 0.004,
  'deep-lite': 0.012,
  deep: 0.012,
  'deep-reasoning': 0.015,
};
const PRICE_DEFAULT = 0.007;
const PRICE_PER_ROW_OVER_TEN = 0.001;
const PRICE_PER_SUMMARY = 0.001;

const UNUSED_PARAMETERS = ['startCrawlDate', 'endCrawlDate'];
const URL_HABITS = { tracking: 0.12, slash: 0.1 };

function answered(
  request: VendorRequest,
  refuse: (body: unknown, headers: VendorRequest['headers']) => Refusal | undefined,
  answer: (request: VendorRequest, body: JsonObject) => JsonObject,
): Reply {
  const { credential, headers } = request;
  if (credential === 'missing' || credential === 'refused') return exa.fail(request, 401);
  const isJson = /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '');
  const body = request.json();
  const refusal = isJson
    ? refuse(body, headers)
    : { tag: 'INVALID_REQUEST_BODY', message: 'The content type must be application/json' };
  if (refusal) return failure(request, 400, refusal.tag, refusal.message);
  if (!isObject(body)) return exa.fail(request, 400);
  if (credential === 'exhausted') return exa.fail(request, 402);
  if (isTrueAt(body, 'stream')) return sandboxError(501, 'exa: stream is not spoken here');
  return jsonReply(200, answer(request, body));
}

function found(request: VendorRequest, body: JsonObject): JsonObject {
  const query = textAt(body, 'query') ?? '';
  const count = rowCount(request, numberAt(body, 'numResults') ?? 10);
  const pages = pagesFor({ vendor: 'exa', query, start: 0, count, habits: URL_HABITS });
  const rows = pages.map((page) => rowOf(page, body));
  const schema = objectAt(body, 'outputSchema');
  const dice = diceFor('exa answer', request.fingerprint);
  const unused = UNUSED_PARAMETERS.filter((name) => (body[name] ?? null) !== null);
  return {
    requestId: request.fingerprint.slice(0, 32),
    ...(dice.chance(2 / 7) ? { autoDate: '2026-06-01T00:00:00.000Z' } : {}),
    resolvedSearchType: 'neural',
    results: finishRows(request, rows, ROW_MEMBERS),
    ...(schema ? { output: outputOf(schema, pages) } : {}),
    searchTime: (4_000 + dice.below(16_000)) / 10,
    costDollars: costOf(body, rows),
    ...(unused.length > 0
      ? { warnings: unused.map((parameter) => ({ parameter, message: 'This has no effect' })) }
      : {}),
  };
}

/** Text and highlights are in the price; summaries and rows above ten are not. */
function costOf(body: JsonObject, rows: readonly JsonObject[]): JsonObject {
  const base = PRICE_BY_TYPE[textAt(body, 'type') ?? 'auto'] ?? PRICE_DEFAULT;
  const neural = base + Math.max(0, rows.length - 10) * PRICE_PER_ROW_OVER_TEN;
  const summary = rows.filter((row) => 'summary' in row).length * PRICE_PER_SUMMARY;
  return {
    total: rounded(neural + summary),
    search: { neural: rounded(neural) },
    ...(summary > 0 ? { contents: { summary: rounded(summary) } } : {}),
  };
}

function rounded(usd: number): number {
  return Math.round(usd * 1e6) / 1e6;
}

/** Flat bodies; a 429 has the message alone. */
function failure(request: VendorRequest, status: number, tag: string, message: string): Reply {
  const error = withEchoedKey(request, message);
  return status === 429
    ? jsonReply(429, {
        error: withEchoedKey(request, 'The rate limit of 10 requests per second is exceeded'),
      })
    : jsonReply(status, { requestId: request.fingerprint.slice(0, 32), error, tag });
}
