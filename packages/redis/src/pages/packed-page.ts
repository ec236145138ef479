import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { isJsonObject, writeJson } from '@trawl/contract';
import { type CachedPage, readCachedPage } from '@trawl/router';
import { parseContent } from '@trawl/upstream';

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** As in a process: a page of more text is not kept. */
const TEXT_MAX_CHARACTERS = 8 * 1024 * 1024;
/** In UTF-8 a character of ours takes up to three bytes. */
const UNPACKED_MAX_BYTES = 3 * TEXT_MAX_CHARACTERS;
/** A larger value would keep the connection busy for other commands. */
export const PACKED_MAX_BYTES = 1024 * 1024;
/** Quick: pages are text, and shrink to about a third at any level. */
const LEVEL = 1;

/**
 * A page as bytes; undefined = it is too large to keep. The key goes into it, so a page is never
 * taken for that of another key.
 */
export async function packPage(key: string, page: CachedPage): Promise<Buffer | undefined> {
  const text = writeJson({ key, page });
  if (text.length > TEXT_MAX_CHARACTERS) return undefined;
  const packed = await pack(text, { level: LEVEL });
  return packed.length > PACKED_MAX_BYTES ? undefined : packed;
}

/**
 * The page; undefined = these bytes are not a page of this key. What is in Redis may be anything.
 */
export async function unpackPage(key: string, packed: unknown): Promise<CachedPage | undefined> {
  if (!Buffer.isBuffer(packed) || packed.length > PACKED_MAX_BYTES) return undefined;
  const bytes = await unpack(packed, { maxOutputLength: UNPACKED_MAX_BYTES }).catch(
    () => undefined,
  );
  const content = bytes && parseContent(bytes.toString('utf8'));
  if (!content?.isJson) return undefined;
  const { json } = content;
  const isOfKey = isJsonObject(json) && json.key === key;
  return isOfKey ? readCachedPage(json.page) : undefined;
}
