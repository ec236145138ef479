/** Limits of what reading one page may cost. The row error of a page above a limit names it. */
export const PAGE_LIMITS = {
  /**
   * In one document, which has at most as many text nodes. Very long pages have several hundred
   * thousand.
   */
  elements: 500_000,
  /** Nesting depth in the source; the parser's cost grows with its square. */
  depth: 25_000,
  pdfPages: 5_000,
  /** Unpacked size of one stream of a PDF. */
  pdfStreamMebibytes: 64,
  /**
   * Memory that the streams of one page of a PDF take together while they are unpacked: about twice
   * their size.
   */
  pdfPageMebibytes: 256,
  /** Files in a document that is an archive (docx, xlsx, pptx, epub). */
  archiveEntries: 10_000,
  /** Unpacked size of the text in such an archive. Pictures and other archives are not unpacked. */
  archiveMebibytes: 64,
  /** How many times its packed size a part of an archive may have. */
  archiveRatio: 200,
  /** Nesting depth of the XML in an Office document, which libraries read by recursion. */
  archiveDepth: 500,
  /** In the sheets of a workbook together, empty ones between others included. */
  sheetCells: 2_000_000,
  /** Heap of the thread that reads the page. */
  memoryMb: 512,
} as const;

/**
 * A document that takes more ends its thread: a tree takes ten to fifty times the bytes of a page,
 * and a thread does not return memory.
 */
export const LARGE_BYTES = 4 * 1024 * 1024;

/** The error of a page above a limit. */
class PageLimitError extends Error {}

/** @param limit what the page has too much of, as a row error says it: `more than 5,000 pages` */
export const beyondLimit = (limit: string): Error => new PageLimitError(limit);

/** What a page has too much of, if that is why reading it failed. */
export const limitOf = (error: unknown): string | undefined =>
  error instanceof PageLimitError ? error.message : undefined;

/** `1,000,000`: numbers as messages write them. */
export const counted = (value: number): string => value.toLocaleString('en-US');

/** @throws the error of a page above a limit */
export function checkLimits(elements: number, depth: number): void {
  if (elements > PAGE_LIMITS.elements)
    throw beyondLimit(`more than ${counted(PAGE_LIMITS.elements)} elements`);
  if (depth > PAGE_LIMITS.depth)
    throw beyondLimit(`elements nested deeper than ${counted(PAGE_LIMITS.depth)}`);
}
