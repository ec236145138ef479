export { extractPage } from './documents/extract-page.ts';
export type { Download, ExtractionOptions, Refreshes } from './input/types.ts';
export { qualityOfText } from './quality/quality.ts';
