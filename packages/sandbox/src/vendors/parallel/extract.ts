import { isSet, listed, type Operation } from '../../shell/declaration.ts';
import { finishRows } from '../../shell/rows.ts';
import { combination } from '../../shell/schema.ts';
import type { VendorRequest } from '../../shell/vendor.ts';
import { isObject, type JsonObject, numberAt, objectAt, textAt } from '../../util/json.ts';
import { digest } from '../../util/seed.ts';
import { type Answered, split, type Target, targetsOf } from '../../web/target.ts';
import { pageMarkdown } from '../../web/web-page.ts';
import api from './api.json' with { type: 'json' };

const EXCERPT_CHARACTERS = 2_000;
const ROW = {
  title: 'title',
  url: 'url',
  date: 'publish_date',
  snippets: [{ name: 'excerpts', wrap: (value: string) => [value] }],
};

/** https://docs.parallel.ai/api-reference/extract/extract */
export const extract: Operation = {
  method: 'POST',
  path: '/v1/extract',
  parameters: api.extract,
  check: ({ urls }) =>
    listed(urls).length === 0 ? [combination('urls must hold at least one URL', 'urls')] : [],
  answer: extracted,
};

/** Pages are in `results`, all else in `errors`. */
function extracted(request: VendorRequest, asked: JsonObject): JsonObject {
  const { got, errors } = split(targetsOf(request.faults, listed(asked.urls)), errorOf);
  const rows = got.map((target) => rowOf(target, asked));
  const count = rows.length;
  const skus = ['sku_extract_excerpts', ...(wantsAll(asked) ? ['sku_extract_full_content'] : [])];
  return {
    extract_id: `extract_${request.fingerprint.slice(0, 32)}`,
    results: finishRows(request, rows, ROW),
    errors,
    warnings: warningsOf(asked),
    usage: count > 0 ? skus.map((name) => ({ name, count })) : null,
    session_id:
      textAt(asked, 'session_id') ?? `session_${digest('session', request.body).slice(0, 32)}`,
  };
}

function wantsAll(asked: JsonObject): boolean {
  const content = objectAt(asked, 'advanced_settings')?.full_content;
  return content === true || isObject(content);
}

function rowOf({ asked: url, page }: Answered, asked: JsonObject): JsonObject {
  const whole = pageMarkdown(page);
  const settings = objectAt(asked, 'advanced_settings');
  const most = numberAt(settings?.full_content, 'max_chars_per_result');
  return {
    url,
    title: page.title,
    publish_date: page.published?.slice(0, 10) ?? null,
    excerpts: whole === '' ? [] : [whole.slice(0, EXCERPT_CHARACTERS)],
    full_content: wantsAll(asked) ? whole.slice(0, most) : null,
  };
}

/** A page fetch has no objective, which is accepted with a warning. */
function warningsOf(asked: JsonObject): readonly JsonObject[] | null {
  if (isSet(asked.objective ?? asked.search_queries) || !wantsAll(asked)) return null;
  const message = 'No objective or search queries were given; the excerpts repeat the page';
  return [{ type: 'warning', message, detail: null }];
}

/** Of the error types only `fetch_error` is named in the documents. */
function errorOf(target: Target): JsonObject | undefined {
  const error = (error_type: string, http_status_code: number | null, content: string | null) => ({
    url: target.asked,
    error_type,
    http_status_code,
    content,
  });
  if (target.kind === 'failed') return error(api.targets[target.reason], null, null);
  const { status, page } = target;
  if (status === 200) return undefined;
  return error('fetch_error', status, status === 403 ? pageMarkdown(page) : null);
}
