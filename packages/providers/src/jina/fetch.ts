/** https://jina.ai/reader */
import type { JsonObject, RowErrorCode, Warning } from '@trawl/contract';
import { z } from 'zod';
import type { FailedAnswer } from '../declaration/call.ts';
import { defineFetch, type FetchPlan, pageCapabilities } from '../declaration/fetch.ts';
import {
  httpStatusOf,
  type PageReading,
  type ParsedPage,
  remark,
  shortReason,
  unreachable,
  verdict,
} from '../parsed/page.ts';
import { filledObject, pageReader } from '../parsed/page-table.ts';
import { finiteNumber, list, object } from '../values/json.ts';
import { type Rates, unitsUsed } from '../values/price.ts';
import { type LimitedText, limitedTitle, text } from '../values/text.ts';
import { absoluteUrl, webUrls } from '../values/urls.ts';
import { splitPreamble } from './preamble.ts';

const TIMEOUT_MAX_SECONDS = 180;

/** Statuses that are about the page. */
const CODES: Readonly<Record<number, RowErrorCode>> = {
  // it gave up after the time that we asked it to wait
  408: 'timeout',
  413: 'too_large',
  // it does not read this domain
  451: 'provider_error',
};

/** Its 422 means both. */
const NOTHING_READ = 'The site could not be reached, or the page has no text.';

function request({ url, fields, contentFormat, maxAgeSeconds, noCache, timeLimitMs }: FetchPlan) {
  const seconds = Math.min(Math.max(Math.floor(timeLimitMs / 1000), 1), TIMEOUT_MAX_SECONDS);
  const headers: Record<string, string> = {
    // with another type in the list the answer is text
    accept: 'application/json',
    'x-timeout': String(seconds),
    ...(contentFormat === 'text' ? { 'x-return-format': 'text' } : {}),
    ...(fields.has('links') ? { 'x-with-links-summary': 'true' } : {}),
    ...(fields.has('images') ? { 'x-with-images-summary': 'true' } : {}),
    ...(noCache ? { 'x-no-cache': 'true' } : {}),
    ...(!noCache && maxAgeSeconds !== null ? { 'x-cache-tolerance': String(maxAgeSeconds) } : {}),
  };
  return { method: 'POST', path: '/', headers, body: { url } } as const;
}

/** The addresses of a summary: an object from text to address, or pairs of the two. */
function addresses(summary: unknown): readonly unknown[] {
  return Array.isArray(summary)
    ? summary.map((pair) => list(pair)[1])
    : Object.values(object(summary));
}

/** A meta value is a text, or a list where the page repeats it. */
const firstText = (value: unknown): string | null => text(Array.isArray(value) ? value[0] : value);

/** For a place: the first address that the page links in this role. */
const firstAddress = (linked: unknown, base: string): string | null =>
  absoluteUrl(Object.keys(object(linked))[0], base);

/** Only names: some pages put the address of a profile there. */
function authorOf(metadata: JsonObject): LimitedText | null {
  const names = [metadata.author, metadata['article:author']].map((value) =>
    limitedTitle(firstText(value)),
  );
  return names.find((name) => name !== null && !/^https?:/i.test(name.text)) ?? null;
}

function withoutPreamble(value: unknown): string | null {
  const content = text(value);
  return content && (splitPreamble(content)?.content ?? content);
}

const usageOf = (...reports: readonly unknown[]) => {
  const tokens = reports.map((report) => object(report).tokens);
  return unitsUsed(
    'tokens',
    tokens.find((count) => finiteNumber(count) !== null),
  );
};

/** @param content the keys of the page's text, the format that was asked for first */
const pagesWith = (content: readonly string[]) =>
  pageReader({
    content: { at: content, read: withoutPreamble },
    title: 'title',
    canonical_url: 'url',
    description: 'description',
    page_count: 'numPages',
    language: { at: 'metadata.lang', read: firstText },
    publish_date: 'publishedTime',
    favicon: { at: 'external.icon', read: firstAddress },
    thumbnail: {
      at: 'metadata.og:image',
      read: (image, page) => absoluteUrl(firstText(image), page),
    },
    links: { at: 'links', read: (summary, page) => webUrls(addresses(summary), page) },
    images: { at: 'images', read: (summary, page) => webUrls(addresses(summary), page) },
    metadata: { at: 'metadata', read: filledObject },
    dropped: ['warning', 'usage'],
    more: ({ metadata, external, warning }, _left, page) => {
      const named = firstAddress(object(external).canonical, page);
      const { httpStatus, remarks } = readWarnings(warning);
      return {
        http_status: httpStatus,
        author: authorOf(object(metadata)),
        // what the page calls itself says nothing of where it was read
        ...(named === null ? {} : { canonical_url: named, finalUrl: page }),
        remarks,
      };
    },
  });

