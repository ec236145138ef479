import { type ParsedPage, pageRead, verdict } from '@trawl/providers/fetch-declaration';
import { lineOf } from '../dom/dom.ts';
import type { FindingList } from '../findings/findings.ts';
import { beyondLimit, counted, limitOf, PAGE_LIMITS } from '../input/page-limits.ts';
import type { DocumentReading, Download, ExtractionOptions } from '../input/types.ts';
import { addPdfFindings } from './pdf-hidden.ts';
import { type PdfContent, type PdfDocument, readPages } from './pdf-pages.ts';
import { writePdf } from './pdf-text.ts';
import { limitUnpacking, type UnpackingLimit } from './pdf-unpacking.ts';
import { needsPassword, OPEN_IT } from './refused-types.ts';
import { documentFacts } from './text-document.ts';

/**
 * Reads the text of a PDF. A PDF that is broken or needs a password gets the verdict that it
 * cannot be read.
 * @param hidden gets what it hides; null = nothing is looked for
 * @throws the error of a page above a limit: too many pages, or a page or a part of it that unpacks
 * to too much
 */
export async function readPdf(
  download: Download,
  options: ExtractionOptions,
  hidden: FindingList | null,
): Promise<DocumentReading> {
  const unpacking = limitUnpacking(PAGE_LIMITS.pdfStreamMebibytes, PAGE_LIMITS.pdfPageMebibytes);
  try {
    const { document, pages, read } = await Promise.race([
      readDocument(download, options, unpacking),
      unpacking.exceeded,
    ]);
    if (read === null) {
      return verdict('empty_page', 'pdf_without_text', download.status, { meaning: SCANNED });
    }
    const page = pageRead({
      ...documentFacts(download, options, null),
      ...read,
      pdf_mode: 'parsed',
    });
    if (!hidden) return page;
    // nothing is refused because of what is looked for: above the limit the page stays
    const looking = addPdfFindings(document, pages, { findings: hidden, unpacking });
    await Promise.race([looking, unpacking.exceeded]).catch(() => undefined);
    return unpacking.isExceeded() ? { ...page, isThreadSpent: true } : page;
  } catch (error) {
    if (limitOf(error) !== undefined) throw error;
    const isLocked = error instanceof Error && error.name === 'PasswordException';
    if (isLocked) return needsPassword(download.status);
    return verdict('unsupported_type', 'unreadable_pdf', download.status, { meaning: BROKEN });
  } finally {
    // above the limit the library goes on unpacking until its thread ends, so the limit must stay
    // in place
    if (!unpacking.isExceeded()) unpacking.release();
  }
}

/** In pixels: the library decodes no larger image. No text is in any. */
const NO_IMAGES = 0;

const BROKEN = `The file is a PDF that is broken, or of a form that this reader cannot read: ${OPEN_IT}, or ask the site for another copy.`;
const SCANNED = 'Its pages are pictures or empty: it needs OCR, which this reader does not have.';

interface ReadPdf {
  readonly document: PdfDocument;
  readonly pages: readonly PdfContent[];
  /** null = it does not contain text. */
  readonly read: Partial<ParsedPage> | null;
}

async function readDocument(
  download: Download,
  options: ExtractionOptions,
  unpacking: UnpackingLimit,
): Promise<ReadPdf> {
  const { getDocumentProxy, getMeta } = await import('unpdf');
  const document = await getDocumentProxy(download.body, { verbosity: 0, maxImageSize: NO_IMAGES });
  if (document.numPages > PAGE_LIMITS.pdfPages) {
    throw beyondLimit(`more than ${counted(PAGE_LIMITS.pdfPages)} pages`);
  }
  const { pages, links } = await readPages(document, unpacking);
  const info = (await getMeta(document).catch(() => undefined))?.info ?? {};
  const content = writePdf(pages, options.contentFormat);
  if (content === '') return { document, pages, read: null };
  const read = {
    content,
    title: textOf(info.Title),
    author: textOf(info.Author),
    description: textOf(info.Subject),
    language: textOf(info.Language) ?? download.contentLanguage,
    page_count: document.numPages,
    remarks: remarksOn(pages),
    links: [...new Set(links.filter((link) => /^https?:\/\//i.test(link)))],
  };
  return { document, pages, read };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? lineOf(value) || null : null;
}

/** Some pages of a document may be scanned. */
function remarksOn(pages: readonly PdfContent[]): ParsedPage['remarks'] {
  const empty = pages.flatMap(({ items, fields }, at) =>
    fields.length === 0 && items.every(({ str }) => str.trim() === '') ? [at + 1] : [],
  );
  if (empty.length === 0) return [];
  const [first] = empty;
  const named =
    empty.length === 1 ? `page ${first}` : `${empty.length} pages, from page ${first} on,`;
  const message = `content: ${named} without text; pages that are pictures need OCR`;
  return [{ code: 'upstream_warning', message }];
}
