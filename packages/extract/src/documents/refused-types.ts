import { type PageReading, verdict } from '@trawl/providers/fetch-declaration';
import type { Download } from '../input/types.ts';
import { essenceOf, refusedText } from './sniff-type.ts';

type Verdict = Extract<PageReading, { kind: 'verdict' }>;

/** Other files, by their first bytes; `....` = a length. */
const BINARY: readonly (readonly [string, readonly string[]])[] = [
  ['a picture', ['\x89PNG', 'GIF8', '\xff\xd8\xff', 'RIFF....WEBP', 'II*\0', 'MM\0*']],
  ['a video', ['....ftyp', '\x1a\x45\xdf\xa3', 'RIFF....AVI ', 'FLV']],
  ['a sound', ['ID3', '\xff\xfb', '\xff\xf3', 'OggS', 'fLaC', 'RIFF....WAVE']],
  ['an archive', ['PK', '\x1f\x8b', '7z\xbc\xaf', 'Rar!', 'BZh', '\xfd7zXZ', '\x28\xb5\x2f\xfd']],
  ['a program', ['MZ', '\x7fELF', '\xcf\xfa\xed\xfe', '\xca\xfe\xba\xbe', '\0asm']],
  ['a database', ['SQLite format 3']],
  ['a font', ['wOFF', 'wOF2', 'OTTO', '\0\x01\0\0\0']],
  ['a PostScript document', ['\xc5\xd0\xd3\xc6']],
];
/** In bytes; the head of a web archive is longer than the marks. */
const BEGINNING = 2048;
const LENGTH = '....';

/** The container of Office programs before 2007, and of documents that need a password. */
const COMPOUND = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1';
/** By the names of streams in it. */
const STREAMS: readonly (readonly [string, string])[] = [
  ['WordDocument', 'an old Word document (doc)'],
  ['Workbook', 'an old Excel workbook (xls)'],
  ['Book', 'an old Excel workbook (xls)'],
  ['PowerPoint Document', 'an old presentation (ppt)'],
  ['__properties_version1.0', 'a message of Outlook (msg)'],
];

/** The verdict on a file that cannot be read. It says which type the bytes show. */
export function refusedFile({ body, contentType, status }: Download): Verdict {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const start = bytes.toString('latin1', 0, BEGINNING);
  if (start.startsWith(COMPOUND)) return refusedCompound(bytes, status);
  const document = refusedText(start, contentType);
  if (document !== undefined) return refused(document, status);
  const [file] = BINARY.find(([, marks]) => marks.some((mark) => begins(start, mark))) ?? [];
  return refused(file ?? `data of no known kind${namedBySite(contentType)}`, status, OPEN_IT);
}

function begins(start: string, mark: string): boolean {
  const [before = '', after = ''] = mark.split(LENGTH);
  return start.startsWith(before) && start.startsWith(after, mark.length - after.length);
}

const namedBySite = (contentType: string | null): string => {
  const essence = essenceOf(contentType);
  return essence === null ? '' : `, which the site calls ${essence}`;
};

function refusedCompound(bytes: Buffer, status: number): Verdict {
  // with the zeros after a name, which no text has
  const hasStream = (name: string): boolean =>
    bytes.includes(Buffer.from(name.padEnd(NAME_CHARACTERS, '\0'), 'utf16le'));
  if (hasStream('EncryptedPackage')) return needsPassword(status);
  const [, type] = STREAMS.find(([name]) => hasStream(name)) ?? [];
  return type === undefined
    ? refused('a file of an old Office program or of Windows', status, OPEN_IT)
    : refused(type, status);
}

/** Of each name in the list of streams ([MS-CFB] 2.6.1). */
const NAME_CHARACTERS = 32;

const CONVERT_IT =
  'ask the site for it as HTML, PDF, docx, xlsx, pptx or epub, or download and convert it';
export const OPEN_IT = 'download it and open it with a program for its type';

/**
 * @param type what the file is, with its article
 * @param wayOut what its reader can do
 */
export const refused = (type: string, status: number, wayOut = CONVERT_IT): Verdict =>
  verdict('unsupported_type', 'unsupported_type', status, {
    meaning: `The file is ${type}, which this reader cannot read: ${wayOut}.`,
  });

export const needsPassword = (status: number): Verdict =>
  verdict('unsupported_type', 'password_needed', status, {
    meaning:
      'The document needs a password, and this reader has none: ask its owner for a copy without one.',
  });
