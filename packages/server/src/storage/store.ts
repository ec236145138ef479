import type { InteractionStatus, Permission, Topic, UsageGroup, Verdict } from '@trawl/contract';
import type { TimeSpan } from './day-slices.ts';
import type { Trial } from './recorder-protocol.ts';

/** What is written of one interaction, in one transaction. Texts are JSON as it is answered. */
export interface InteractionRecord {
  readonly id: string;
  readonly instanceId: string;
  readonly sessionId: string;
  readonly projectId: string;
  readonly keyId: string;
  readonly userId: string | null;
  readonly status: InteractionStatus;
  /** ISO 8601, UTC, milliseconds. */
  readonly createdAt: string;
  readonly completedAt: string;
  readonly normalizedSchemaVersion: number | null;
  readonly trajectoryId: string;
  readonly parentTrajectoryId: string | null;
  readonly trajectoryGoal: string | null;
  /** JSON text, or null for none. */
  readonly userInput: string | null;
  readonly metadata: string;
  readonly routing: string | null;
  readonly runs: readonly RunRecord[];
  readonly ledger: readonly LedgerRecord[];
  readonly titles: readonly TitleRecord[];
  /** The `Idempotency-Key` that it was asked for with, and what the request was. */
  readonly repeat?: RequestRepeat | undefined;
}

/** What a page was called where a result row or the page itself said so. Its comparable URL; the last one of a URL counts. */
export interface TitleRecord {
  readonly url: string;
  readonly title: string;
}

/** What binds an answer to the request that may be repeated. */
export interface RequestRepeat {
  readonly key: string;
  /** Of the route and the body. */
  readonly bodyDigest: string;
}

/** The interaction that answered a request. */
export interface RepeatedRequest {
  readonly bodyDigest: string;
  readonly interactionId: string;
  readonly sessionId: string;
}

/** One run: its whole JSON text as answered, and what is looked up without reading that text. */
export interface RunRecord {
  readonly id: string;
  readonly kind: 'preprocessor' | 'postprocessor';
  /** Place in the answer's array of that kind. */
  readonly position: number;
  readonly name: string;
  readonly text: string;
}

/** One paid or refused upstream call. Holds no query and no page text, so it outlives a deleted session. */
export interface LedgerRecord {
  readonly id: string;
  readonly projectId: string;
  readonly keyId: string;
  readonly userId: string | null;
  readonly sessionId: string;
  readonly interactionId: string;
  readonly runId: string;
  readonly provider: string;
  readonly createdAt: string;
  /** Requests that reached the provider, retries included. */
  readonly calls: number;
  readonly outcome: 'succeeded' | 'failed';
  /** Millionths of a US dollar; null = unknown. */
  readonly costMicros: number | null;
  readonly costSource: 'reported' | 'price_list' | null;
  /** Which query of a search it was for; null for a fetch. */
  readonly batchIndex: number | null;
  /** null = not asked, or not known. */
  readonly latencyMs: number | null;
  /** Why it failed; null = it did not. */
  readonly errorCode: string | null;
}

/** What is said of results of one interaction, in one transaction. */
export interface FeedbackRecord {
  readonly projectId: string;
  readonly interactionId: string;
  readonly rows: readonly FeedbackRow[];
}

/** The last word on one result. */
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

export interface StoredInteraction
  extends Omit<
    InteractionRecord,
    'runs' | 'ledger' | 'titles' | 'repeat' | 'projectId' | 'keyId' | 'userId'
  > {
  /** JSON texts in order. */
  readonly preprocessorRuns: readonly string[];
  readonly postprocessorRuns: readonly string[];
}

export interface StoredSession {
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly interactionCount: number;
  readonly latestInteractionAt: string;
}

/** What a session was about and what it cost. */
export interface SessionSummary {
  /** JSON text of the first input: a query object, `queries` or `urls`; null where nothing was asked. */
  readonly firstInput: string | null;
  /** Provider runs; a fetch is one. */
  readonly runCount: number;
  /** Known costs; null where there are none. */
  readonly costMicros: number | null;
  /** Upstream calls whose cost is not known. */
  readonly unpricedCalls: number;
}

/** The summaries of these sessions of the project, by id. */
export type SessionSummaryReader = (
  projectId: string,
  sessionIds: readonly string[],
) => Promise<ReadonlyMap<string, SessionSummary>>;

