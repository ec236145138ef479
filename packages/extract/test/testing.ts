/** What tests of other packages need of this one, and nothing else does. */
export { decodeText } from '../src/charset/charset.ts';
export { guessCharset } from '../src/charset/charset-guess.ts';
export type { PdfItem } from '../src/documents/pdf-lines.ts';
export type { PdfContent } from '../src/documents/pdf-pages.ts';
export { writePdf } from '../src/documents/pdf-text.ts';
export { read, readPage } from './support/read.ts';
