import { bool, type Check, integer, listOf, members, oneOf, text } from '../../check.ts';
import { isObject, isTrueAt, type JsonObject, numberAt, textAt } from '../../json.ts';
import type { RowMembers } from '../../odd-rows.ts';
import { finishRows, targetsOf } from '../../rows.ts';
import { diceFor, uuidFrom } from '../../seed.ts';
import type { VendorRequest } from '../../vendor.ts';
import { pageMarkdown, pageText } from '../../web/forms.ts';
import type { FailureReason, Target, WebPage } from '../../web/target.ts';

/** `/extract`: https://docs.tavily.com/documentation/api-reference/endpoint/extract */

const URLS_MAX = 20;
const SUCCESSES_PER_CREDIT = 5;

const urls: Check = (value, path) =>
  typeof value === 'string' ? text(1)(value, path) : listOf(text(1), URLS_MAX)(value, path);

const seconds: Check = (value, path) =>
  typeof value === 'number' && value >= 1 && value <= 60
    ? []
    : [{ path, message: `${path.join('.')} must be a number from 1 to 60` }];

const body = members(
  {
    urls,
    extract_depth: oneOf('basic', 'advanced'),
    format: oneOf('markdown', 'text'),
    include_images: bool,
    include_favicon: bool,
    include_usage: bool,
    timeout: seconds,
    query: text(1),
    chunks_per_source: integer(1, 5),
  },
  ['urls'],
);

/** Why a body is refused; undefined when it is a valid extract. */
export function extractRefusalOf(value: unknown): string | undefined {
  if (!isObject(value)) return 'The request body must be a JSON object.';
  const [problem] = body(value, []);
  if (problem) return `Invalid request: ${problem.message}.`;
  if (urlsOf(value).length === 0) return 'Invalid request: urls must hold at least one URL.';
  return (value.chunks_per_source ?? null) !== null && (value.query ?? null) === null
    ? 'chunks_per_source needs a query.'
    : undefined;
}

/** What was got is in `results`, all else in `failed_results`; no status is told. */
export function extracted(request: VendorRequest, value: JsonObject): JsonObject {
  const targets = targetsOf(request, urlsOf(value));
  const failed = targets.flatMap((target) => {
    const error = errorOf(target);
    return error === undefined ? [] : [{ url: target.asked, error }];
  });
  const rows = targets.flatMap((target) =>
    target.kind === 'answered' && errorOf(target) === undefined
      ? [rowOf(target.asked, target.page, value)]
      : [],
  );
  const credits =
    Math.floor(rows.length / SUCCESSES_PER_CREDIT) * (value.extract_depth === 'advanced' ? 2 : 1);
  return {
    results: finishRows(request, rows, PAGE_MEMBERS),
    failed_results: failed,
    response_time: (2 + diceFor('tavily extract', request.fingerprint).below(300)) / 100,
    ...(isTrueAt(value, 'include_usage') ? { usage: { credits } } : {}),
    request_id: uuidFrom(request.fingerprint),
  };
}

const PAGE_MEMBERS: RowMembers = {
  title: 'title',
  url: 'url',
  snippets: [{ name: 'raw_content' }],
};

function urlsOf(value: JsonObject): readonly string[] {
  return [value.urls].flat().filter((url) => typeof url === 'string');
}

function rowOf(asked: string, page: WebPage, options: JsonObject): JsonObject {
  return {
    url: asked,
    title: page.title,
    raw_content: contentOf(page, options),
    ...(isTrueAt(options, 'include_images') ? { images: page.images.map(({ url }) => url) } : {}),
    ...(isTrueAt(options, 'include_favicon') ? { favicon: page.favicon } : {}),
  };
}

/** With a query only the chunks that fit it. */
function contentOf(page: WebPage, options: JsonObject): string {
  const whole = options.format === 'text' ? pageText(page) : pageMarkdown(page);
  if (textAt(options, 'query') === undefined) return whole;
  const chunks = whole.split('\n\n').filter((part) => part.length > 80);
  return chunks.slice(0, numberAt(options, 'chunks_per_source') ?? 3).join(' [...] ');
}

/** The sentences are ours. */
const FAILURES: Readonly<Record<FailureReason, string>> = {
  'unknown-host': 'Failed to fetch url: the host could not be resolved',
  timeout: 'Failed to fetch url: the page took too long',
  'too-large': 'Failed to fetch url: the page is too large',
  unsupported: 'Failed to fetch url: this kind of file is not supported',
  invalid: 'Failed to fetch url: not a valid address',
};

function errorOf(target: Target): string | undefined {
  if (target.kind === 'failed') return FAILURES[target.reason];
  if (target.status !== 200) return 'Failed to fetch url';
  return target.page.blocks.length === 0 ? 'No content could be extracted' : undefined;
}
