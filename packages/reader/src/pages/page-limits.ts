/** Bounds of what one page may cost its reader. Each is named in the row error of a page that is beyond it. */
export const PAGE_LIMITS = {
  /** Of one document; a document has at most as many texts again. Very long pages have some hundred thousand. */
  elements: 500_000,
  /** Elements inside one another, as written; the parser's cost grows with the square. */
  depth: 25_000,
  pdfPages: 5_000,
  /** Of one stream of a PDF, unpacked. */
  pdfStreamMebibytes: 64,
  /** Heap of the thread that reads it. */
  memoryMb: 512,
} as const;

/** The error of a page that is beyond a limit. */
class PageLimitError extends Error {}

/** @param limit what the page has too much of, as a row error says it: `more than 5,000 pages` */
export const beyondLimit = (limit: string): Error => new PageLimitError(limit);

/** What a page has too much of, where that is why reading it ended. */
export const limitOf = (error: unknown): string | undefined =>
  error instanceof PageLimitError ? error.message : undefined;

/** `1,000,000`: numbers as messages write them. */
export const counted = (value: number): string => value.toLocaleString('en-US');
