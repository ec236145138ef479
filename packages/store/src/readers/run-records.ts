import type { SearchFilters, Topic, Verdict } from '@trawl/contract';

/** A time span as the store compares it; `to` is exclusive. */
export interface TimeSpan {
  readonly from: string;
  readonly to: string;
}

/** Equal search runs, counted by the database. */
export interface RunTally {
  /**
   * `older`: imported from a build that did not store the query of a run. `deleted`: its session
   * was deleted, and with it the topic and the feedback.
   */
  readonly kind: 'routed' | 'unrouted' | 'older' | 'deleted';
  /** The topic recorded by auto-routing; null = undetermined or not routed. */
  readonly topic: Topic | null;
  readonly provider: string;
  /** Why they failed; null = they did not fail. */
  readonly errorCode: string | null;
  readonly latencyMs: number | null;
  readonly runs: number;
  readonly calls: number;
  /** The calls with a known cost, and that cost. */
  readonly pricedCalls: number;
  readonly costMicros: number;
}

/** A run on a query with feedback, and the number of its results by verdict. */
export interface JudgedRun extends Readonly<Record<Verdict, number>> {
  readonly interactionId: string;
  readonly batchIndex: number;
  readonly isRouted: boolean;
  readonly topic: Topic | null;
  readonly provider: string;
}

/** Reads recorded search runs and the feedback on them, one day at a time. */
export interface RunReader {
  /** Runs recorded in this span in these projects. */
  tallies(projectIds: readonly string[], span: TimeSpan): AsyncIterable<readonly RunTally[]>;
  /** All runs of one query are in the same batch. */
  judged(projectIds: readonly string[], span: TimeSpan): AsyncIterable<readonly JudgedRun[]>;
  /** What these keys searched for, oldest first, without the calls of evaluations. */
  asked(keyIds: readonly string[], span: TimeSpan): AsyncIterable<readonly AskedQuery[]>;
}

/** A recorded query with what it was asked with. */
export interface AskedQuery {
  readonly query: string;
  /** The topic recorded by auto-routing; null = undetermined or not routed. */
  readonly topic: Topic | null;
  readonly filters: SearchFilters | null;
}
