export {
  type Budget,
  type BudgetStore,
  monthOf,
  type Overspent,
  type Reservation,
} from './billing/budgets.ts';
export { searchPrice } from './billing/list-price.ts';
export { type CallPrice, callPrice, dryRun } from './billing/planned-call.ts';
export {
  type ProviderFigures,
  type ProviderReader,
  type ProviderTally,
  providerFigures,
  talliesOf,
} from './billing/provider-figures.ts';
export {
  type LedgerOwner,
  type LedgerRecord,
  MICROS,
  microsOf,
  type UsageReader,
  type UsageRow,
  type UsageWanted,
  usdOf,
  usdText,
} from './billing/records.ts';
export {
  type AnsweredPart,
  type AskParts,
  type ContextAnswer,
  type Contexts,
  createContexts,
} from './context/index.ts';
export { createSeenPages, pagesOfContext } from './context/seen.ts';
export {
  baseUrlVariable,
  type ConfiguredFetchProvider,
  type ConfiguredProvider,
  changeDeployment,
  changeWebRules,
  changing,
  createDeployment,
  DEFAULT_SET_VARIABLE,
  type Deployment,
  isCandidate,
  isUsable,
  type KeylessOffer,
  type ProviderSettings,
  providerSlugs,
  putLast,
  whyUnusable,
} from './deployment/deployment.ts';
export {
  CONTACT_VARIABLE,
  isEmail,
  KEYLESS_MODES,
  KEYLESS_VARIABLE,
} from './deployment/keyless.ts';
export { fetchRoster, searchRoster } from './deployment/roster.ts';
export { addressOf, heldResults } from './feedback/held-results.ts';
export { type MatchProblem, matchResults } from './feedback/match-results.ts';
export type { FeedbackRecord, FeedbackRow } from './feedback/records.ts';
export { accepts, type PageTarget } from './fetch/check.ts';
export type { AskedFetch } from './fetch/command.ts';
export { fetchCommand } from './fetch/command.ts';
export { createFetch, type Fetch } from './fetch/index.ts';
export {
  type CachedPage,
  createMemoryPageCache,
  type PageCache,
  readCachedPage,
} from './fetch/page-cache.ts';
export { createSharedFetches } from './fetch/pages.ts';
export { refuseUnavailable } from './fetch/unavailable.ts';
export {
  ANSWERS_A_DAY,
  type DecidedHealth,
  FIRST_HEALTH,
  type KeptHealth,
  neededFrom,
  nextHealth,
  olderSpan,
  resetHealth,
} from './health/decide.ts';
export {
  type HealthAnswer,
  type HealthMeasure,
  isBad,
  type OlderAnswers,
  sumUp,
  THRESHOLDS,
  WINDOW,
} from './health/measures.ts';
export {
  createLongReads,
  type LongReads,
  READ_LIMITS,
  type ReadLimits,
} from './history/long-reads.ts';
export { sessionPage, sessionPages, unknownSession } from './history/session-page.ts';
export { historyParts, sessionList, trajectoryParts } from './history/sessions.ts';
export { type Agreements, agreementsOfOneServer } from './interaction/agreements.ts';
export type { Cost } from './interaction/cost.ts';
export { createExecutions, type Executions } from './interaction/executions.ts';
export type { AnswerPart, Caller, EmitPart } from './interaction/head.ts';
export {
  createIdempotency,
  type Idempotency,
  IN_PROGRESS_ELSEWHERE,
  REPEATED,
  type Repeated,
  rethrowRepeated,
} from './interaction/idempotency.ts';
export type {
  ObservedCall,
  ObservedEnd,
  RequestObserver,
} from './interaction/observe.ts';
export type {
  CountedAnswer,
  InteractionRecord,
  RecordedRequest,
  RepeatedRequest,
  RequestRepeat,
  RunRecord,
  SessionSummary,
  StoredInteraction,
  StoredSession,
} from './interaction/records.ts';
export {
  REPEATED_FOR_MS,
  type RepeatClaim,
  type RepeatClaims,
} from './interaction/repeat-claims.ts';
export { requestRepeat } from './interaction/request-repeat.ts';
export { detailsParts, type InteractionAnswer, recordedAnswer } from './interaction/respond.ts';
export {
  type InteractionReader,
  type InteractionStore,
  type ReadStep,
  type Recorder,
  type SessionSummaryReader,
  SessionTakenError,
} from './interaction/store.ts';
export {
  ALL_PROVIDERS,
  allowedProvidersOf,
  isAllowed,
  notAllowed,
} from './keys/allowed-providers.ts';
export type {
  ApiKey,
  KeyReplacement,
  KeySettings,
  KeyStore,
  Limits,
  NamedKey,
  NamedKeyReader,
  Project,
} from './keys/records.ts';
export { createProbes, type Probes, recordedProbe } from './probe/index.ts';
export { type Offer, offersOf } from './probe/offers.ts';
export type { AskDependencies, PlannedProbe, ProbeOutcome } from './probe/probe.ts';
export { PROBE_QUERY } from './probe/probe.ts';
export { planFetchProbe } from './probe/probe-fetch.ts';
export { planSearchProbe } from './probe/probe-search.ts';
export {
  profileFault,
  usableProfile,
  withFetchProfile,
  withSearchProfile,
} from './profile/key-profile.ts';
export { type ComparedSearch, diffOf } from './replay/diff.ts';
export { type AsRecorded, findRecorded } from './replay/recorded.ts';
export { replayRequest } from './replay/replay-request.ts';
export {
  CallerLeftError,
  type ErrorStyle,
  invalidAt,
  OutcomeUnknownError,
  type RefusalStatus,
  RequestError,
} from './requests/request-error.ts';
export { changeStore, RETRY_AFTER, readStore } from './requests/store-access.ts';
export { createSharedRuns } from './search/cache/request-runs.ts';
export type { AnswerReader, RecordedAnswer } from './search/cache/served-run.ts';
export { checkSearch } from './search/check.ts';
export { searchCommand } from './search/command.ts';
export { executeRun } from './search/execute.ts';
export { createSearch, type Search } from './search/index.ts';
export { normalizeRun } from './search/normalize.ts';
export { planRuns, type RunPlan } from './search/plan.ts';
export { planRoutes, ROUTED, secondOf } from './search/route.ts';
export {
  askOnce,
  type Flight,
  type FlightLimits,
  type Flights,
  flightsOfTurn,
  OWN_FLIGHT,
} from './sharing/flights.ts';
export { createSharedWork, type SharedWork } from './sharing/shared-work.ts';
export { verifyQuotes } from './verify/verify-quotes.ts';
export { checkRule, ruleText } from './web-rules/refusal.ts';
export {
  type RuleList,
  ruleList,
  type WebRules,
  webRules,
  webRulesOf,
} from './web-rules/web-rules.ts';
