import { type Page, pagesFor, sentencesOf } from '../content.ts';
import { gatewayPage, jsonReply, type Reply } from '../http.ts';
import { isObject, type JsonObject, numberAt, textAt } from '../json.ts';
import type { RowMembers } from '../odd-rows.ts';
import { finishRows, rowCount } from '../rows.ts';
import { diceFor } from '../seed.ts';
import { type Vendor, type VendorRequest, withEchoedKey } from '../vendor.ts';
import { refusalOf } from './seltz/request.ts';

/** Seltz, https://docs.seltz.ai/api-reference/search. Its answers and chat are not spoken. */
export const seltz: Vendor = {
  slug: 'seltz',
  docsUrl: 'https://docs.seltz.ai/api-reference/search',
  readKey: (request) => request.headers['x-api-key'] ?? textAt(request.json(), 'api_key'),
  readText: (request) => textAt(request.json(), 'query') ?? '',
  routes: [{ method: 'POST', path: '/v1/search', answer: search }],
  fail,
};

/** Documents have no title: what is odd in titles is odd in their text. */
const ROW_MEMBERS: RowMembers = {
  title: 'content',
  url: 'url',
  date: 'published_date',
  snippets: [{ name: 'content' }],
};

const RESULTS_DEFAULT = 10;
/** The vendor names no maximum; this one keeps answers small. */
const RESULTS_MAX = 100;
const URL_HABITS = { slash: 0.1, www: 0.1 };

/** The vendor documents these statuses without bodies; the shape and the sentences are ours. */
const FAILURES: Readonly<Record<number, string>> = {
  400: 'The request is not valid.',
  401: 'The API key is missing or not valid.',
  402: 'The credit of this account is used up.',
  404: 'There is no such endpoint.',
  405: 'This method is not allowed here.',
  429: 'Too many requests. Send fewer of them.',
  500: 'The server failed.',
};

function search(request: VendorRequest): Reply {
  const { credential, headers } = request;
  if (credential === 'missing' || credential === 'refused') return fail(request, 401);
  const isJson = /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '');
  const body = request.json();
  const refusal = isJson ? refusalOf(body) : 'The content type must be application/json.';
  if (refusal !== undefined) return failure(request, 400, refusal);
  if (credential === 'exhausted') return fail(request, 402);
  return isObject(body) ? jsonReply(200, found(request, body)) : fail(request, 400);
}

function found(request: VendorRequest, body: JsonObject): JsonObject {
  const asked = Math.min(numberAt(body, 'max_results') ?? RESULTS_DEFAULT, RESULTS_MAX);
  const pages = pagesFor({
    vendor: 'seltz',
    query: textAt(body, 'query') ?? '',
    start: 0,
    count: rowCount(request, asked),
    habits: URL_HABITS,
    ...(textAt(body, 'scope') === 'news' ? { kind: 'news' as const } : {}),
  });
  return { documents: finishRows(request, pages.map(documentOf), ROW_MEMBERS) };
}

function documentOf(page: Page): JsonObject {
  const isDated = diceFor('seltz document', page.topic, page.id).chance(0.8);
  return {
    url: page.url,
    content: sentencesOf(page, 'extract', 6).join(' '),
    published_date: isDated ? `${page.published.slice(0, 10)}T00:00:00Z` : null,
  };
}

function fail(request: VendorRequest, status: number): Reply {
  if (status === 502 || status === 503 || status === 504) return gatewayPage(status);
  return failure(request, status, FAILURES[status] ?? 'The request could not be served.');
}

function failure(request: VendorRequest, status: number, message: string): Reply {
  return jsonReply(status, { error: withEchoedKey(request, message) });
}
