import { CONTENT_FORMATS, ROW_ERRORS, RUN_ERRORS, WARNINGS } from '@trawl/contract';
import { expect } from 'vitest';
import { isoDate, type PageReading, type PageVerdict, type ParsedPage } from '../../src/index.ts';

const TEXT_FIELDS = [
  'title',
  'request_id',
  'description',
  'raw_html',
  'html',
  'content_type',
  'summary',
  'language',
  'author',
  'transcript',
  'excerpt',
] as const;
const URL_FIELDS = ['canonical_url', 'screenshot', 'favicon', 'thumbnail'] as const;
const URL_LISTS = ['links', 'images', 'media'] as const;
const COUNTS = ['http_status', 'page_count'] as const;
const OBJECTS = ['metadata', 'structured'] as const;

/** Checks that a parsed page only has values of the right types, whatever it was parsed from. */
export function expectCleanReading(reading: PageReading): void {
  if (reading.kind === 'page') expectCleanPage(reading.page);
  else if (reading.kind === 'verdict') expectCleanVerdict(reading.verdict);
  else expectText(reading.job);
}

function expectText(value: unknown): void {
  expect(value).toBeTypeOf('string');
  expect(String(value).trim()).not.toBe('');
}

function expectWebUrl(value: unknown): void {
  expectText(value);
  expect(new URL(String(value)).protocol).toMatch(/^https?:$/);
}

function expectObject(value: unknown): void {
  expect(value).toBeTypeOf('object');
  expect(value).not.toBeNull();
  expect(Array.isArray(value)).toBe(false);
}

function expectCleanPage(page: ParsedPage): void {
  if (page.content !== null) expect(page.content).toBeTypeOf('string');
  expect(CONTENT_FORMATS).toContain(page.content_format);
  for (const field of TEXT_FIELDS) if (page[field] !== null) expectText(page[field]);
  for (const field of URL_FIELDS) if (page[field] !== null) expectWebUrl(page[field]);
  for (const field of URL_LISTS) {
    page[field].forEach(expectWebUrl);
    expect(new Set(page[field]).size).toBe(page[field].length);
  }
  for (const field of COUNTS) if (page[field] !== null) expect(page[field]).toSatisfy(isCount);
  for (const field of OBJECTS) if (page[field] !== null) expectObject(page[field]);
  expect([null, 'hit', 'miss']).toContain(page.cache_state);
  expect([null, true, false]).toContain(page.js_rendered);
  expect([null, 'parsed']).toContain(page.pdf_mode);
  if (page.publish_date !== null) expect(isoDate(page.publish_date)).toBe(page.publish_date);
  page.chunks.forEach(expectText);
  for (const { url, title, content } of page.subpages) {
    expectWebUrl(url);
    if (title !== null) expectText(title);
    if (content !== null) expect(content).toBeTypeOf('string');
  }
  expectObject(page.enrichments);
  expectCleanUsage(page.usage);
  for (const { code, message } of page.remarks) {
    expect(Object.keys(WARNINGS)).toContain(code);
    expectText(message);
    expect(message.length).toBeLessThanOrEqual(1000);
  }
}

const isCount = (value: unknown) => Number.isInteger(value) && Number(value) >= 0;

function expectCleanVerdict({ code, reason, httpStatus, content, usage }: PageVerdict): void {
  expect([...Object.keys(ROW_ERRORS), ...Object.keys(RUN_ERRORS)]).toContain(code);
  expect(reason).toMatch(/^[\w .:-]{1,80}$/);
  if (httpStatus !== null) expect(httpStatus).toSatisfy(isCount);
  if (content != null) expect(content).toBeTypeOf('string');
  expectCleanUsage(usage ?? null);
}

function expectCleanUsage(usage: ParsedPage['usage']): void {
  if (usage === null) return;
  expectObject(usage.units);
  if (usage.costUsd !== null) expect(usage.costUsd).toSatisfy(Number.isFinite);
}
