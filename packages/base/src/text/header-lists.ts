/**
 * What an `Accept` header names, in lower case, without its parameters. false = its weight is zero,
 * which means "not this": https://www.rfc-editor.org/rfc/rfc9110#section-12.4.2
 */
export function acceptedNames(header: string): ReadonlyMap<string, boolean> {
  return new Map(
    header.split(',').map((part) => {
      const [name = '', ...parameters] = part
        .toLowerCase()
        .split(';')
        .map((piece) => piece.trim());
      return [name, !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))] as const;
    }),
  );
}

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
