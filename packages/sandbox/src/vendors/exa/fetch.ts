import { isSet, listed, type Operation } from '../../shell/declaration.ts';
import { finishRows } from '../../shell/rows.ts';
import { combination, type Problem } from '../../shell/schema.ts';
import type { VendorRequest } from '../../shell/vendor.ts';
import { isTrueAt, type JsonObject, numberAt } from '../../util/json.ts';
import { diceFor } from '../../util/seed.ts';
import { type Answered, type Target, targetsOf } from '../../web/target.ts';
import { readTargetUrl } from '../../web/target-url.ts';
import { pageDocument, pageMarkdown, type WebPage } from '../../web/web-page.ts';
import api from './api.json' with { type: 'json' };
import { contentsOf, dollars, optionProblems, ROW, wants } from './contents.ts';

const CONTENT_KINDS = ['text', 'highlights', 'summary'];
const PRICE_PER_CONTENT = 0.001;

/** https://exa.ai/docs/reference/get-contents */
export const fetch: Operation = {
  method: 'POST',
  path: '/contents',
  parameters: { properties: { ...api.contents, ...api.contentOptions.properties } },
  check: (asked, request) => {
    const problems = addressProblems(asked);
    return problems.length > 0 ? problems : optionProblems(asked, request);
  },
  answer: fetched,
};

function addressProblems({ urls, ids }: JsonObject): readonly Problem[] {
  const wrong = (message: string, code?: string) => [combination(message, undefined, code)];
  if (isSet(urls) === isSet(ids)) return wrong('exactly one of urls and ids is needed');
  const addresses = listed(urls ?? ids);
  if (addresses.length === 0) return wrong('urls must hold at least one URL');
  const bad = addresses.find((url) => !readTargetUrl(url));
  return bad === undefined ? [] : wrong(`${bad} is no URL`, 'INVALID_URLS');
}

/** A row for each page that was got, a status for each URL. */
function fetched(request: VendorRequest, options: JsonObject): JsonObject {
  // without any content option the answer has the text
  const isPlain = !CONTENT_KINDS.some((name) => wants(options[name]));
  const asked = isPlain ? { ...options, text: true } : options;
  const targets = targetsOf(request.faults, listed(options.urls ?? options.ids));
  const rows = targets.flatMap((target) =>
    target.kind === 'answered' && target.status === 200 && !isDropped(target.page, asked)
      ? [rowOf(target, asked)]
      : [],
  );
  return {
    requestId: request.fingerprint.slice(0, 32),
    results: finishRows(request, rows, ROW),
    statuses: targets.map((target) => statusOf(target, asked)),
    costDollars: costOf(rows.length, asked),
  };
}

function isDropped(page: WebPage, asked: JsonObject): boolean {
  return page.blocks.length === 0 && asked.filterEmptyResults !== false;
}

function rowOf({ asked: id, page }: Answered, { text, ...options }: JsonObject): JsonObject {
  return {
    id,
    title: page.title,
    url: page.url,
    publishedDate: page.published === null ? undefined : `${page.published}.000Z`,
    author: page.author,
    image: page.cover,
    favicon: page.favicon,
    ...contentsOf(page.source, options),
    text: wants(text) ? textOf(page, text) : undefined,
  };
}

/** Markdown whose title is not marked as one. */
function textOf(page: WebPage, option: unknown): string {
  const whole = isTrueAt(option, 'includeHtmlTags')
    ? pageDocument(page)
    : pageMarkdown(page).replace(/^# /, '');
  return whole.slice(0, numberAt(option, 'maxCharacters'));
}

function statusOf(target: Target, options: JsonObject): JsonObject {
  const failed = (tag: string, httpStatusCode: number | null) => ({
    id: target.asked,
    status: 'error',
    error: { tag, httpStatusCode },
  });
  if (target.kind === 'failed') return failed(api.targets[target.reason], null);
  const { status } = target;
  if (status === 404 || status === 410) return failed('CRAWL_NOT_FOUND', status);
  if (status === 403) return failed('SOURCE_NOT_AVAILABLE', status);
  if (status !== 200) return failed('CRAWL_UNKNOWN_ERROR', status);
  const isLive = options.maxAgeHours === 0;
  const names = isLive || diceFor('exa source', target.page.url).chance(0.7);
  const source = isLive ? 'crawled' : 'cached';
  return { id: target.asked, status: 'success', source: names ? source : undefined };
}

/** Per page and kind of content. */
function costOf(pages: number, asked: JsonObject): JsonObject {
  const kinds = CONTENT_KINDS.filter((name) => wants(asked[name]));
  const each = dollars(pages * PRICE_PER_CONTENT);
  const contents = Object.fromEntries(kinds.map((name) => [name, each]));
  return { total: dollars(each * kinds.length), contents: pages > 0 ? contents : undefined };
}
