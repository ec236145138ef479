import type { JsonObject } from '@trawl/contract';
import { isJsonObject } from '@trawl/contract/json-object';
import { type ParsedPage, pageRead } from '@trawl/providers/fetch-declaration';
import { decodeText } from '../charset/charset.ts';
import type { DocumentReading, Download, ExtractionOptions } from '../input/types.ts';
import { fenced } from '../markdown/code.ts';
import { essenceOf } from './sniff-type.ts';

/** The page fields of every document that is not HTML. */
export function documentFacts(
  download: Download,
  options: ExtractionOptions,
  source: string | null,
): Partial<ParsedPage> {
  return {
    content_format: options.contentFormat,
    http_status: download.status,
    canonical_url: download.url,
    cache_state: 'miss',
    js_rendered: false,
    content_type: essenceOf(download.contentType),
    language: download.contentLanguage,
    raw_html: source,
  };
}

/** Reads plain text unchanged. */
export function readText(download: Download, options: ExtractionOptions): DocumentReading {
  const source = decodeText(download.body, download.contentType).text;
  return pageRead({
    ...documentFacts(download, options, source),
    title: null,
    content: tidy(source),
  });
}

export function tidy(source: string): string {
  return source.replace(/\r\n?/g, '\n').trim();
}

const MAX_STRUCTURED = 300_000;

/** Writes a JSON document unchanged. */
export function jsonPage(
  source: string,
  value: JsonObject[string] | undefined,
  { contentFormat }: ExtractionOptions,
): Partial<ParsedPage> {
  const text = tidy(source);
  return {
    title: isJsonObject(value) && typeof value.title === 'string' ? value.title : null,
    structured: isJsonObject(value) && source.length <= MAX_STRUCTURED ? value : null,
    content: contentFormat === 'markdown' ? fenced(text, 'json') : text,
  };
}

/**
 * Writes XML that is not a feed. Its text alone would be words without order, so it stays as it is.
 */
export function xmlPage(source: string, { contentFormat }: ExtractionOptions): Partial<ParsedPage> {
  const text = tidy(source);
  return { content: contentFormat === 'markdown' ? fenced(text, 'xml') : text };
}

/** The document's value; undefined when it is not valid JSON. */
export function parsed(source: string): JsonObject[string] | undefined {
  try {
    return JSON.parse(source);
  } catch {
    return undefined;
  }
}
