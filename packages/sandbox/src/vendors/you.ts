import { type Page, pagesFor, SANDBOX_NOW, sentencesOf, topicOf } from '../content.ts';
import { gatewayPage, jsonReply, type Reply, sandboxError } from '../http.ts';
import { isObject, type JsonObject, numberAt, textAt } from '../json.ts';
import { finishRows, rowCount } from '../rows.ts';
import { diceFor, uuidFrom } from '../seed.ts';
import { type Vendor, type VendorRequest, withEchoedKey } from '../vendor.ts';
import { urlText } from '../web/target-url.ts';
import { contentsIssuesOf, contentsOf } from './you/contents.ts';
import { combinationRefusal, type Issue, issuesOf } from './you/request.ts';
import { ROW_MEMBERS, rowOf } from './you/rows.ts';

/** You.com, https://you.com/docs/guides/search and …/guides/contents. The older `GET /v1/search` is not spoken. */
export const you: Vendor = {
  slug: 'you',
  docsUrl: 'https://you.com/docs/guides/search',
  readKey: ({ headers }) => headers['x-api-key'],
  readText: (request) =>
    textAt(request.json(), 'query') ?? request.query.get('query') ?? urlText(request.json()),
  routes: [
    {
      method: 'POST',
      path: '/v1/search',
      answer: (request) => answered(request, issuesOf, combinationRefusal, found),
    },
    {
      method: 'POST',
      path: '/v1/contents',
      answer: (request) => answered(request, contentsIssuesOf, () => undefined, contentsOf),
    },
    {
      method: 'GET',
      path: '/v1/search',
      answer: () => sandboxError(501, 'you: the GET form of the search is not spoken here'),
    },
  ],
  fail,
};

const COUNT_DEFAULT = 10;
const NEWS_MAX = 4;
const URL_HABITS = { tracking: 0.05, slash: 0.15, www: 0.1 };
const RATE_LIMIT = 10;

/** https://you.com/docs/error-handling/error-code-reference; the sentences are ours. */
const FAILURES: Readonly<Record<number, string>> = {
  400: 'The request is not valid',
  401: 'The API key is not valid or has expired',
  403: 'The key has no scope for this product',
  404: 'There is no such route',
  405: 'There is no such route for this method',
  429: 'Too many requests',
  500: 'The server failed while it checked the key',
};

function answered(
  request: VendorRequest,
  check: (body: unknown) => readonly Issue[],
  refuse: (body: JsonObject) => string | undefined,
  answer: (request: VendorRequest, body: JsonObject) => unknown,
): Reply {
  const { credential, headers } = request;
  if (credential === 'missing') return failure(request, 401, 'An API key is needed');
  if (credential === 'refused') return fail(request, 401);
  const isJson = /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '');
  const body = isJson ? request.json() : undefined;
  const issues = check(body);
  if (issues.length > 0) return reply(422, { detail: issues });
  if (!isObject(body)) return fail(request, 400);
  const refusal = refuse(body);
  if (refusal !== undefined) return reply(422, { error: refusal });
  if (credential === 'exhausted') return failure(request, 402, 'The account has no credits left');
  return reply(200, answer(request, body));
}

function found(request: VendorRequest, body: JsonObject): JsonObject {
  const query = textAt(body, 'query') ?? '';
  const asked = numberAt(body, 'count') ?? COUNT_DEFAULT;
  const count = rowCount(request, asked);
  const start = (numberAt(body, 'offset') ?? 0) * asked;
  const pages = pagesFor({ vendor: 'you', query, start, count, habits: URL_HABITS });
  const rows = pages.map((page) => rowOf(page, body, 'web'));
  return {
    results: {
      ...(count > 0 ? { web: finishRows(request, rows, ROW_MEMBERS) } : {}),
      ...(count > 0 && hasNews(query)
        ? { news: newsOf(query, Math.min(asked, NEWS_MAX), body) }
        : {}),
      ...(count > 0 && body.knowledge === 'core' ? { knowledge: knowledgeOf(pages) } : {}),
    },
    metadata: {
      search_uuid: uuidFrom(request.fingerprint),
      query,
      latency: (80 + diceFor('you latency', request.fingerprint).below(400)) / 1_000,
    },
  };
}

/** News come for some topics and not for others. */
function hasNews(query: string): boolean {
  const topic = topicOf(query);
  return /\b(news|latest|today)\b/i.test(topic) || diceFor('news of you', topic).chance(0.6);
}

function newsOf(query: string, count: number, body: JsonObject): readonly JsonObject[] {
  const pages = pagesFor({ vendor: 'you news', query, start: 0, count, kind: 'news' });
  return pages.map((page) => rowOf(page, body, 'news'));
}

function knowledgeOf(pages: readonly Page[]): readonly JsonObject[] {
  return pages.slice(0, 1).map((page) => ({
    type: 'answer',
    title: page.topic,
    description: sentencesOf(page, 'knowledge', 1).join(''),
    as_of: SANDBOX_NOW.slice(0, 10),
    attribution: [{ name: page.site.name, source_description: 'A made-up source' }],
  }));
}

function fail(request: VendorRequest, status: number): Reply {
  if (status === 502 || status === 503 || status === 504) return gatewayPage(status, limits());
  if (status === 402) {
    const message = withEchoedKey(request, 'The allowance of this month is used up');
    const used = { limit: 100, used: 100, period: 'month', reset_at: '2026-07-01T00:00:00Z' };
    return reply(402, { error: 'payment_required', message, ...used });
  }
  if (status === 422) return reply(422, { error: withEchoedKey(request, 'Not valid') });
  return failure(request, status, FAILURES[status] ?? 'The request could not be served');
}

function failure(request: VendorRequest, status: number, message: string): Reply {
  return reply(status, { detail: withEchoedKey(request, message) });
}

function reply(status: number, body: unknown): Reply {
  return jsonReply(status, body, limits(status === 429 ? 0 : RATE_LIMIT - 1));
}

/** On every answer. The reset is a moment in Unix time. */
function limits(remaining = RATE_LIMIT - 1): Readonly<Record<string, string>> {
  return {
    'x-ratelimit-limit': String(RATE_LIMIT),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Date.parse(`${SANDBOX_NOW}Z`) / 1_000 + 1),
  };
}
