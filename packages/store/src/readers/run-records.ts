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
  /**
   * Queries on which several providers ran, oldest first. Reads the texts of runs, some
   * interactions at a time.
   */
  paired(projectIds: readonly string[], span: TimeSpan): AsyncIterable<readonly PairedQuery[]>;
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

/** A recorded query on which several providers ran, to compare them on it. */
export interface PairedQuery {
  /** The topic recorded by auto-routing; null = undetermined or not routed. */
  readonly topic: Topic | null;
  readonly query: string;
  /** Runs that were sent to a provider. */
  readonly runs: readonly PairedRun[];
  /** What the same session fetched within an hour, before its next search. */
  readonly urlsRead: readonly string[];
}

export interface PairedRun {
  readonly provider: string;
  /** Best first; empty where it failed. */
  readonly rows: readonly PairedRow[];
  readonly latencyMs: number;
}

export interface PairedRow {
  /** null if the rows were requested without URLs. */
  readonly url: string | null;
  /** The last feedback on it; null = none. */
  readonly verdict: Verdict | null;
}
