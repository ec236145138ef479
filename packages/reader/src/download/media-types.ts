const BINARY_FAMILIES = /^(audio|font|image|model|video)\//;

/** Archives and programs; no text is read from these. Documents are known by their bytes. */
const BINARY_APPLICATIONS = new RegExp(
  `^application/(${[
    '(x-)?(bzip2?|gzip|gtar|tar|xz|zstd|7z-compressed|compress(ed)?|lzip|lzma)',
    '(vnd\\.|x-)?rar(-compressed)?',
    'java-archive',
    'vnd\\.(android|debian).*',
    'wasm',
    'x-(apple-diskimage|debian-package|dosexec|executable|iso9660-image|mach-binary|msdownload|msi|rpm|sharedlib)',
    'x-(redhat-package-manager|shockwave-flash|sqlite3)',
    'vnd\\.sqlite3',
  ].join('|')})$`,
);

/**
 * Whether a Content-Type announces something that cannot be read as text. A missing or vague one
 * announces nothing.
 */
export function isBinaryType(contentType: string | null): boolean {
  const essence = essenceOf(contentType ?? '');
  return BINARY_FAMILIES.test(essence) || BINARY_APPLICATIONS.test(essence);
}

/**
 * The type of an answer that names several: the last one, with the charset of an earlier header of
 * the same type. https://fetch.spec.whatwg.org/#concept-header-extract-mime-type
 */
export function mediaTypeOf(headers: readonly string[]): string | null {
  const named = headers.filter((header) => essenceOf(header).includes('/'));
  const [first = headers[0] ?? null, ...others] = named;
  return others.reduce(
    (kept, next) =>
      kept !== null && essenceOf(kept) === essenceOf(next) && !/charset/i.test(next) ? kept : next,
    first,
  );
}

const essenceOf = (contentType: string): string =>
  contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
