export { measuredRanking } from './evaluate/measured-ranking.ts';
export { type PlannedEvaluation, planEvaluation } from './evaluate/plan-evaluation.ts';
export { type LabelledQuery, readQueryFile } from './evaluate/query-file.ts';
export {
  type EvaluatedRun,
  type ProviderScore,
  scoreRuns,
  type TopicScore,
} from './evaluate/score-runs.ts';
export {
  explainQuery,
  explainRouting,
  type RoutingExplanation,
  routingCandidates,
} from './explain/explain-routing.ts';
export { type Learning, learnRouting } from './learn/learn-routing.ts';
export { LABELS } from './learn/query-rewards.ts';
export type { SwapTest } from './learn/swap-test.ts';
export { lessonJson, type TopicLesson } from './learn/topic-lessons.ts';
export { lastDays, projectIds } from './records/records.ts';
export { type RoutingReport, routingReport } from './report/report-routing.ts';
export type { ProviderReport, TopicReport } from './report/topic-reports.ts';
export type { ConfidenceInterval } from './statistics/intervals.ts';
