import { type PageReading, verdict } from '@trawl/providers/fetch-declaration';
import { limitOf } from '../pages/page-limits.ts';
import type { Download, ExtractionWish } from '../pages/types.ts';
import { sniffKind } from './sniff-type.ts';

/** What came, as a page. One that is beyond a limit of `PAGE_LIMITS` is too large. */
export async function extractPage(download: Download, wish: ExtractionWish): Promise<PageReading> {
  try {
    return await readPage(download, wish);
  } catch (error) {
    const limit = limitOf(error);
    if (limit === undefined) throw error;
    return verdict('too_large', limit, download.status);
  }
}

/** What reads one kind of document is loaded with the first of its kind. */
async function readPage(download: Download, wish: ExtractionWish): Promise<PageReading> {
  const kind = sniffKind(download.body, download.contentType, download.url);
  switch (kind) {
    case 'empty':
      return verdict('empty_page', 'empty_body', download.status);
    case 'unsupported':
      return verdict('unsupported_type', 'unsupported_type', download.status);
    case 'html':
      return (await import('./html-page.ts')).readHtmlPage(download, wish);
    case 'pdf':
      return (await import('./pdf.ts')).readPdf(download, wish);
    case 'xml':
    case 'json':
      return (await import('./feed-page.ts')).readStructuredPage(download, wish, kind);
    default:
      return (await import('./text-document.ts')).readText(download, wish, kind);
  }
}
