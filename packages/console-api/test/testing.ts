/** What tests of other packages need of this one, and nothing else does. */
export type { Passwords } from '../src/accounts/library-options.ts';
export type { ConsoleOptions } from '../src/branch/console.ts';