const PAGES = {
  markdown: pagesWith(['content', 'text']),
  text: pagesWith(['text', 'content']),
} as const;

function parse(body: JsonObject, { url, contentFormat }: FetchPlan): PageReading {
  const data = object(body.data);
  return PAGES[contentFormat](data, url, {
    content_format: contentFormat,
    canonical_url: url,
    usage: usageOf(data.usage, object(body.meta).usage),
  });
}

/**
 * A text answer: the page below its preamble, or only the page. A document in HTML comes from
 * another server.
 */
function readText(answer: string): unknown {
  const split = splitPreamble(answer);
  if (split) return { data: { ...split.page, content: split.content } };
  // an error page, or the requested JSON, cut off
  return /^\s*(?:<(?:!doctype|html)\b|[[{])/i.test(answer) ? undefined : { data: { text: answer } };
}

function readFailedAnswer({ status, body }: FailedAnswer): PageReading | undefined {
  const reason = shortReason(object(body).name, `HTTP ${status}`);
  if (status === 422) return unreachable(reason, [object(body).message, body], NOTHING_READ);
  const code = CODES[status];
  return code && verdict(code, reason);
}

/** Tokens of a long article: the estimate for a page before it is read. */
const TYPICAL_TOKENS = 10_000;

/**
 * By the tokens of the page, whose price depends on the package that was bought. Without a key it
 * is free.
 */
function price(_plan: FetchPlan, page: ParsedPage | null, rates: Rates) {
  const tokens = page === null ? TYPICAL_TOKENS : (finiteNumber(page.usage?.units.tokens) ?? 0);
  return { usd: (tokens / 1e6) * (rates.fetch_million_tokens ?? 0), kind: 'estimated' } as const;
}

export const jinaFetch = defineFetch({
  description: 'Pages and documents as markdown or text. Needs no key; one raises its rate limit.',
  docsUrl: 'https://jina.ai/reader',
  chain: 'default',
  lowestMaxAgeSeconds: 0,
  contentFormats: ['markdown', 'text'],
  capabilities: pageCapabilities({
    supplied: [
      'title',
      'canonical_url',
      'description',
      'page_count',
      'language',
      'author',
      'publish_date',
      'favicon',
      'thumbnail',
      'links',
      'images',
      'metadata',
      'usage',
      'enrichments',
    ],
    onFailure: ['http_status'],
  }),
  timeoutMs: 45_000,
  concurrency: 5,
  price,
  failedPages: 'unknown',
  request,
  // a key without tokens left does not fall back, and the reader serves callers without a key
  optionalParts: [{ in: 'credential', name: 'key', isRefused: ({ status }) => status === 402 }],
  response: z
    .looseObject({ data: z.looseObject({}) })
    .refine(({ data }) => typeof data.content === 'string' || typeof data.text === 'string'),
  parse,
  readText,
  readFailedAnswer,
});

const TARGET_ERROR = /^Target URL returned error (\d{3})\b/;

/** The reader's remarks on a page. */
interface ReaderRemarks {
  /** The target's status; it is only given for an error. */
  readonly httpStatus: number | null;
  readonly remarks: readonly Warning[];
}

/** The reader answers 200 even if the target failed. One line of its warnings says so. */
function readWarnings(warning: unknown): ReaderRemarks {
  const lines = typeof warning === 'string' ? warning.split('\n') : [];
  const read = lines.map((line) => readLine(line.trim()));
  return {
    httpStatus: read.find(({ status }) => status !== null)?.status ?? null,
    remarks: read.flatMap(({ remarks }) => remarks),
  };
}

function readLine(line: string) {
  const [, status] = TARGET_ERROR.exec(line) ?? [];
  const code = status === undefined ? 'upstream_warning' : 'upstream_error';
  return { status: httpStatusOf(Number(status)), remarks: remark(code, 'jina', line) };
}
