import type { getDocumentProxy } from 'unpdf';
import type { PdfItem } from './pdf-text.ts';
import type { UnpackingLimit } from './pdf-unpacking.ts';

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;
type PdfPage = Awaited<ReturnType<PdfDocument['getPage']>>;
type TextItem = Awaited<ReturnType<PdfPage['getTextContent']>>['items'][number];

export interface PdfPages {
  /** The text runs of each page. */
  readonly items: readonly (readonly PdfItem[])[];
  /**
   * Targets of all links, in order; empty if they are not wanted, or if those of one page cannot be
   * read.
   */
  readonly links: readonly string[];
}

/**
 * What the document keeps of its pages, such as fonts, is dropped after a page that unpacked to so
 * much.
 */
const DROPPED_FROM_BYTES = 16 * 1024 * 1024;

/**
 * Reads one page after the other: a page may unpack to 100 MB, and all of them at once to a hundred
 * times that.
 */
export async function readPages(
  document: PdfDocument,
  unpacking: UnpackingLimit,
  wantsLinks: boolean,
): Promise<PdfPages> {
  const items: PdfItem[][] = [];
  const links: string[] = [];
  let readsLinks = wantsLinks;
  // what it took to open the document is not of the first page
  unpacking.startPart();
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    const content = await page.getTextContent();
    items.push(content.items.flatMap(itemOf));
    if (readsLinks) {
      const targets = await linksOf(page).catch(() => undefined);
      readsLinks = targets !== undefined;
      for (const target of targets ?? []) links.push(target);
    }
    page.cleanup();
    if (unpacking.startPart() >= DROPPED_FROM_BYTES) await document.cleanup();
  }
  return { items, links: readsLinks ? links : [] };
}

/** Nothing for a mark, which has no text. */
function itemOf(item: TextItem): readonly PdfItem[] {
  if (!('str' in item)) return [];
  const [, , c = 0, d = 0, x = 0, y = 0]: readonly number[] = item.transform;
  const { str, width, height, hasEOL } = item;
  return [{ str, x, y, width, height, fontSize: Math.hypot(c, d), hasEOL }];
}

async function linksOf(page: PdfPage): Promise<readonly string[]> {
  const annotations: readonly { readonly subtype?: unknown; readonly url?: unknown }[] =
    await page.getAnnotations();
  return annotations.flatMap(({ subtype, url }) =>
    subtype === 'Link' && typeof url === 'string' && url !== '' ? [url] : [],
  );
}
