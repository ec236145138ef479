import { verdict } from '@trawl/providers/fetch-declaration';
import { checkDocumentText } from '../findings/check-text.ts';
import { createFindingList, type FindingList } from '../findings/findings.ts';
import { limitOf } from '../input/page-limits.ts';
import type { DocumentReading, Download, ExtractionOptions, ReadDocument } from '../input/types.ts';
import { refusedFile } from './refused-types.ts';
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
      return refusedFile(download);
    case 'html':
      return (await import('./html-page.ts')).readHtmlPage(download, options);
    default:
      return readOther(kind, download, options);
  }
}

/** Qualities are predicted for web pages only, and only these lead elsewhere. */
async function readOther(
  kind: OtherKind,
  download: Download,
  options: ExtractionOptions,
): Promise<ReadDocument> {
  const hidden = options.wantsFindings === false ? null : createFindingList();
  const reading = await documentOf(kind, download, options, hidden);
  if (reading.kind !== 'page') return reading;
  const given = reading.page.content ?? '';
  const { text, findings } = checkDocumentText(given, hidden);
  const page = text === given ? reading.page : { ...reading.page, content: text };
  const unjudged = { quality: null, move: null, refresh: null, refreshWithoutScripts: null };
  const { isThreadSpent = false } = reading;
  return { kind: 'page', page, given, findings, ...unjudged, isThreadSpent };
}

type OtherKind = Exclude<ReturnType<typeof sniffKind>, 'empty' | 'unsupported' | 'html'>;

/** @param hidden gets what the document hides; null = nothing is looked for */
async function documentOf(
  kind: OtherKind,
  download: Download,
  options: ExtractionOptions,
  hidden: FindingList | null,
): Promise<DocumentReading> {
  switch (kind) {
    case 'pdf':
      return (await import('./pdf.ts')).readPdf(download, options, hidden);
    case 'archive':
      return (await import('./archive-document.ts')).readArchive(download, options);
    case 'xml':
    case 'json':
      return (await import('./feed-page.ts')).readStructuredPage(download, options, kind, hidden);
    case 'markdown':
      return (await import('./markdown-document.ts')).readMarkdown(download, options);
    default:
      return (await import('./text-document.ts')).readText(download, options);
  }
}
