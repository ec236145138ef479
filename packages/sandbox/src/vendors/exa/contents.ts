import { isSet, listed } from '../../shell/declaration.ts';
import { finishRows } from '../../shell/rows.ts';
import { combination, combined, type Problem } from '../../shell/schema.ts';
import type { VendorRequest } from '../../shell/vendor.ts';
import { isObject, type JsonObject, numberAt, objectAt, textAt, valueAt } from '../../util/json.ts';
import { diceFor } from '../../util/seed.ts';
import { filled, filledSchema } from '../../util/templates.ts';
import { imageOf, linksOf, type Page, sentencesOf, textOf } from '../../web/pages.ts';
import { errorFor, type Target, type TargetAnswer, targetsOf } from '../../web/target.ts';
import { readTargetUrl } from '../../web/target-url.ts';
import { pageDocument, pageMarkdown, type WebPage } from '../../web/web-page.ts';
import api from './api.json' with { type: 'json' };

/** The parts that a search and `/contents` share: the content options and the rows. */

/** Content options that cannot be combined. */
export function optionProblems(
  options: JsonObject,
  { headers }: VendorRequest,
): readonly Problem[] {
  const problems = combined(api.combinations, options);
  const isDynamic = valueAt(options, 'highlights.dynamic') === true;
  const isBeta = headers['exa-beta']?.includes('dynamic-highlights-') ?? false;
  if (problems.length > 0 || !isDynamic || isBeta) return problems;
  return [
    combination('highlights.dynamic needs the Exa-Beta header', undefined, 'INVALID_REQUEST'),
  ];
}

/** The requested content fields. */
export function contentsOf(page: Page, asked: JsonObject): JsonObject {
  const extras = objectAt(asked, 'extras');
  const subpages = numberAt(asked, 'subpages') ?? 0;
  const snapshot = textAt(asked, 'snapshotAsOf');
  return {
    text: wants(asked.text) ? pageText(page, asked.text) : undefined,
    ...(wants(asked.highlights) ? highlightsOf(page, asked.highlights) : {}),
    summary: wants(asked.summary) ? summaryOf(page, asked.summary) : undefined,
    extras: extras ? extrasOf(page, extras) : undefined,
    subpages: subpages > 0 ? subpagesOf(page, subpages) : undefined,
    snapshotAt: snapshot === undefined ? undefined : `${snapshot.slice(0, 10)}T00:00:00.000Z`,
  };
}

function wants(option: unknown): boolean {
  return option === true || isObject(option);
}

function pageText(page: Page, option: unknown): string {
  const plain = textOf(page);
  // About half of the real texts keep the entities of their HTML source.
  const encoded = diceFor('exa entities', page.topic, page.id).chance(0.5)
    ? plain.replaceAll('&', '&amp;').replaceAll("'", '&#x27;')
    : plain;
  const isMarked = valueAt(option, 'includeHtmlTags') === true;
  const marked = isMarked ? `<p>${encoded.replaceAll('\n\n', '</p>\n<p>')}</p>` : encoded;
  return marked.slice(0, numberAt(option, 'maxCharacters'));
}

function highlightsOf(page: Page, option: unknown): JsonObject {
  const dice = diceFor('exa scores', page.topic, page.id);
  let left = numberAt(option, 'maxCharacters') ?? Number.POSITIVE_INFINITY;
  const highlights: string[] = [];
  for (const sentence of sentencesOf(page, 'highlights', 2 + dice.below(2))) {
    if (left <= 0) break;
    highlights.push(sentence.slice(0, left));
    left -= sentence.length;
  }
  return {
    highlights,
    highlightScores: highlights.map((_, index) => (900 - index * 70 - dice.below(60)) / 1_000),
  };
}

/** With a schema the summary is JSON as text. */
function summaryOf(page: Page, option: unknown): string {
  const plain = sentencesOf(page, 'summary', 2).join(' ');
  const schema = objectAt(option, 'schema');
  return schema ? JSON.stringify(filledSchema(schema, plain)) : plain;
}

