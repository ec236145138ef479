import { TrawlError } from '../values/errors.ts';

/**
 * The text of a settings file: UTF-8, without its byte order mark.
 * @param path for error messages
 * @throws TrawlError `usage` for UTF-16, as some programs of Windows write it, and for anything
 * else
 */
export function textOfFile(bytes: Uint8Array, path: string): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw notText(path, 'UTF-16 text');
  }
  const text = decoded(bytes);
  // UTF-16 without a byte order mark has NUL characters
  if (text === undefined || text.includes('\0')) throw notText(path, 'not UTF-8 text');
  return text;
}

/** undefined when the bytes are not UTF-8. */
function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const notText = (path: string, what: string): TrawlError =>
  new TrawlError('usage', `${path}: it is ${what}: save it as UTF-8`);
