export { type RunningServer, type StartOptions, startServer } from './app.ts';
export { isoTime, systemClock } from './clock.ts';
export {
  type Config,
  ConfigError,
  type Environment,
  readConfig,
  readEnvironment,
} from './config.ts';
export { createDeployment } from './deployment.ts';
export { deploymentProblems, deploymentWarnings, idleSettings } from './deployment-warnings.ts';
export { directBrowserProblem } from './direct/index.ts';
export { type PlannedEvaluation, planEvaluation } from './evaluate-routing.ts';
export { type ChosenProvider, explainRouting, type RoutingExplanation } from './explain-routing.ts';
export type { Mount } from './http/mount.ts';
export { ensureProject, issueKey, withKeyStore } from './key-admin.ts';
export type { ApiKey, KeyStore, Limits, Project } from './keys/records.ts';
export { misspeltSettings } from './misspelt-settings.ts';
export { openProbes } from './probe/index.ts';
export type { Probe, ProbeResult } from './probe/probe.ts';
export { type ReportWanted, type RoutingReport, reportRouting } from './report-routing.ts';
export { checkStore, hasTables, type StoreCheck } from './storage/check-store.ts';
export { createLog, logFormat } from './telemetry/log.ts';
export type { Interval } from './topics/bootstrap.ts';
export {
  type EvaluatedRun,
  type ProviderScore,
  scoreRuns,
  type TopicScore,
} from './topics/evaluate.ts';
export { measuredRanking } from './topics/measured-ranking.ts';
export { type LabelledQuery, readQueryFile } from './topics/query-file.ts';
export type { ProviderReport, TopicReport } from './topics/routing-report.ts';