function extrasOf(page: Page, asked: JsonObject): JsonObject {
  const links = numberAt(asked, 'links') ?? 0;
  const images = Math.min(numberAt(asked, 'imageLinks') ?? 0, 4);
  const named = Array.from({ length: images }, (_, n) => imageOf(page, `figure-${n + 1}`));
  return {
    links: links > 0 ? linksOf(page, Math.min(links, 12)) : undefined,
    imageLinks: images > 0 ? named : undefined,
  };
}

function subpagesOf(page: Page, asked: number): readonly JsonObject[] {
  return Array.from({ length: Math.min(asked, 3) }, (_, index) => {
    const text = sentencesOf(page, `subpage ${index}`, 5).join(' ');
    const base = page.url.split('?')[0];
    return filled(api.subpage, { ...page, base, number: index + 1, text });
  });
}

/** A price in USD, without floating-point errors. */
export function dollars(usd: number): number {
  return Math.round(usd * 1e6) / 1e6;
}

/** https://exa.ai/docs/reference/get-contents */
export function fetchProblems(asked: JsonObject, request: VendorRequest): readonly Problem[] {
  const problems = addressProblems(asked);
  return problems.length > 0 ? problems : optionProblems(asked, request);
}

function addressProblems({ urls, ids }: JsonObject): readonly Problem[] {
  const wrong = (message: string, code?: string) => [combination(message, undefined, code)];
  if (isSet(urls) === isSet(ids)) return wrong('exactly one of urls and ids is needed');
  const addresses = listed(urls ?? ids);
  if (addresses.length === 0) return wrong('urls must hold at least one URL');
  const bad = addresses.find((url) => !readTargetUrl(url));
  return bad === undefined ? [] : wrong(`${bad} is not a URL`, 'INVALID_URLS');
}

/** A row for each page that was fetched, and a status for each URL. */
export function fetched(request: VendorRequest, options: JsonObject): JsonObject {
  // without content options the answer has the text
  const isPlain = !api.contentKinds.some((name) => wants(options[name]));
  const asked = isPlain ? { ...options, text: true } : options;
  const targets = targetsOf(request.faults, listed(options.urls ?? options.ids));
  const rows = targets.flatMap((target) =>
    target.kind === 'answered' && target.status === 200 && !isDropped(target.page, asked)
      ? [fetchedRow(target, asked)]
      : [],
  );
  return {
    requestId: request.fingerprint.slice(0, 32),
    results: finishRows(request, rows, api.members),
    statuses: targets.map((target) => statusOf(target, asked)),
    costDollars: contentCost(rows.length, asked),
  };
}

function isDropped(page: WebPage, asked: JsonObject): boolean {
  return page.blocks.length === 0 && asked.filterEmptyResults !== false;
}

function fetchedRow(
  { asked: id, page }: TargetAnswer,
  { text, ...options }: JsonObject,
): JsonObject {
  const date = page.published === null ? undefined : `${page.published}.000Z`;
  return {
    ...filled(api.fetchRow, { ...page, id, date }),
    ...contentsOf(page.source, options),
    text: wants(text) ? markdownText(page, text) : undefined,
  };
}

/** Markdown whose title is not marked as a heading. */
function markdownText(page: WebPage, option: unknown): string {
  const isMarked = valueAt(option, 'includeHtmlTags') === true;
  const whole = isMarked ? pageDocument(page) : pageMarkdown(page).replace(/^# /, '');
  return whole.slice(0, numberAt(option, 'maxCharacters'));
}

function statusOf(target: Target, options: JsonObject): JsonObject {
  const { asked: id } = target;
  const tag = errorFor(api.targets, target);
  if (target.kind === 'failed' || tag !== undefined) {
    return { id, status: 'error', error: { tag, httpStatusCode: target.status ?? null } };
  }
  const isLive = options.maxAgeHours === 0;
  const names = isLive || diceFor('exa source', target.page.url).chance(0.7);
  const source = isLive ? 'crawled' : 'cached';
  return { id, status: 'success', source: names ? source : undefined };
}

/** The cost per page and kind of content. */
function contentCost(pages: number, asked: JsonObject): JsonObject {
  const kinds = api.contentKinds.filter((name) => wants(asked[name]));
  const each = dollars(pages * api.pricePerContent);
  const contents = Object.fromEntries(kinds.map((name) => [name, each]));
  return { total: dollars(each * kinds.length), contents: pages > 0 ? contents : undefined };
}
