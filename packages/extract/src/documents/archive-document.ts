import { type ParsedPage, pageRead, verdict } from '@trawl/providers/fetch-declaration';
import type { PageElement } from '../dom/dom.ts';
import { unwrap } from '../dom/tree.ts';
import { limitOf } from '../input/page-limits.ts';
import type { DocumentReading, Download, ExtractionOptions } from '../input/types.ts';
import { writeContent } from '../markdown/blocks.ts';
import { createWriting, type Writing } from '../markdown/writing.ts';
import { isBookLocked, readBook } from '../office/book.ts';
import { checkMarkup } from '../office/check-markup.ts';
import { propertiesIn, relationsOf, targetsOf, textOf, treeOf } from '../office/parts.ts';
import { readSlides } from '../office/slides.ts';
import { type ArchiveParts, unpack } from '../office/unpack.ts';
import { readWord } from '../office/word.ts';
import { readWorkbook } from '../office/workbook.ts';
import { needsPassword, OPEN_IT, refused } from './refused-types.ts';
import { documentFacts } from './text-document.ts';

/** A document as HTML or as finished text, and what it says about itself. */
interface ReadDocument {
  readonly content: PageElement | string;
  readonly facts: Partial<ParsedPage>;
}

/**
 * Reads a document that is a ZIP archive: of Word, Excel or PowerPoint, or a book. Its parts say
 * which it is. Any other archive gets a verdict that names it.
 * @throws the error of a page above a limit
 */
export async function readArchive(
  download: Download,
  options: ExtractionOptions,
): Promise<DocumentReading> {
  const { body, status } = download;
  try {
    const parts = await unpack(body);
    if (parts.isLocked || isBookLocked(parts)) return needsPassword(status);
    const writing = createWriting(options.contentFormat, download.url);
    const read = await documentIn(parts, writing);
    if (typeof read === 'string')
      return read === ARCHIVE ? refused(read, status, OPEN_IT) : refused(read, status);
    const content =
      typeof read.content === 'string' ? read.content : written(read.content, writing);
    if (content === '') return verdict('empty_page', 'document_without_text', status);
    return pageRead({ ...documentFacts(download, options, null), ...read.facts, content });
  } catch (error) {
    if (limitOf(error) !== undefined) throw error;
    return verdict('unsupported_type', 'unreadable_archive', status, { meaning: BROKEN });
  }
}

const BROKEN =
  'The file is an archive or an Office document that is broken: download it and try a program that repairs such files.';

/** The document that the parts form; a text = what they are instead. */
async function documentIn(parts: ArchiveParts, writing: Writing): Promise<ReadDocument | string> {
  const relations = relationsOf(parts, '');
  const [main] = targetsOf(relations, 'officeDocument');
  if (main === undefined) {
    if (!parts.bytes.has(CONTAINER)) return otherArchive(parts);
    const { body, facts } = readBook(parts);
    return { content: body, facts };
  }
  checkMarkup(parts);
  const [properties = ''] = targetsOf(relations, 'core-properties');
  const facts = propertiesIn(treeOf(parts, properties));
  switch (treeOf(parts, main).children[0]?.localName) {
    case 'document':
      return { content: await readWord(parts), facts };
    case 'workbook':
      return { content: await readWorkbook(parts, writing), facts };
    case 'presentation':
      return { content: readSlides(parts, main), facts };
    default:
      return main.endsWith('.bin') ? 'a binary Excel workbook (xlsb)' : OTHER_OFFICE;
  }
}

const CONTAINER = 'META-INF/container.xml';

const ARCHIVE = 'a ZIP archive';
const OTHER_OFFICE = 'an Office document of another kind';
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument.';
const OPEN_DOCUMENTS: Readonly<Record<string, string>> = {
  text: 'an OpenDocument text (odt)',
  spreadsheet: 'an OpenDocument spreadsheet (ods)',
  presentation: 'an OpenDocument presentation (odp)',
};

function otherArchive(parts: ArchiveParts): string {
  const type = textOf(parts, 'mimetype').trim();
  if (type.startsWith(OPEN_DOCUMENT))
    return OPEN_DOCUMENTS[type.slice(OPEN_DOCUMENT.length)] ?? 'an OpenDocument file';
  if (parts.names.has('Index/Document.iwa')) return 'a document of Pages, Numbers or Keynote';
  return parts.names.has('[Content_Types].xml') ? OTHER_OFFICE : ARCHIVE;
}

/** Links and pictures inside of a document lead nowhere from outside. */
function written(content: PageElement, writing: Writing): string {
  for (const link of content.querySelectorAll('a'))
    if (!OUTWARD.test(link.getAttribute('href') ?? '')) unwrap(link);
  return writeContent(content, writing);
}

const OUTWARD = /^\s*(?:https?|mailto|tel):/i;
