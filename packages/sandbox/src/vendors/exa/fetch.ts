import { listOf, members, oneOf, text } from '../../check.ts';
import { isObject, type JsonObject, numberAt } from '../../json.ts';
import { finishRows, targetsOf } from '../../rows.ts';
import { diceFor } from '../../seed.ts';
import type { VendorRequest } from '../../vendor.ts';
import { pageDocument, pageMarkdown } from '../../web/forms.ts';
import { coverOf, type FailureReason, type Target, type WebPage } from '../../web/target.ts';
import { readTargetUrl } from '../../web/target-url.ts';
import { CONTENT_OPTIONS } from './contents.ts';
import { optionsRefusal, type Refusal } from './request.ts';
import { contentsOf, ROW_MEMBERS, wants } from './rows.ts';

/** `/contents`: https://exa.ai/docs/reference/get-contents */

const URLS_MAX = 100;
const PRICE_PER_CONTENT = 0.001;

const addresses = listOf(text(1, 2_048), URLS_MAX);
const body = members({
  urls: addresses,
  ids: addresses,
  compliance: oneOf('hipaa'),
  ...CONTENT_OPTIONS,
});

/** Undefined when the body is a valid request for contents. */
export function fetchRefusalOf(
  value: unknown,
  headers: Readonly<Record<string, string>>,
): Refusal | undefined {
  const invalid = (message: string, tag = 'INVALID_REQUEST_BODY') => ({ tag, message });
  if (!isObject(value)) return invalid('the request body must be a JSON object');
  const [problem] = body(value, []);
  if (problem) return invalid(`Invalid request body: ${problem.message}`);
  const lists = [value.urls, value.ids].filter((list) => (list ?? null) !== null);
  if (lists.length !== 1) return invalid('exactly one of urls and ids is needed');
  const urls = urlsOf(value);
  if (urls.length === 0) return invalid('urls must hold at least one URL');
  const bad = urls.find((url) => !readTargetUrl(url));
  return bad === undefined
    ? optionsRefusal(value, headers)
    : invalid(`${bad} is no URL`, 'INVALID_URLS');
}

/** A row for each page that was got, a status for each URL. */
export function fetched(request: VendorRequest, value: JsonObject): JsonObject {
  // without any content option the answer has the text
  const asked = CONTENT_KINDS.some((name) => wants(value[name])) ? value : { ...value, text: true };
  const targets = targetsOf(request, urlsOf(value));
  const rows = targets.flatMap((target) =>
    target.kind === 'answered' && target.status === 200 && !isDropped(target.page, asked)
      ? [rowOf(target.asked, target.page, asked)]
      : [],
  );
  return {
    requestId: request.fingerprint.slice(0, 32),
    results: finishRows(request, rows, ROW_MEMBERS),
    statuses: targets.map((target) => statusOf(target, asked)),
    costDollars: costOf(rows.length, asked),
  };
}

const CONTENT_KINDS = ['text', 'highlights', 'summary'];

function urlsOf(value: JsonObject): readonly string[] {
  return [value.urls ?? value.ids].flat().filter((url) => typeof url === 'string');
}

function isDropped(page: WebPage, asked: JsonObject): boolean {
  return page.blocks.length === 0 && asked.filterEmptyResults !== false;
}

function rowOf(asked: string, page: WebPage, options: JsonObject): JsonObject {
  const { text: wantsText, ...others } = options;
  return {
    id: asked,
    title: page.title,
    url: page.url,
    ...(page.published === null ? {} : { publishedDate: `${page.published}.000Z` }),
    author: page.author,
    image: coverOf(page),
    favicon: page.favicon,
    ...(wants(wantsText) ? { text: textOf(page, wantsText) } : {}),
    ...contentsOf(page.source, others),
  };
}

/** Markdown whose title is not marked as one. */
function textOf(page: WebPage, option: unknown): string {
  const marked = isObject(option) && option.includeHtmlTags === true;
  const whole = marked ? pageDocument(page) : pageMarkdown(page).replace(/^# /, '');
  return whole.slice(0, numberAt(option, 'maxCharacters'));
}

/** Tags of the error codes; null where no answer of the target is known. */
const FAILURES: Readonly<Record<FailureReason, readonly [tag: string, status: number | null]>> = {
  'unknown-host': ['CRAWL_UNKNOWN_ERROR', null],
  timeout: ['CRAWL_LIVECRAWL_TIMEOUT', null],
  'too-large': ['CRAWL_UNKNOWN_ERROR', null],
  unsupported: ['UNSUPPORTED_URL', null],
  invalid: ['UNSUPPORTED_URL', null],
};

function statusOf(target: Target, options: JsonObject): JsonObject {
  const failed = (tag: string, httpStatusCode: number | null) => ({
    id: target.asked,
    status: 'error',
    error: { tag, httpStatusCode },
  });
  if (target.kind === 'failed') return failed(...FAILURES[target.reason]);
  const { status } = target;
  if (status === 404 || status === 410) return failed('CRAWL_NOT_FOUND', status);
  if (status === 403) return failed('SOURCE_NOT_AVAILABLE', status);
  if (status !== 200) return failed('CRAWL_UNKNOWN_ERROR', status);
  const isLive = options.maxAgeHours === 0;
  const names = isLive || diceFor('exa source', target.page.url).chance(0.7);
  return {
    id: target.asked,
    status: 'success',
    ...(names ? { source: isLive ? 'crawled' : 'cached' } : {}),
  };
}

/** Per page and kind of content. */
function costOf(pages: number, asked: JsonObject): JsonObject {
  const kinds = CONTENT_KINDS.filter((name) => wants(asked[name]));
  const each = Math.round(pages * PRICE_PER_CONTENT * 1e6) / 1e6;
  return {
    total: Math.round(each * kinds.length * 1e6) / 1e6,
    ...(pages > 0 ? { contents: Object.fromEntries(kinds.map((name) => [name, each])) } : {}),
  };
}
