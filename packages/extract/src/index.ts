export { extractPage } from './documents/extract-page.ts';
export { metaRefresh } from './facts/meta-refresh.ts';
export type { Download, ExtractionOptions } from './input/types.ts';
export { qualityOfText } from './quality/quality.ts';
