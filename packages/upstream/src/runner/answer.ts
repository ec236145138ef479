import { isUtf8 } from 'node:buffer';
import { isJsonObject, type JsonObject, parseJson } from '@trawl/contract';

/** A body as JSON if it is usable JSON, else as text. */
export type Content =
  | { readonly isJson: true; readonly json: unknown }
  | { readonly isJson: false; readonly text: string };

/** Text that is not JSON is mostly an error page: keeps enough of it to recognize the page. */
const RAW_TEXT_MAX_CHARACTERS = 64 * 1024;

/**
 * Deeper than any provider documents. Serializing recurses: several thousand levels would end the
 * request.
 */
const NESTING_MAX_LEVELS = 64;

export function parseContent(text: string): Content {
  try {
    const json = parseJson(text);
    return isNestedBeyond(NESTING_MAX_LEVELS, json)
      ? { isJson: false, text }
      : { isJson: true, json };
  } catch {
    // the parser's message quotes the body, so it is dropped
    return { isJson: false, text };
  }
}

/**
 * Without a list of values, an iterator or a call for each plain value: a tenth of the time that
 * parsing takes (measured).
 */
function isNestedBeyond(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const inner: unknown = value[index];
      if (typeof inner === 'object' && isNestedBeyond(levels - 1, inner)) return true;
    }
    return false;
  }
  const members = value as JsonObject;
  for (const key in members) {
    const inner = members[key];
    if (typeof inner === 'object' && isNestedBeyond(levels - 1, inner)) return true;
  }
  return false;
}

/** An answer as shown in `raw_payload`. */
export function rawPayload(content: Content): JsonObject {
  if (content.isJson) return isJsonObject(content.json) ? content.json : { body: content.json };
  return { body: cut(content.text) };
}

/** Never splits a surrogate pair. */
function cut(text: string): string {
  const head = text.slice(0, RAW_TEXT_MAX_CHARACTERS);
  return head.length < text.length && /[\ud800-\udbff]$/.test(head) ? head.slice(0, -1) : head;
}

/** JSON by its content type. With none or text/plain the parser decides. */
export function allowsJson(contentType: string | string[] | undefined): boolean {
  if (contentType === undefined || Array.isArray(contentType)) return true;
  if (contentType === 'application/json') return true;
  const [essence = ''] = contentType.split(';', 1);
  return /^(?:application\/json|text\/json|text\/plain|[^/]+\/[^/]+\+json|)$/i.test(essence.trim());
}

/**
 * The body in UTF-8. Where the header names another character set it is decoded as that, unless the
 * bytes are valid UTF-8: some servers add a name to every header. An unknown name counts as none.
 */
export async function inUtf8(body: Buffer, contentType: string | undefined): Promise<Buffer> {
  const label = /charset\s{0,9}=\s{0,9}["']?([^\s"';,]{1,60})/i.exec(contentType ?? '')?.[1];
  if (label === undefined || /^utf-?8$/i.test(label) || isUtf8(body)) return body;
  // Node's own decoders differ from the Encoding standard; nearly no answer needs one
  const { labelToName, TextDecoder } = await import('@exodus/bytes/encoding.js');
  const name = labelToName(label);
  if (name === null || name === 'replacement') return body;
  return Buffer.from(new TextDecoder(name).decode(body));
}
