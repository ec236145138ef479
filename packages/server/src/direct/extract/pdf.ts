import { type PageReading, pageRead, verdict } from '@trawl/providers/fetch-declaration';
import type { Download, ExtractionWish } from '../types.ts';
import { lineOf } from './dom.ts';
import { type PdfItem, writePdf } from './pdf-text.ts';
import { documentFacts } from './text-document.ts';

/** The text of a PDF. One that is broken, or locked by a password, cannot be read. */
export async function readPdf(download: Download, wish: ExtractionWish): Promise<PageReading> {
  const { extractLinks, extractTextItems, getDocumentProxy, getMeta } = await import('unpdf');
  try {
    const document = await getDocumentProxy(download.body, { verbosity: 0 });
    const { totalPages, items } = await extractTextItems(document);
    const info = (await getMeta(document).catch(() => undefined))?.info ?? {};
    const content = writePdf(items satisfies readonly (readonly PdfItem[])[], wish.contentFormat);
    if (content === '') return verdict('empty_page', 'pdf_without_text', download.status);
    const links = wish.fields.has('links')
      ? await extractLinks(document).catch(() => undefined)
      : undefined;
    return pageRead({
      ...documentFacts(download, wish, null),
      content,
      title: textOf(info.Title),
      author: textOf(info.Author),
      description: textOf(info.Subject),
      language: textOf(info.Language) ?? download.contentLanguage,
      page_count: totalPages,
      pdf_mode: 'parsed',
      links: [...new Set(links?.links.filter((link) => /^https?:\/\//i.test(link)) ?? [])],
    });
  } catch {
    return verdict('unsupported_type', 'unreadable_pdf', download.status);
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? lineOf(value) || null : null;
}
