export { type RunningServer, type StartOptions, startServer } from './app.ts';
export { isoTime, systemClock } from './clock.ts';
export {
  type Config,
  ConfigError,
  type Environment,
  readConfig,
  readEnvironment,
} from './config.ts';
export { ensureProject, issueKey, withKeyStore } from './key-admin.ts';
export type { ApiKey, KeyStore, Project } from './storage/store.ts';
export { createLog } from './telemetry/log.ts';
