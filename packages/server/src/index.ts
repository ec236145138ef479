export { type AuditEvent, auditEntry, commandLineEntry } from './admin/audit-entry.ts';
export type { Changer } from './admin/changes.ts';
export { keyJson, projectJson } from './admin/json.ts';
export { ensureProject, type IssuedKey, issueKey, newLoginKey } from './admin/key-admin.ts';
export {
  checkNewKey,
  createKeyChanges,
  type KeyChangeOptions,
  type KeyPlace,
  type SentKeySettings,
} from './admin/key-changes.ts';
export { endEvent } from './admin/login-end.ts';
export { createProjectChanges, type ProjectChangeOptions } from './admin/project-changes.ts';
export { withStore } from './admin/with-store.ts';
export { sentAlert } from './alerts/alerts.ts';
export { webhookOf } from './alerts/open-alerts.ts';
export { sendTestAlert } from './alerts/test-alert.ts';
export { type RunningServer, type StartOptions, startServer } from './app/app.ts';
export type { MetricsText, ServerBranch, ServerParts } from './app/listen.ts';
export { isInForce } from './auth/authenticate.ts';
export { newSecret } from './auth/login-secrets.ts';
export {
  type Config,
  ConfigError,
  type Environment,
  readConfig,
  readEnvironment,
} from './config/config.ts';
export {
  deploymentNotes,
  deploymentProblems,
  deploymentWarnings,
  idleSettings,
} from './config/deployment-warnings.ts';
export { LOGIN_PATHS } from './config/login-metadata.ts';
export { loginPlace } from './config/login-place.ts';
export { misspeltSettings } from './config/misspelt-settings.ts';
export { providerVariables, settingNames } from './config/names.ts';
export { readProviderKeys } from './config/provider-settings.ts';
export { secret } from './config/settings.ts';
export { idleEntries, webRulesFileSchema } from './config/web-rules-file.ts';
export { readYamlFile } from './config/yaml-file.ts';
export type { ApiAs, BranchReply, BranchRequest, OpenedBranch } from './http/branch.ts';
export type { Input } from './http/request/read-input.ts';
export type { AuthorizeFault, AuthorizeRequest } from './login/authorize-request.ts';
export { askedClient, authorizeRequest, redirectFault } from './login/authorize-request.ts';
export { checkNewClient, createClientChanges } from './login/client-changes.ts';
export type { Client } from './login/client-document.ts';
export type { Login } from './login/open-login.ts';
export { placeOf, redirectTo } from './login/redirect-uris.ts';
export { type DeclaredCheck, openDeclaredChecks } from './probe/check-declared.ts';
export { openProbes, type Probe } from './probe/index.ts';
export type { SetKey } from './provider-keys/stored-keys.ts';
export { withStoredKeys } from './provider-keys/stored-keys.ts';
export { endpointEmbed } from './routing/embeddings-endpoint.ts';
export type { Mount } from './sites/mount.ts';
export { createLog, logFormat } from './telemetry/log.ts';
