export {
  explainRouting,
  type RoutingExplanation,
  routingCandidates,
} from './explain/explain-routing.ts';
export { type Learning, learnFromEvaluation, learnRouting } from './learn/learn-routing.ts';
export { LABELS } from './learn/query-rewards.ts';
export type { SwapTest } from './learn/swap-test.ts';
export { lessonJson, type TopicLesson } from './learn/topic-lessons.ts';
export {
  answerStep,
  CONTROLS,
  indexRows,
  type ModelNames,
  type RowIndex,
} from './measure/answer-steps.ts';
export { classifyQueries } from './measure/classify-queries.ts';
export type {
  Comparison,
  EvaluationReport,
  Fault,
  Figure,
  GroupReport,
  ProviderFigures,
} from './measure/evaluation-report.ts';
export { judgeQueries } from './measure/judge-queries.ts';
export type { EvaluationMeasure } from './measure/measures.ts';
export { OPEN_SETS, type OpenSet, readOpenSet } from './measure/open-sets.ts';
export {
  answersAtMost,
  gradesAtMost,
  type Prompt,
  type TokensAtMost,
} from './measure/prompts.ts';
export {
  type QuerySet,
  readSetFile,
  type SetQuery,
  sampled,
  sha256Of,
} from './measure/query-set.ts';
export { reportEvaluation } from './measure/report-evaluation.ts';
export {
  callKey,
  type GoldRow,
  isOpen,
  type ModelRow,
  RUN_FORMAT,
  type RunHead,
  type RunRow,
  readRunFile,
  type SearchedRow,
  searchKey,
} from './measure/run-rows.ts';
export { STARTER_SET, starterSet } from './measure/starter-set.ts';
export { lastDays, projectIds } from './records/records.ts';
export { type RoutingReport, routingReport } from './report/report-routing.ts';
export type { ProviderReport, TopicReport } from './report/topic-reports.ts';
export type { ConfidenceInterval } from './statistics/intervals.ts';
