export { nothingSucceeded } from '../contract/answers.ts';
export { type Answered, answerAsText } from './answer.ts';
export { contextAsText, contextNotes } from './context.ts';
export { cutText } from './cut.ts';
export {
  ARGUMENTS,
  fetchDescription,
  QUERY_OR_QUERIES,
  searchDescription,
} from './descriptions.ts';
export { distinctTexts } from './distinct.ts';
export { fence, fenced, oneLine, RESULTS_NOTICE } from './fence.ts';
export { type FetchTextOptions, fetchAsText } from './fetch.ts';
export { findingLine } from './findings.ts';
export { type Cut, fitted, shortened } from './fit.ts';
export { grouped } from './grouped.ts';
export { SOURCE_END, SOURCES_NOTICE, sourceHead } from './prompt.ts';
export { type Found, type SearchTextOptions, searchAsText } from './search.ts';
