import { type JsonObject, trimEndOf } from '@trawl/contract';
import { type ParsedPage, pageRead } from '@trawl/providers/fetch-declaration';
import { decodeText } from '../charset/charset.ts';
import { isObject } from '../facts/json-ld.ts';
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

/** Reads plain text and markdown unchanged. */
export function readText(
  download: Download,
  options: ExtractionOptions,
  kind: 'text' | 'markdown',
): DocumentReading {
  const source = decodeText(download.body, download.contentType).text;
  return pageRead({
    ...documentFacts(download, options, source),
    title: kind === 'markdown' ? firstHeading(source) : null,
    content: tidy(source),
  });
}

/** A longer line is not a title. */
const TITLE_MAX_CHARACTERS = 300;
/** How far into a document a title is searched for. */
const TITLE_WITHIN_CHARACTERS = 65_536;

/** The first heading of level one, after the front matter that some documents have. */
function firstHeading(source: string): string | null {
  const lines = source.slice(0, TITLE_WITHIN_CHARACTERS).split(/\r?\n/);
  const propertiesEnd = lines[0] === '---' ? lines.indexOf('---', 1) : -1;
  for (const line of lines.slice(propertiesEnd + 1)) {
    if (!/^#\s/.test(line)) continue;
    const heading = trimEndOf(line.slice(1).trim(), '#').trim();
    if (heading !== '' && heading.length <= TITLE_MAX_CHARACTERS) return heading;
  }
  return null;
}

function tidy(source: string): string {
  return source.replace(/\r\n?/g, '\n').replace(/\0/g, '').trim();
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
    title: isObject(value) && typeof value.title === 'string' ? value.title : null,
    structured: isObject(value) && source.length <= MAX_STRUCTURED ? value : null,
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
