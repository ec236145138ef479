/** What tests of other packages need of this one, and nothing else does. */
export { SEARCH_RUN } from '../src/examples/search.ts';
