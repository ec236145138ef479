import { bearerToken, gatewayPage, jsonReply, type Reply } from '../http.ts';
import { isObject, textAt } from '../json.ts';
import { onlyTargetOf } from '../rows.ts';
import { type Vendor, type VendorRequest, withEchoedKey } from '../vendor.ts';
import type { FailureReason } from '../web/target.ts';
import { urlText } from '../web/target-url.ts';
import { documentOf } from './firecrawl/document.ts';
import { problemsOf } from './firecrawl/request.ts';

/** Firecrawl, https://docs.firecrawl.dev/api-reference/endpoint/scrape. Of its routes only the scrape is spoken. */
export const firecrawl: Vendor = {
  slug: 'firecrawl',
  docsUrl: 'https://docs.firecrawl.dev/api-reference/endpoint/scrape',
  readKey: ({ headers }) => bearerToken(headers),
  readText: (request) => urlText(request.json()),
  routes: [{ method: 'POST', path: '/v2/scrape', answer: scrape }],
  fail,
};

/** https://docs.firecrawl.dev/api-reference/errors; most sentences are ours. */
const FAILURES: Readonly<Record<number, readonly [error: string, code?: string]>> = {
  400: ['Bad Request', 'BAD_REQUEST'],
  401: ['Unauthorized: Invalid token'],
  402: ['Payment Required: Insufficient credits'],
  403: ['Forbidden'],
  404: ['There is no such route'],
  405: ['There is no such route for this method'],
  408: ['Request Timeout', 'SCRAPE_TIMEOUT'],
  409: ['Conflict'],
  413: ['The request is too large'],
  422: ['The schema is not valid'],
  429: ['Rate limit exceeded'],
  500: ['(Internal server error) - The page could not be scraped', 'UNKNOWN_ERROR'],
};

/** A target that gave no answer fails the whole call. */
const SCRAPE_FAILURES: Readonly<
  Record<FailureReason, readonly [status: number, error: string, code: string]>
> = {
  'unknown-host': [500, 'The host name could not be resolved', 'SCRAPE_DNS_RESOLUTION_ERROR'],
  timeout: [408, 'Request Timeout', 'SCRAPE_TIMEOUT'],
  'too-large': [500, 'The site could not be loaded', 'SCRAPE_SITE_ERROR'],
  unsupported: [500, 'This kind of file cannot be scraped', 'SCRAPE_UNSUPPORTED_FILE_ERROR'],
  invalid: [400, 'Invalid URL', 'BAD_REQUEST'],
};

function scrape(request: VendorRequest): Reply {
  const { credential, headers } = request;
  if (credential === 'missing' || credential === 'refused') return fail(request, 401);
  const isJson = /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '');
  const body = isJson ? request.json() : undefined;
  const details = problemsOf(body);
  if (details.length > 0 || !isObject(body)) {
    return failure(request, 400, 'Bad Request', 'BAD_REQUEST', details);
  }
  if (credential === 'exhausted') return fail(request, 402);
  const target = onlyTargetOf(request, textAt(body, 'url') ?? '');
  if (target.kind === 'failed') return failure(request, ...SCRAPE_FAILURES[target.reason]);
  return jsonReply(200, { success: true, data: documentOf(request, target, body) });
}

function fail(request: VendorRequest, status: number): Reply {
  if (status >= 502 && status <= 504) return gatewayPage(status);
  const [error, code] = FAILURES[status] ?? ['The request could not be served'];
  return failure(request, status, error, code);
}

function failure(
  request: VendorRequest,
  status: number,
  message: string,
  code?: string,
  details?: readonly unknown[],
): Reply {
  const error = withEchoedKey(request, message);
  return jsonReply(status, {
    success: false,
    ...(code === undefined ? {} : { code }),
    error,
    ...(details === undefined ? {} : { details }),
  });
}
