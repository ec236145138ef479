import { type Page, pagesFor, sentencesOf } from '../content.ts';
import { bearerToken, gatewayPage, jsonReply, type Reply } from '../http.ts';
import { isObject, isTrueAt, type JsonObject, numberAt, textAt } from '../json.ts';
import { finishRows, rowCount } from '../rows.ts';
import { diceFor, uuidFrom } from '../seed.ts';
import { type Vendor, type VendorRequest, withEchoedKey } from '../vendor.ts';
import { urlText } from '../web/target-url.ts';
import { extracted, extractRefusalOf } from './tavily/extract.ts';
import { refusalOf } from './tavily/request.ts';
import { imageItem, ROW_MEMBERS, rowOf } from './tavily/rows.ts';

/** Tavily, https://docs.tavily.com/documentation/api-reference/endpoint/search and …/endpoint/extract. */
export const tavily: Vendor = {
  slug: 'tavily',
  docsUrl: 'https://docs.tavily.com/documentation/api-reference/endpoint/search',
  readKey: ({ headers }) => bearerToken(headers),
  readText: (request) =>
    [textAt(request.json(), 'query') ?? '', urlText(request.json())].join(' ').trim(),
  routes: [
    { method: 'POST', path: '/search', answer: (request) => answered(request, refusalOf, found) },
    {
      method: 'POST',
      path: '/extract',
      answer: (request) => answered(request, extractRefusalOf, extracted),
    },
  ],
  fail,
};

const URL_HABITS = { tracking: 0.08, slash: 0.12, www: 0.1 };

/** The sentences are ours. */
const FAILURES: Readonly<Record<number, string>> = {
  400: 'The request is not valid.',
  401: 'Unauthorized: the API key is missing or not valid.',
  429: 'Too many requests. Send fewer of them.',
  432: 'The limit of this key or of its plan is reached.',
  433: 'The pay-as-you-go limit is reached.',
  500: 'The server failed.',
};

/** What the framework itself answers, with a text in place of an object. */
const FRAMEWORK_FAILURES: Readonly<Record<number, string>> = {
  404: 'Not Found',
  405: 'Method Not Allowed',
};

function answered(
  request: VendorRequest,
  refuse: (body: unknown) => string | undefined,
  answer: (request: VendorRequest, body: JsonObject) => JsonObject,
): Reply {
  const { credential, headers } = request;
  if (credential === 'missing' || credential === 'refused') return fail(request, 401);
  const isJson = /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '');
  const body = request.json();
  const refusal = isJson ? refuse(body) : 'The content type must be application/json';
  if (refusal !== undefined) return failure(request, 400, refusal);
  if (credential === 'exhausted') return fail(request, 432);
  return isObject(body) ? jsonReply(200, answer(request, body)) : fail(request, 400);
}

function found(request: VendorRequest, body: JsonObject): JsonObject {
  const query = textAt(body, 'query') ?? '';
  const count = rowCount(request, numberAt(body, 'max_results') ?? 5);
  const pages = pagesFor({
    vendor: 'tavily',
    query,
    start: 0,
    count,
    habits: URL_HABITS,
    ...(textAt(body, 'topic') === 'news' ? { kind: 'news' as const } : {}),
  });
  const rows = pages.map((page, index) => rowOf(page, index, body));
  const asked = isTrueAt(body, 'include_images');
  return {
    query,
    follow_up_questions: null,
    answer: answerOf(body, pages),
    images: asked ? pages.slice(0, 5).map((page) => imageItem(page, 'top', body)) : [],
    results: finishRows(request, rows, ROW_MEMBERS),
    response_time: (40 + diceFor('tavily time', request.fingerprint).below(300)) / 100,
    ...(isTrueAt(body, 'include_usage')
      ? { usage: { credits: textAt(body, 'search_depth') === 'advanced' ? 2 : 1 } }
      : {}),
    ...(isTrueAt(body, 'auto_parameters')
      ? { auto_parameters: { topic: 'general', search_depth: 'basic' } }
      : {}),
    request_id: uuidFrom(request.fingerprint),
  };
}

/** Always a member, filled only on demand. */
function answerOf({ include_answer: asked }: JsonObject, pages: readonly Page[]): string | null {
  const [first] = pages;
  if (!first || asked === undefined || asked === null || asked === false) return null;
  return sentencesOf(first, 'answer', asked === 'advanced' ? 4 : 2).join(' ');
}

function fail(request: VendorRequest, status: number): Reply {
  if (status === 502 || status === 503 || status === 504) return gatewayPage(status);
  const own = FRAMEWORK_FAILURES[status];
  if (own !== undefined) return jsonReply(status, { detail: withEchoedKey(request, own) });
  return failure(request, status, FAILURES[status] ?? 'The request could not be served.');
}

function failure(request: VendorRequest, status: number, message: string): Reply {
  return jsonReply(status, { detail: { error: withEchoedKey(request, message) } });
}
