export { createTopics } from './classifier/create-topics.ts';
export { readTopicWords, type TopicWords } from './classifier/topic-words.ts';
export { type Embed, EmbeddingsError } from './embeddings/embed.ts';
export type { Interval } from './evaluation/bootstrap.ts';
export {
  type EvaluatedRun,
  type ProviderScore,
  scoreRuns,
  type TopicScore,
} from './evaluation/evaluate.ts';
export { type LessonOptions, type TopicLesson, topicLessons } from './evaluation/learned-order.ts';
export { measuredRanking } from './evaluation/measured-ranking.ts';
export { type LabelledQuery, readQueryFile } from './evaluation/query-file.ts';
export { LABELS, type Label, type QueryRewards, queryRewards } from './evaluation/query-rewards.ts';
export {
  type ProviderReport,
  type TopicReport,
  topicReports,
} from './evaluation/routing-report.ts';
export { addJudged, addRuns, newTally, type RoutingTally } from './evaluation/routing-tally.ts';
export type {
  JudgedRun,
  PairedQuery,
  PairedRow,
  PairedRun,
  RunReader,
  RunTally,
  TimeSpan,
} from './evaluation/run-records.ts';
export type { SwapTest } from './evaluation/swap-test.ts';
export type {
  LikelyTopic,
  TopicExplanation,
  TopicFinding,
  TopicJudge,
  TopicSource,
} from './source/topic-source.ts';
