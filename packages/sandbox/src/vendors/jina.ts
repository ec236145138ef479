import { bearerToken, jsonReply, type Reply, sandboxError } from '../http.ts';
import { textAt } from '../json.ts';
import { onlyTargetOf } from '../rows.ts';
import { type Vendor, type VendorRequest, withEchoedKey } from '../vendor.ts';
import type { FailureReason } from '../web/target.ts';
import { decoded, readTargetUrl, urlText } from '../web/target-url.ts';
import { optionsOf, refusalOf } from './jina/options.ts';
import { pageOf } from './jina/page.ts';
import { textReply } from './jina/text.ts';

/** Jina's reader, https://github.com/jina-ai/reader. A key is optional. */
export const jina: Vendor = {
  slug: 'jina',
  docsUrl: 'https://github.com/jina-ai/reader',
  readKey: ({ headers }) => bearerToken(headers),
  readText: (request) => urlText(request.json()) || decoded(pathUrl(request)),
  routes: [
    {
      method: 'POST',
      path: '/',
      answer: (request) => read(request, textAt(request.json(), 'url')),
    },
    { method: 'GET', path: '/*', answer: (request) => read(request, pathUrl(request)) },
  ],
  fail,
};

/** Names and numbers of the reader's own errors; most sentences are ours. */
const FAILURES: Readonly<Record<number, readonly [status: number, name: string, message: string]>> =
  {
    400: [40001, 'ParamValidationError', 'The request is not valid'],
    401: [40102, 'AuthenticationFailedError', 'Invalid bearer token'],
    402: [40203, 'InsufficientBalanceError', 'Account balance not enough to run this query'],
    403: [40301, 'OperationNotAllowedError', 'This is not allowed'],
    404: [40401, 'EntityNotFoundError', 'There is nothing here'],
    405: [40501, 'MethodNotAllowedError', 'There is nothing here for this method'],
    408: [40801, 'RequestTimeoutError', 'The page took too long'],
    409: [40904, 'BudgetExceededError', 'The page costs more than the token budget'],
    413: [41302, 'FileSizeTooLargeError', 'The file is too large'],
    422: [42206, 'AssertionFailureError', 'The page could not be read'],
    429: [42903, 'RateLimitTriggeredError', 'Per IP rate limit exceeded'],
    451: [45102, 'SecurityCompromiseError', 'Anonymous access to this domain is blocked'],
    500: [50001, 'InternalServerError', 'The server failed'],
    503: [50301, 'ServiceNodeResourceDrainError', 'The service is overloaded'],
  };

/** Pages that gave no answer. */
const TARGET_FAILURES: Readonly<Record<FailureReason, readonly [status: number, why: string]>> = {
  'unknown-host': [422, 'Failed to goto the page: the host name could not be resolved'],
  timeout: [408, 'Failed to goto the page: it did not answer in time'],
  'too-large': [413, 'The file is too large'],
  unsupported: [422, 'This kind of file cannot be read'],
  invalid: [400, 'Invalid URL'],
};

/** The target as it stands in the path; `GET /` names none. */
function pathUrl({ path, search }: Pick<VendorRequest, 'path' | 'search'>): string {
  return `${path.slice(1)}${search}`;
}

function read(request: VendorRequest, url: string | undefined): Reply {
  const { credential, headers } = request;
  if (credential === 'refused') return fail(request, 401);
  const isJson = /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '');
  if (request.method === 'POST' && !isJson) return failure(request, 400, 'The body must be JSON');
  if (url === undefined || url === '') return failure(request, 400, 'url is required');
  if (!readTargetUrl(url)) return failure(request, 400, 'Invalid URL');
  if (headers.accept?.includes('text/event-stream')) {
    return sandboxError(501, 'jina: event streams are not spoken here');
  }
  const options = optionsOf(request);
  const refusal = refusalOf(request, options);
  if (refusal !== undefined) return failure(request, 400, refusal);
  if (credential === 'exhausted') return fail(request, 402);
  const target = onlyTargetOf(request, url);
  if (target.kind === 'failed') return failure(request, ...TARGET_FAILURES[target.reason]);
  if (target.page.blocks.length === 0 && request.faults.rows !== 'empty') {
    return failure(request, 422, 'No content available for this URL');
  }
  const page = pageOf(request, target, options);
  if (!options.isJson) return textReply(request, page, options);
  const meta = { usage: page.usage };
  return jsonReply(200, { code: 200, status: 20000, data: page, meta });
}

function fail(request: VendorRequest, status: number): Reply {
  return failure(request, status, FAILURES[status]?.[2] ?? 'The request was not served');
}

/** JSON for whoever takes it; one sentence for those who asked for text alone. */
function failure(request: VendorRequest, code: number, sentence: string): Reply {
  const [status, name] = FAILURES[code] ?? [code * 100, 'ApplicationError'];
  const message = withEchoedKey(request, sentence);
  const readableMessage = `${name}: ${message}`;
  if (/^\s*text\/plain\s*$/i.test(request.headers.accept ?? '')) {
    const headers = { 'content-type': 'text/plain; charset=utf-8' };
    return { status: code, headers, body: `${readableMessage}\n` };
  }
  const wait = request.faults.retryAfterSeconds;
  const retry = code === 429 && wait !== undefined ? { retryAfter: wait } : {};
  return jsonReply(code, { data: null, code, name, status, message, readableMessage, ...retry });
}
