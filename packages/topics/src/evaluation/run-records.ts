import type { Topic, Verdict } from '@trawl/contract';

/** A span of time as the store compares it; `to` itself is left out. */
export interface TimeSpan {
  readonly from: string;
  readonly to: string;
}

/** Search runs that are alike, counted by the database. */
export interface RunTally {
  /**
   * `older`: of a schema that did not keep which query a run was for. `deleted`: its session is gone, and with it the topic
   * and the feedback.
   */
  readonly kind: 'routed' | 'unrouted' | 'older' | 'deleted';
  /** As auto-routing recorded it; null = undetermined, or not routed. */
  readonly topic: Topic | null;
  readonly provider: string;
  /** Why they failed; null = they did not. */
  readonly errorCode: string | null;
  readonly latencyMs: number | null;
  readonly runs: number;
  readonly calls: number;
  /** Those of the calls whose cost is known, and that cost. */
  readonly pricedCalls: number;
  readonly costMicros: number;
}

/** A run on a query of which callers said something, with how many of its results were called what. */
export interface JudgedRun extends Readonly<Record<Verdict, number>> {
  readonly interactionId: string;
  readonly batchIndex: number;
  readonly isRouted: boolean;
  readonly topic: Topic | null;
  readonly provider: string;
}

/** What is known of search runs, beside the feedback on them. Read a day at a time. */
export interface RunReader {
  /** Runs recorded from the one time until before the other, in these projects. */
  tallies(projectIds: readonly string[], span: TimeSpan): AsyncIterable<readonly RunTally[]>;
  /** The runs of one query come in one piece. */
  judged(projectIds: readonly string[], span: TimeSpan): AsyncIterable<readonly JudgedRun[]>;
}
