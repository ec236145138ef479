export type { AccountStore } from './accounts/account-store.ts';
export type * from './accounts/records.ts';
export { checkStore, hasTables, type StoreCheck } from './opening/check-store.ts';
export { openFault } from './opening/open-fault.ts';
export { openStore } from './opening/open-store.ts';
export type { Store } from './opening/store.ts';
export type { ConsoleSessionReader } from './readers/console-sessions/reader.ts';
export { createInteractionStore } from './recording/interaction-store.ts';
