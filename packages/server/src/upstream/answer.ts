import { isJsonObject, type JsonObject } from '@trawl/contract';

/** A body as JSON where it is some, else as text. */
export type Content =
  | { readonly isJson: true; readonly json: unknown }
  | { readonly isJson: false; readonly text: string };

/** Text that is no JSON is an error page more often than not: enough of it to recognize, no more to store. */
const RAW_TEXT_MAX_CHARACTERS = 64 * 1024;

export function parseContent(text: string): Content {
  try {
    return { isJson: true, json: JSON.parse(text) };
  } catch {
    // the parser's message quotes the body, so it goes no further
    return { isJson: false, text };
  }
}

/** What `raw_payload` shows of an answer. */
export function rawPayload(content: Content): JsonObject {
  if (content.isJson) return isJsonObject(content.json) ? content.json : { body: content.json };
  return { body: cut(content.text) };
}

/** Not in the middle of a surrogate pair. */
function cut(text: string): string {
  const head = text.slice(0, RAW_TEXT_MAX_CHARACTERS);
  return head.length < text.length && /[\ud800-\udbff]$/.test(head) ? head.slice(0, -1) : head;
}

/** JSON by its content type. Absent and text/plain are servers that say nothing: the parser decides. */
export function allowsJson(contentType: string | string[] | undefined): boolean {
  if (contentType === undefined || Array.isArray(contentType)) return true;
  const [essence = ''] = contentType.split(';', 1);
  return /^(?:application\/json|text\/json|text\/plain|[^/]+\/[^/]+\+json|)$/i.test(essence.trim());
}
