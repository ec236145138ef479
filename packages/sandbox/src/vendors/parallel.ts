import type { Problem } from '../check.ts';
import { pagesFor } from '../content.ts';
import { gatewayPage, jsonReply, type Reply } from '../http.ts';
import { isObject, type JsonObject, numberAt, objectAt, textAt } from '../json.ts';
import { finishRows, rowCount } from '../rows.ts';
import { digest } from '../seed.ts';
import { type Vendor, type VendorRequest, withEchoedKey } from '../vendor.ts';
import { urlText } from '../web/target-url.ts';
import { extracted, extractProblemsOf } from './parallel/extract.ts';
import { problemsOf, warningsOf } from './parallel/request.ts';
import { ROW_MEMBERS, rowOf } from './parallel/rows.ts';

/** Parallel, https://docs.parallel.ai/api-reference/search/search and …/extract/extract. */
export const parallel: Vendor = {
  slug: 'parallel',
  docsUrl: 'https://docs.parallel.ai/api-reference/search/search',
  readKey: ({ headers }) => headers['x-api-key'],
  readText: (request) => `${subjectOf(request.json())} ${urlText(request.json())}`.trim(),
  routes: [
    {
      method: 'POST',
      path: '/v1/search',
      answer: (request) => answered(request, problemsOf, found),
    },
    {
      method: 'POST',
      path: '/v1/extract',
      answer: (request) => answered(request, extractProblemsOf, extracted),
    },
  ],
  fail,
};

const RESULTS_DEFAULT = 10;
const RESULTS_INCLUDED = 10;
const URL_HABITS = { tracking: 0.1, slash: 0.1, www: 0.15 };

/** https://docs.parallel.ai/resources/warnings-and-errors; the sentences are ours. */
const FAILURES: Readonly<Record<number, string>> = {
  401: 'The API key is missing or not valid',
  402: 'The account has no credit left',
  403: 'The key may not do this',
  404: 'There is no such route',
  405: 'There is no such route for this method',
  408: 'The request took too long',
  422: 'The request does not fit its schema',
  429: 'Too many requests',
  500: 'The server failed',
  503: 'The service is not available',
};

/** The objective says it best; without one the first of the queries. */
function subjectOf(body: unknown): string {
  const queries = isObject(body) && Array.isArray(body.search_queries) ? body.search_queries : [];
  const [first] = queries.filter((query) => typeof query === 'string');
  return textAt(body, 'objective') ?? first ?? '';
}

function answered(
  request: VendorRequest,
  check: (body: unknown) => readonly Problem[],
  answer: (request: VendorRequest, body: JsonObject) => JsonObject,
): Reply {
  const { credential, headers } = request;
  if (credential === 'missing' || credential === 'refused') return fail(request, 401);
  const isJson = /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '');
  const body = isJson ? request.json() : undefined;
  const problems = check(body);
  if (problems.length > 0 || !isObject(body)) {
    const errors = problems.map(({ path, message }) => ({ loc: path, msg: message }));
    return failure(request, 422, FAILURES[422] ?? '', { errors });
  }
  if (credential === 'exhausted') return fail(request, 402);
  return jsonReply(200, answer(request, body));
}

function found(request: VendorRequest, body: JsonObject): JsonObject {
  const settings = objectAt(body, 'advanced_settings');
  const count = rowCount(request, numberAt(settings, 'max_results') ?? RESULTS_DEFAULT);
  const query = subjectOf(body);
  const pages = pagesFor({ vendor: 'parallel', query, start: 0, count, habits: URL_HABITS });
  const rows = pages.map((page) => rowOf(page, body));
  const above = rows.length - RESULTS_INCLUDED;
  const warnings = warningsOf(body);
  return {
    search_id: idOf(request),
    results: finishRows(request, rows, ROW_MEMBERS),
    warnings: warnings.length > 0 ? warnings : null,
    usage: [
      { name: 'sku_search', count: 1 },
      ...(above > 0 ? [{ name: 'sku_search_additional_results', count: above }] : []),
    ],
    session_id: textAt(body, 'session_id') ?? `session_${digest('session', query).slice(0, 32)}`,
  };
}

const idOf = ({ fingerprint }: VendorRequest): string => `search_${fingerprint.slice(0, 32)}`;

function fail(request: VendorRequest, status: number): Reply {
  if (status === 502 || status === 504) return gatewayPage(status);
  return failure(request, status, FAILURES[status] ?? 'The request could not be served');
}

function failure(
  request: VendorRequest,
  status: number,
  message: string,
  detail: JsonObject | null = null,
): Reply {
  const error = { ref_id: idOf(request), message: withEchoedKey(request, message), detail };
  return jsonReply(status, { type: 'error', error });
}
