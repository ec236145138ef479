/** What tests of other packages need of this one, and nothing else does. */
export { decodeText } from '../src/charset/charset.ts';
export { guessCharset } from '../src/charset/charset-guess.ts';
export { writePdf } from '../src/documents/pdf-text.ts';
export { read, readPage } from './support/read.ts';
