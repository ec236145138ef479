export { cutText } from '../cut.ts';
export {
  ARGUMENTS,
  fetchDescription,
  QUERY_OR_QUERIES,
  searchDescription,
} from '../tools/descriptions.ts';
export { fence, oneLine, RESULTS_NOTICE, SHOWN_WARNINGS, warningLines } from './fence.ts';
export { type FetchTextOptions, fetchAsText, fetchText, readFrom, restOf } from './fetch.ts';
export { type Cut, type Fitted, fitted, shortened } from './fit.ts';
export {
  type Found,
  idsOf,
  type SearchTextOptions,
  searchAsText,
  searchText,
  trimmed,
} from './search.ts';
