/** What tests of other packages need of this one, and nothing else does. */
export { takenFor } from '../src/text/json-text.ts';
