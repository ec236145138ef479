import { CONTENT_FORMATS, isJsonObject } from '@trawl/contract';
import type { ParsedPage } from '@trawl/providers';
import type { CachedPage } from './page-cache.ts';

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const oneOf =
  (...known: readonly unknown[]): Check =>
  (value) =>
    known.includes(value);
const withMembers =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isJsonObject(value) && Object.entries(checks).every(([name, check]) => check(value[name]));

const textOrNull = orNull(isText);

const PAGE: Readonly<Record<keyof ParsedPage, Check>> = {
  content: textOrNull,
  content_format: oneOf(...CONTENT_FORMATS),
  title: textOrNull,
  http_status: orNull(isNumber),
  canonical_url: textOrNull,
  cache_state: oneOf('hit', 'miss', null),
  request_id: textOrNull,
  js_rendered: oneOf(true, false, null),
  pdf_mode: oneOf('parsed', null),
  description: textOrNull,
  raw_html: textOrNull,
  html: textOrNull,
  chunks: listOf(isText),
  screenshot: textOrNull,
  page_count: orNull(isNumber),
  content_type: textOrNull,
  summary: textOrNull,
  language: textOrNull,
  author: textOrNull,
  publish_date: textOrNull,
  favicon: textOrNull,
  thumbnail: textOrNull,
  links: listOf(isText),
  images: listOf(isText),
  metadata: orNull(isJsonObject),
  usage: orNull(withMembers({ units: isJsonObject, costUsd: orNull(isNumber) })),
  media: listOf(isText),
  transcript: textOrNull,
  excerpt: textOrNull,
  structured: orNull(isJsonObject),
  subpages: listOf(withMembers({ url: isText, title: textOrNull, content: textOrNull })),
  enrichments: isJsonObject,
  remarks: listOf(withMembers({ code: isText, message: isText })),
  gaps: (value) =>
    value === undefined || listOf(withMembers({ field: isText, reason: isText }))(value),
};

const CACHED: Readonly<Record<keyof CachedPage, Check>> = {
  provider: (value) => typeof value === 'string' && /^[a-z0-9-]{1,40}$/.test(value),
  page: withMembers(PAGE),
  measure: orNull(withMembers({ length: isNumber, sha256: isText })),
  quality: orNull((value) => isNumber(value) && Number(value) >= 0 && Number(value) <= 1),
  storedAt: isNumber,
};

/** A page of a cache outside of this process, which may hold anything; undefined = not a page of this version. */
export function readCachedPage(value: unknown): CachedPage | undefined {
  return withMembers(CACHED)(value) ? (value as CachedPage) : undefined;
}
