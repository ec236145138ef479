/** What tests of other packages need of this one, and nothing else does. */
export type { LeaseTimes } from '../src/app/recording.ts';
export { digestOf } from '../src/auth/api-keys.ts';
export { secretNames } from '../src/config/names.ts';
export { SETTINGS } from '../src/config/settings.ts';
export type { WatchTimes } from '../src/watches/runner.ts';
