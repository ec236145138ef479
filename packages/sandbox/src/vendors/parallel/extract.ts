import { bool, integer, listOf, members, objectOr, type Problem, text } from '../../check.ts';
import { isObject, type JsonObject, numberAt, objectAt, textAt } from '../../json.ts';
import { finishRows, targetsOf } from '../../rows.ts';
import { digest } from '../../seed.ts';
import type { VendorRequest } from '../../vendor.ts';
import { pageMarkdown } from '../../web/forms.ts';
import type { FailureReason, Target, WebPage } from '../../web/target.ts';
import { amount, fetchPolicy, queries } from './request.ts';
import { ROW_MEMBERS } from './rows.ts';

/** `/v1/extract`: https://docs.parallel.ai/api-reference/extract/extract */

const URLS_MAX = 20;
const EXCERPT_CHARACTERS = 2_000;

const body = members(
  {
    urls: listOf(text(1), URLS_MAX),
    objective: text(0, 5_000),
    search_queries: queries,
    max_chars_total: amount,
    session_id: text(0, 1_000),
    client_model: text(),
    advanced_settings: members({
      full_content: objectOr(bool, members({ max_chars_per_result: integer(1, 10_000_000) })),
      excerpt_settings: members({ max_chars_per_result: amount }),
      fetch_policy: fetchPolicy,
    }),
  },
  ['urls'],
);

/** Everything that is wrong with a body. */
export function extractProblemsOf(value: unknown): readonly Problem[] {
  if (!isObject(value)) return [{ path: [], message: 'the request body must be a JSON object' }];
  const problems = body(value, []);
  return problems.length === 0 && urlsOf(value).length === 0
    ? [{ path: ['urls'], message: 'urls must hold at least one URL' }]
    : problems;
}

/** What was got is in `results`, all else in `errors`. */
export function extracted(request: VendorRequest, value: JsonObject): JsonObject {
  const targets = targetsOf(request, urlsOf(value));
  const rows = targets.flatMap((target) =>
    target.kind === 'answered' && target.status === 200
      ? [rowOf(target.asked, target.page, value)]
      : [],
  );
  const skus = [
    'sku_extract_excerpts',
    ...(fullContent(value) ? ['sku_extract_full_content'] : []),
  ];
  return {
    extract_id: `extract_${request.fingerprint.slice(0, 32)}`,
    results: finishRows(request, rows, ROW_MEMBERS),
    errors: targets.flatMap(errorsOf),
    warnings: warningsOf(value),
    usage: rows.length > 0 ? skus.map((name) => ({ name, count: rows.length })) : null,
    session_id:
      textAt(value, 'session_id') ?? `session_${digest('session', request.body).slice(0, 32)}`,
  };
}

function urlsOf(value: JsonObject): readonly string[] {
  return [value.urls].flat().filter((url) => typeof url === 'string');
}

function fullContent(value: JsonObject): boolean {
  const asked = objectAt(value, 'advanced_settings')?.full_content;
  return asked === true || isObject(asked);
}

function rowOf(asked: string, page: WebPage, value: JsonObject): JsonObject {
  const whole = pageMarkdown(page);
  const settings = objectAt(value, 'advanced_settings');
  const bound = numberAt(settings?.full_content, 'max_chars_per_result');
  return {
    url: asked,
    title: page.title,
    publish_date: page.published?.slice(0, 10) ?? null,
    excerpts: whole === '' ? [] : [whole.slice(0, EXCERPT_CHARACTERS)],
    full_content: fullContent(value) ? whole.slice(0, bound) : null,
  };
}

/** A page fetch has no objective, which is accepted with a warning. */
function warningsOf(value: JsonObject): readonly JsonObject[] | null {
  if ((value.objective ?? value.search_queries ?? null) !== null || !fullContent(value))
    return null;
  const message = 'No objective or search queries were given; the excerpts repeat the page';
  return [{ type: 'warning', message, detail: null }];
}

/** Only `fetch_error` is named in the documents. */
const FAILURES: Readonly<Record<FailureReason, string>> = {
  'unknown-host': 'fetch_error',
  timeout: 'timeout_error',
  'too-large': 'fetch_error',
  unsupported: 'unsupported_content_error',
  invalid: 'invalid_url',
};

function errorsOf(target: Target): readonly JsonObject[] {
  const error = (error_type: string, http_status_code: number | null, content: string | null) => [
    { url: target.asked, error_type, http_status_code, content },
  ];
  if (target.kind === 'failed') return error(FAILURES[target.reason], null, null);
  if (target.status === 200) return [];
  return error(
    'fetch_error',
    target.status,
    target.status === 403 ? pageMarkdown(target.page) : null,
  );
}
