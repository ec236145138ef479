export type { AccountStore } from './accounts/account-store.ts';
export type * from './accounts/records.ts';
export type { AlertEnd, AlertLog, LoggedAlert } from './alerts/alert-log.ts';
export type { HealthStore } from './health/health-store.ts';
export { readSealedKeys, type SealedKey } from './keys/provider-key-store.ts';
export type { LoginsOf } from './logins/end-login.ts';
export type * from './logins/login-records.ts';
export type { LoginStore } from './logins/login-store.ts';
export { hasTables } from './opening/has-tables.ts';
export { openFault } from './opening/open-fault.ts';
export { openStore } from './opening/open-store.ts';
export { lockForServer } from './opening/server-lock.ts';
export type { Changeable, Store } from './opening/store.ts';
export type { ProjectStore } from './projects/project-store.ts';
export type { KeyFacts, KeyHour, KeyUsageReader } from './readers/key-usage.ts';
export { runText } from './readers/read-runs.ts';
export type * from './readers/run-records.ts';
export type { ConsoleSessionReader } from './readers/sessions/reader.ts';
export { ledgerItem, recordItem } from './recorder/group-item.ts';
export { createGroupWriter } from './recorder/group-writer.ts';
export {
  INTERACTION_COLUMNS,
  LEDGER_COLUMNS,
  type RecordRows,
  type Value,
} from './recorder/rows.ts';
export { TRIAL_BYTES, writeTrial } from './recorder/trial-write.ts';
export { createInteractionStore } from './recording/interaction-store.ts';
export { createClockJump, createRetention } from './retention/retention.ts';
export type { FoundItem, WatchFound } from './watches/end-run.ts';
export type { StoredWatch, WatchError } from './watches/watch-rows.ts';
export type { RunNews, WatchClaim, WatchRunEnd } from './watches/watch-runs.ts';
export type { NewsPlace, WatchStore } from './watches/watch-store.ts';
