export { type PageRule, readPageRules } from './diagnosis/page-rules.ts';
export { isForbiddenLiteral } from './download/address-guard.ts';
export {
  type AllowedHosts,
  isAllowedHost,
  parseAllowedHosts,
  portOf,
} from './download/allowed-hosts.ts';
export {
  createDocumentReader,
  type DocumentReader,
  type ReadDocument,
} from './download/read-document.ts';
export type {
  PageCheck,
  PageOrVerdict,
  PageReader,
  PassageFinder,
  PassageQuery,
  PieceFinder,
  QuotedText,
  QuoteFinder,
  QuoteMatch,
  ReaderLimits,
  ScoredPiece,
  TitledText,
  WantedQuote,
} from './pages/page-reading.ts';
export { directBrowserProblem, OWN_READER, openDirectReader } from './reading/open-reader.ts';
export { createPageCheck } from './reading/page-check.ts';
