export { extractPage } from './documents/extract-page.ts';
export { checkForeignText, uncheckedText } from './findings/check-text.ts';
export { findPassages, type PassageQuery } from './focus/find-passages.ts';
export {
  type PieceQuery,
  type ScoredPiece,
  scoredPieces,
  type TitledText,
} from './focus/pieces.ts';
export { LARGE_BYTES } from './input/page-limits.ts';
export type { Download, ExtractionOptions, Refreshes, ScriptMove } from './input/types.ts';
export { qualityOfText } from './quality/quality.ts';
export {
  findQuotes,
  type QuotedText,
  type QuoteMatch,
  type WantedQuote,
} from './quotes/find-quotes.ts';
