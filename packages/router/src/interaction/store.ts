import type { LedgerRecord, UsageReader } from '../billing/records.ts';
import type { FeedbackRecord, FeedbackRow } from '../feedback/records.ts';
import type {
  InteractionRecord,
  RepeatedRequest,
  SessionSummary,
  StoredInteraction,
  StoredSession,
} from './records.ts';

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
  /** What answered a key's request with this `Idempotency-Key`, not before this time. */
  repeated(
    keyId: string,
    idempotencyKey: string,
    notBefore: string,
  ): Promise<RepeatedRequest | undefined>;
  /** What an interaction's upstream calls cost, one row per run. */
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

/** Recording as a request uses it: what was paid is never lost, also when the store fails. */
export interface InteractionStore {
  /** Tries the store as a record would. To be called once, before requests come. Never rejects. */
  readonly start: () => Promise<void>;
  /**
   * To be called before anything is paid. Costs nothing while writing works.
   * @throws RequestError 503 from the first failed write on: nothing was sent or billed
   */
  readonly ready: () => Promise<void>;
  /**
   * Commits an interaction. Where that fails, what was paid is still booked, now or when the store is back.
   * @param deadlineAt in milliseconds since 1970; at least two seconds are taken
   * @throws RequestError 503 when it could not be recorded, 404 when another project took the session meanwhile
   */
  readonly write: (record: InteractionRecord, deadlineAt: number) => Promise<void>;
  /** Why the store cannot be used; null = it can. Answers within a second. */
  readonly problem: () => Promise<string | null>;
  /** What an owner spent that is in no ledger yet. */
  readonly unbookedMicros: UsageReader['spentMicros'];
  /** Books what is left, once more. */
  readonly stop: () => Promise<void>;
}