/** Reading back. A session of another project answers like one that does not exist. */
export interface InteractionReader {
  /** The project a session belongs to; undefined when it has never been seen. */
  sessionOwner(sessionId: string): Promise<string | undefined>;
  /** The session of an interaction of the project. */
  sessionOf(projectId: string, interactionId: string): Promise<string | undefined>;
  interaction(
    projectId: string,
    sessionId: string,
    interactionId: string,
  ): Promise<StoredInteraction | undefined>;
  /**
   * Newest activity first, then id. `before`: latest_interaction_at strictly older than this time, or with `beforeId` at
   * this time and with a greater id.
   */
  sessions(
    projectId: string,
    page: {
      limit: number;
      before: string | undefined;
      beforeId?: string | undefined;
      /** Only this one. */
      sessionId?: string | undefined;
    },
  ): Promise<readonly StoredSession[]>;
  session(projectId: string, sessionId: string): Promise<StoredSession | undefined>;
  /**
   * Oldest first (created_at, then order of recording). `after`: an interaction id of that session. Runs are left empty
   * unless asked for; with runs, reading stops once `charactersMax` of text were read.
   */
  history(
    projectId: string,
    sessionId: string,
    page: {
      limit: number | undefined;
      after: string | undefined;
      runs: boolean;
      charactersMax?: number;
    },
  ): Promise<readonly StoredInteraction[]>;
  /** What an interaction's upstream calls cost, one row per run. */
  /** What answered a key's request with this `Idempotency-Key`, not before this time. */
  repeated(
    keyId: string,
    idempotencyKey: string,
    notBefore: string,
  ): Promise<RepeatedRequest | undefined>;
  ledger(projectId: string, interactionId: string): Promise<readonly LedgerRecord[]>;
  /** By run, then rank. */
  feedback(interactionId: string): Promise<readonly FeedbackRow[]>;
  /** The title that this project's interactions recorded last for each of these comparable URLs; one without a title is left out. */
  knownTitles(projectId: string, urls: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** Raised by `record` when the session was taken by another project meanwhile. */
export class SessionTakenError extends Error {}

/** Durable writing. A resolved promise means that the transaction is committed. */
export interface Recorder {
  record(interaction: InteractionRecord): Promise<void>;
  /** The ledger rows alone, for an interaction that could not be stored. */
  recordLedger(rows: readonly LedgerRecord[]): Promise<void>;
  /** Replaces what was said of the same results before. false when there is no such interaction in the project. */
  recordFeedback(feedback: FeedbackRecord): Promise<boolean>;
  /** false when there is no such session in the project. */
  deleteSession(projectId: string, sessionId: string): Promise<boolean>;
  /** Whether so little waits to be written that more may be made. */
  hasRoom(): boolean;
  /** Resolves when there is room, at once where there is. */
  whenRoom(): Promise<void>;
  close(): Promise<void>;
}

/** What a key or all keys of a project may do and spend. null = no limit. */
export interface Limits {
  /** Requests a minute. */
  readonly rateLimit: number | null;
  /** Millionths of a US dollar a calendar month, in UTC. */
  readonly monthlyBudgetMicros: number | null;
}

export interface Project {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  /** Absent where it has none. */
  readonly limits?: Limits;
}

export interface ApiKey extends Limits {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly lastFour: string;
  readonly permissions: readonly Permission[];
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  /** Those that all keys of its project share; absent where it has none. Read with the key, never written. */
  readonly projectLimits?: Limits;
}

/** Projects and keys. Every change moves the revision, by which running servers notice it. */
export interface KeyStore {
  revision(): Promise<number>;
  findKey(digest: string): Promise<ApiKey | undefined>;
  /** Makes the key or, when the digest exists, sets its permissions, ends its revocation and clears its expiry. */
  ensureKey(key: ApiKey, digest: string): Promise<void>;
  createKey(key: ApiKey, digest: string): Promise<void>;
  listKeys(projectId: string | undefined): Promise<readonly ApiKey[]>;
  /** false when there is no such key. Revoking twice keeps the first time. */
  revokeKey(keyId: string, at: string): Promise<boolean>;
  /** Sets the limits that are named. false when there is no such key. */
  limitKey(keyId: string, limits: Partial<Limits>): Promise<boolean>;
  /** Sets the limits that are named. false when no project has this name. */
  limitProject(name: string, limits: Partial<Limits>): Promise<boolean>;
  /** The project of this name, made when it is new. */
  ensureProject(project: Project): Promise<Project>;
  listProjects(): Promise<readonly Project[]>;
}

/** Whose ledger rows are read. */
export interface LedgerOwner {
  readonly kind: 'key' | 'project';
  readonly id: string;
}

export interface UsageWanted {
  /** ISO 8601, UTC, milliseconds; `to` itself is left out. */
  readonly from: string;
  readonly to: string;
  /** In the order of the rows. */
  readonly groups: readonly UsageGroup[];
  readonly limit: number;
}

/** What was called and spent, summed over the ledger rows that are alike in the groups asked for. */
export interface UsageRow {
  readonly group: Readonly<Partial<Record<UsageGroup, string | null>>>;
  readonly calls: number;
  /** Those of the calls whose cost is not known. */
  readonly unpricedCalls: number;
  /** Of the others; null where there are none. */
  readonly costMicros: number | null;
}

/** The ledger in sums, made by the database. */
export interface UsageReader {
  usage(owner: LedgerOwner, wanted: UsageWanted): Promise<readonly UsageRow[]>;
  /** Known costs from the one time until before the other. */
  spentMicros(owner: LedgerOwner, from: string, to: string): Promise<number>;
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

export interface Store {
  readonly reader: InteractionReader;
  readonly usage: UsageReader;
  readonly runs: RunReader;
  readonly sessionSummaries: SessionSummaryReader;
  readonly recorder: Recorder;
  readonly keys: KeyStore;
  /** The value kept under `name`, set to `initial` when there is none. */
  setting(name: string, initial: string): Promise<string>;
  /** Resolves when the database answers and a small row can be written. */
  ping(): Promise<void>;
  /** Resolves when a record of this size could be written. It is deleted again. */
  trial(trial: Trial): Promise<void>;
  close(): Promise<void>;
}
