import { verdict } from '@trawl/providers/fetch-declaration';
import { limitOf } from '../input/page-limits.ts';
import type { DocumentReading, Download, ExtractionOptions, ReadDocument } from '../input/types.ts';
import { sniffKind } from './sniff-type.ts';

/**
 * Reads a download as a page. A page above a limit of `PAGE_LIMITS` gets the verdict `too_large`.
 */
export async function extractPage(
  download: Download,
  options: ExtractionOptions,
): Promise<ReadDocument> {
  try {
    return await readPage(download, options);
  } catch (error) {
    const limit = limitOf(error);
    if (limit === undefined) throw error;
    return verdict('too_large', limit, download.status);
  }
}

/** The code for each kind of document is loaded with the first one of its kind. */
async function readPage(download: Download, options: ExtractionOptions): Promise<ReadDocument> {
  const kind = sniffKind(download.body, download.contentType, download.url);
  switch (kind) {
    case 'empty':
      return verdict('empty_page', 'empty_body', download.status);
    case 'unsupported':
      return verdict('unsupported_type', 'unsupported_type', download.status);
    case 'html':
      return (await import('./html-page.ts')).readHtmlPage(download, options);
    case 'pdf':
      return unjudged(await (await import('./pdf.ts')).readPdf(download, options));
    case 'xml':
    case 'json':
      return unjudged((await import('./feed-page.ts')).readStructuredPage(download, options, kind));
    case 'markdown':
      return unjudged((await import('./markdown-document.ts')).readMarkdown(download, options));
    default:
      return unjudged((await import('./text-document.ts')).readText(download, options));
  }
}

/** Qualities are predicted for web pages only, and only these lead elsewhere. */
const unjudged = (reading: DocumentReading): ReadDocument =>
  reading.kind === 'page'
    ? { ...reading, quality: null, refresh: null, refreshWithoutScripts: null }
    : reading;
