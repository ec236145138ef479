/** What tests of other packages need of this one, and nothing else does. */
export { openLeases } from '../src/leases/leases.ts';
