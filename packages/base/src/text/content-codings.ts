/**
 * Registered ones, and some that are in use without it.
 * https://www.iana.org/assignments/http-parameters/http-parameters.xhtml#content-coding
 */
const CODINGS: ReadonlySet<string> = new Set([
  ...['aes128gcm', 'br', 'compress', 'dcb', 'dcz', 'deflate', 'exi', 'gzip', 'pack200-gzip'],
  ...['x-compress', 'x-gzip', 'zstd', 'bzip2', 'lzma', 'sdch', 'x-bzip2', 'xz'],
]);

/**
 * The codings that a Content-Encoding header names, in lower case, in the order in which they were
 * applied. What servers write there by mistake, such as `utf-8` or `none`, says nothing about the
 * body, as in browsers.
 */
export const contentCodings = (header: string): readonly string[] =>
  header
    .toLowerCase()
    .split(',')
    .map((word) => word.trim())
    .filter((word) => CODINGS.has(word));
