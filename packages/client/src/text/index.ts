export { nothingSucceeded } from '../contract/answers.ts';
export { cutText } from './cut.ts';
export {
  ARGUMENTS,
  fetchDescription,
  QUERY_OR_QUERIES,
  searchDescription,
} from './descriptions.ts';
export { fence, oneLine, RESULTS_NOTICE } from './fence.ts';
export { type FetchTextOptions, fetchAsText } from './fetch.ts';
export { type Cut, fitted, shortened } from './fit.ts';
export { grouped } from './grouped.ts';
export { type Found, type SearchTextOptions, searchAsText } from './search.ts';
