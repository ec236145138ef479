/** What tests of other packages need of this one, and nothing else does. */
export { type CallOutcome, createBreaker } from '../src/runner/breaker.ts';
