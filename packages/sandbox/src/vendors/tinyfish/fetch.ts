import { bool, type Check, integer, listOf, members, oneOf, text } from '../../check.ts';
import { isObject, isTrueAt, type JsonObject } from '../../json.ts';
import type { RowMembers } from '../../odd-rows.ts';
import { finishRows, targetsOf } from '../../rows.ts';
import { diceFor } from '../../seed.ts';
import type { VendorRequest } from '../../vendor.ts';
import { pageDocument, pageHtml, pageMarkdown } from '../../web/forms.ts';
import type { FailureReason, Target, WebPage } from '../../web/target.ts';
import type { Issue } from './query.ts';

/** Fetch: https://docs.tinyfish.ai/fetch-api/reference */

const URLS_MAX = 10;
const SELECTORS_MAX = 20;

const selectors: Check = (value, path) =>
  Array.isArray(value) && value.length === 0
    ? [{ path, message: `${path.join('.')} must hold at least one selector` }]
    : listOf(text(1, 1_000), SELECTORS_MAX)(value, path);

const body = members(
  {
    urls: listOf(text(1), URLS_MAX),
    format: oneOf('markdown', 'html', 'json'),
    links: bool,
    image_links: bool,
    include_html_head: bool,
    ttl: integer(0, Number.MAX_SAFE_INTEGER),
    per_url_timeout_ms: integer(1, 110_000),
    exclude_selectors: selectors,
    include_selectors: selectors,
    purpose: text(0, 2_000),
  },
  ['urls'],
);

/** Everything that is wrong with a body. */
export function fetchIssuesOf(value: unknown): readonly Issue[] {
  if (!isObject(value)) return [{ path: [], message: 'the body must be a JSON object' }];
  const problems = body(value, []);
  if (problems.length > 0) return problems;
  if (urlsOf(value).length === 0) return [{ path: ['urls'], message: 'urls must not be empty' }];
  return value.include_html_head === true && value.format !== 'html'
    ? [{ path: ['include_html_head'], message: 'include_html_head is for format html' }]
    : [];
}

/** A 200 in any case; each URL is in one of the two lists. */
export function fetched(request: VendorRequest, value: unknown): JsonObject {
  const options = isObject(value) ? value : {};
  const targets = targetsOf(request, urlsOf(options));
  const rows = targets.flatMap((target) =>
    target.kind === 'answered' && errorOf(target) === undefined
      ? [rowOf(target.asked, target.page, options)]
      : [],
  );
  return {
    results: finishRows(request, rows, ROW_MEMBERS),
    errors: targets.flatMap((target) => {
      const [error, status] = errorOf(target) ?? [];
      if (error === undefined) return [];
      return [{ url: target.asked, error, ...(status === undefined ? {} : { status }) }];
    }),
  };
}

const ROW_MEMBERS: RowMembers = {
  title: 'title',
  url: 'url',
  date: 'published_date',
  snippets: [{ name: 'text' }],
};

function urlsOf(value: JsonObject): readonly string[] {
  return [value.urls].flat().filter((url) => typeof url === 'string');
}

function rowOf(asked: string, page: WebPage, options: JsonObject): JsonObject {
  return {
    url: asked,
    final_url: page.url,
    title: page.title,
    description: page.description,
    language: page.language,
    author: page.author,
    published_date: page.published?.slice(0, 10) ?? null,
    format: options.format ?? 'markdown',
    text: textOf(page, options),
    ...(isTrueAt(options, 'links') ? { links: page.links.map(({ url }) => url) } : {}),
    ...(isTrueAt(options, 'image_links') ? { image_links: page.images.map(({ url }) => url) } : {}),
    latency_ms: (4_000 + diceFor('tinyfish latency', page.url).below(9_000)) / 10,
  };
}

function textOf(page: WebPage, options: JsonObject): unknown {
  if (options.format === 'json') return { title: page.title, blocks: page.blocks };
  if (options.format !== 'html') return pageMarkdown(page);
  return options.include_html_head === true ? pageDocument(page) : pageHtml(page);
}

/** Reason codes of the reference; `page_not_found` is told of by users of the service. */
const FAILURES: Readonly<Record<FailureReason, string>> = {
  'unknown-host': 'target_unreachable',
  timeout: 'timeout',
  'too-large': 'empty_content',
  unsupported: 'empty_content',
  invalid: 'invalid_url',
};

function errorOf(target: Target): readonly [code: string, status?: number] | undefined {
  if (target.kind === 'failed') return [FAILURES[target.reason]];
  if (target.status === 404) return ['page_not_found', 404];
  if (target.status === 403) return ['bot_blocked', 403];
  if (target.status !== 200) return ['target_http_error', target.status];
  return target.page.blocks.length === 0 ? ['empty_content', 200] : undefined;
}
