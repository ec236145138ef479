import type { Verdict } from '@trawl/contract';

/** Feedback on results of one interaction, in one transaction. */
export interface FeedbackRecord {
  readonly projectId: string;
  readonly interactionId: string;
  readonly rows: readonly FeedbackRow[];
}

/** The latest verdict on one result. */
export interface FeedbackRow {
  /** Place of the run among the interaction's preprocessor runs. */
  readonly runPosition: number;
  /** Place of the result in the run, from 1. */
  readonly rank: number;
  readonly runId: string;
  readonly batchIndex: number;
  readonly provider: string;
  readonly url: string | null;
  readonly verdict: Verdict;
  readonly userId: string | null;
  readonly note: string | null;
  readonly createdAt: string;
}
