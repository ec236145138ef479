export { extractPage } from './documents/extract-page.ts';
export { findPassages, type PassageQuery } from './focus/find-passages.ts';
export type { Download, ExtractionOptions, Refreshes } from './input/types.ts';
export { qualityOfText } from './quality/quality.ts';
