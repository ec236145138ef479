import { type ParsedPage, pageRead, verdict } from '@trawl/providers/fetch-declaration';
import type { PageElement } from '../dom/dom.ts';
import { unwrap } from '../dom/tree.ts';
import { LARGE_BYTES, limitOf } from '../input/page-limits.ts';
import type { DocumentReading, Download, ExtractionOptions } from '../input/types.ts';
import { writeContent } from '../markdown/blocks.ts';
import { createWriting, type Writing } from '../markdown/writing.ts';
import { isBookLocked, readBook } from '../office/book.ts';
import { checkMarkup } from '../office/check-markup.ts';
import { propertiesIn, relationsOf, targetsOf, textOf, treeOf } from '../office/parts.ts';
import { readSlides } from '../office/slides.ts';
import { type ArchiveParts, unpack, unpackedBytes } from '../office/unpack.ts';
import { readWord } from '../office/word.ts';
import { readWorkbook } from '../office/workbook.ts';
import { needsPassword, OPEN_IT, refused } from './refused-types.ts';
import { documentFacts } from './text-document.ts';

/** A document as HTML or as finished text, and what it says about itself. */
interface ArchiveReading {
  readonly content: PageElement | string;
  readonly facts: Partial<ParsedPage>;
}

/**
 * Reads a document that is a ZIP archive: of Word, Excel or PowerPoint, or a book. Its parts say
 * which it is. Any other archive gets a verdict that names it.
 * A large one gets that too.
 */
export async function readArchive(
  download: Download,
  options: ExtractionOptions,
): Promise<DocumentReading> {
  const { body, status } = download;
  try {
    const parts = await unpack(body);
    const reading = await readParts(parts, download, options);
    return unpackedBytes(parts) > LARGE_BYTES ? { ...reading, isThreadSpent: true } : reading;
  } catch (error) {
    const limit = limitOf(error);
    if (limit !== undefined)
      return verdict('too_large', limit, status, { meaning: `${TOO_LARGE} ${limit}: ${OPEN_IT}.` });
    // the fault may be ours, or that of a library
    const isFault = error instanceof TypeError || error instanceof RangeError;
    const meaning = isFault ? FAULT : BROKEN;
    return verdict('unsupported_type', 'unreadable_archive', status, { meaning });
  }
}

const TYPES = 'an archive or a document of such a type (docx, xlsx, pptx, epub)';
const TOO_LARGE = `The file is ${TYPES}, which this reader does not open, since it has`;
const BROKEN = `The file is ${TYPES} that is broken: download it and try a program that repairs such files.`;
const FAULT = `The file is ${TYPES} that this reader fails at, though it may be whole: ${OPEN_IT}, or ask the site for it as HTML or PDF.`;

async function readParts(
  parts: ArchiveParts,
  download: Download,
  options: ExtractionOptions,
): Promise<DocumentReading> {
  const { status } = download;
  const isDocument = parts.names.has(OFFICE_TYPES) || parts.names.has(CONTAINER);
  if (isDocument && (parts.isLocked || isBookLocked(parts))) return needsPassword(status);
  const writing = createWriting(options.contentFormat, download.url);
  const read = await documentIn(parts, writing);
  if (typeof read === 'string')
    return OPENED_ONLY.has(read) ? refused(read, status, OPEN_IT) : refused(read, status);
  const content = typeof read.content === 'string' ? read.content : written(read.content, writing);
  if (content === '') {
    const [{ message = undefined } = {}] = read.facts.remarks ?? [];
    const meaning = message && `The document has no text of its own (${message}).`;
    return verdict('empty_page', 'document_without_text', status, meaning ? { meaning } : {});
  }
  return pageRead({ ...documentFacts(download, options, null), ...read.facts, content });
}

/** The document that the parts form; a text = what they are instead. */
async function documentIn(all: ArchiveParts, writing: Writing): Promise<ArchiveReading | string> {
  const relations = relationsOf(all, '');
  const [main] = targetsOf(relations, 'officeDocument');
  if (main === undefined) {
    if (!all.bytes.has(CONTAINER)) return otherArchive(all);
    const { body, facts } = readBook(all);
    return { content: body, facts };
  }
  const parts = checkMarkup(all);
  const [properties = ''] = targetsOf(relations, 'core-properties');
  const facts = propertiesIn(treeOf(parts, properties));
  switch (treeOf(parts, main).children[0]?.localName) {
    case 'document': {
      const { content, remarks } = await readWord(parts);
      return { content, facts: { ...facts, remarks } };
    }
    case 'workbook':
      return { content: await readWorkbook(parts, main, writing), facts };
    case 'presentation':
      return { content: readSlides(parts, main), facts };
    default:
      return main.endsWith('.bin') ? 'a binary Excel workbook (xlsb)' : OTHER_OFFICE;
  }
}

const CONTAINER = 'META-INF/container.xml';
const OFFICE_TYPES = '[Content_Types].xml';

const ARCHIVE = 'a ZIP archive';
const OTHER_OFFICE = 'an Office document of another kind';
const PACKAGE = 'a package of another program, in the container of Office documents';
/** No program makes a document of them. */
const OPENED_ONLY: ReadonlySet<string> = new Set([ARCHIVE, PACKAGE]);
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument.';
const OPEN_DOCUMENTS: Readonly<Record<string, string>> = {
  text: 'an OpenDocument text (odt)',
  spreadsheet: 'an OpenDocument spreadsheet (ods)',
  presentation: 'an OpenDocument presentation (odp)',
};

function otherArchive(parts: ArchiveParts): string {
  const type = textOf(parts, 'mimetype').trim();
  if (type.startsWith(OPEN_DOCUMENT)) {
    const kind = type.slice(OPEN_DOCUMENT.length);
    const known = Object.hasOwn(OPEN_DOCUMENTS, kind) ? OPEN_DOCUMENTS[kind] : undefined;
    return known ?? 'an OpenDocument file';
  }
  if (parts.names.has('Index/Document.iwa')) return 'a document of Pages, Numbers or Keynote';
  return parts.names.has(OFFICE_TYPES) ? PACKAGE : ARCHIVE;
}

/** Links and pictures inside of a document lead nowhere from outside. */
function written(content: PageElement, writing: Writing): string {
  for (const link of content.querySelectorAll('a'))
    if (!OUTWARD.test(link.getAttribute('href') ?? '')) unwrap(link);
  return writeContent(content, writing);
}

const OUTWARD = /^\s*(?:https?|mailto|tel):/i;
