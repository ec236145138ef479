import type { JsonText } from '@trawl/base';
import type { JsonObject } from '@trawl/contract';
import type { LedgerRecord, UsageReader } from '../billing/records.ts';
import type { FeedbackRecord, FeedbackRow } from '../feedback/records.ts';
import type {
  InteractionRecord,
  KnownRequest,
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

/**
 * A step of a long read, of so many characters.
 * @returns undefined = go on; else resolves when the read may go on, or rejects when it must end
 */
export type ReadStep = (characters: number) => Promise<void> | undefined;

/** Reading back. A session of another project is treated like one that does not exist. */
export interface InteractionReader {
  /** The project of a session; undefined when the session is unknown. */
  sessionOwner(sessionId: string): Promise<string | undefined>;
  /** The session of an interaction of the project. */
  sessionOf(projectId: string, interactionId: string): Promise<string | undefined>;
  /** @param onRead called after each text of a run */
  interaction(
    projectId: string,
    sessionId: string,
    interactionId: string,
    onRead?: ReadStep,
  ): Promise<StoredInteraction | undefined>;
  /**
   * Newest activity first, then id. `before`: latest_interaction_at strictly older than this time,
   * or with `beforeId` at this time and with a greater id.
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
   * Oldest first (created_at, then order of recording). `after`: an interaction id of that session.
   * Runs are empty unless asked for. Reading stops before the interaction with which all have more
   * than `charactersMax` of text, but not before the first. A few at a time, so that all of a long
   * session need not be in memory.
   */
  history(
    projectId: string,
    sessionId: string,
    page: {
      limit: number | undefined;
      after: string | undefined;
      runs: boolean;
      charactersMax?: number;
      /** Called after each text of a run, with its characters. */
      onRead?: ReadStep;
    },
  ): AsyncIterable<readonly StoredInteraction[]>;
  /**
   * The requests of a session whose input has as many characters as this one, the oldest first:
   * another order of members does not change that.
   */
  requestsOf(
    projectId: string,
    sessionId: string,
    userInput: JsonText<JsonObject>,
  ): Promise<readonly KnownRequest[]>;
  /** The interaction that answered a key's request with this `Idempotency-Key` since this time. */
  repeated(
    keyId: string,
    idempotencyKey: string,
    notBefore: string,
  ): Promise<RepeatedRequest | undefined>;
  /**
   * The costs of an interaction's upstream calls, one row per run. With the time of the interaction
   * an index finds them.
   */
  ledger(
    projectId: string,
    interactionId: string,
    createdAt?: string,
  ): Promise<readonly LedgerRecord[]>;
  /** Whether the ledger still has what an interaction cost, though nothing else of it is left. */
  wasDeleted(projectId: string, interactionId: string, sessionId?: string): Promise<boolean>;
  /** By run, then rank. */
  feedback(interactionId: string): Promise<readonly FeedbackRow[]>;
  /**
   * The title that this project's newest interactions recorded last for a comparable URL; undefined
   * where they have none.
   */
  knownTitle(projectId: string, url: string): Promise<string | undefined>;
}

/** Raised by `record` when another project took the session in the meantime. */
export class SessionTakenError extends Error {}

/** Durable writing. A resolved promise means that the transaction is committed. */
export interface Recorder {
  record(interaction: InteractionRecord): Promise<void>;
  /**
   * Only the ledger rows, for interactions that could not be stored. Ends these leases of their
   * costs in the same transaction.
   */
  recordLedger(rows: readonly LedgerRecord[], budgetLeaseIds?: readonly string[]): Promise<void>;
  /**
   * Replaces earlier feedback on the same results. false when the project does not have the
   * interaction.
   */
  recordFeedback(feedback: FeedbackRecord): Promise<boolean>;
  /** false when the project does not have the session. */
  deleteSession(projectId: string, sessionId: string): Promise<boolean>;
  /** Whether there is room for more to be written. */
  hasRoom(): boolean;
  /** Resolves when there is room, at once where there is. */
  whenRoom(): Promise<void>;
  close(): Promise<void>;
}

/** Recording as requests use it: payments are never lost, even if the store fails. */
export interface InteractionStore {
  /** Tries a write like that of a record. Call it once, before the first request. Never rejects. */
  readonly start: () => Promise<void>;
  /**
   * Call it before anything is paid. Costs nothing while writing works.
   * @throws RequestError 503 from the first failed write on: nothing was sent or billed
   */
  readonly ready: () => Promise<void>;
  /**
   * Commits an interaction. If that fails, payments are still booked, now or when the store works
   * again.
   * @param deadlineAt in milliseconds since 1970; at least two seconds are allowed
   * @throws RequestError 503 when it could not be recorded, 404 when another project took the
   * session in the meantime
   */
  readonly write: (record: InteractionRecord, deadlineAt: number) => Promise<void>;
  /** The reason why the store cannot be used; null = it can. Answers within a second. */
  readonly problem: () => Promise<string | null>;
  /** Costs of an owner that are not in the ledger yet. */
  readonly unbookedMicros: UsageReader['spentMicros'];
  /** The leases that reserve these costs. */
  readonly unbookedLeaseIds: () => readonly string[];
  /** Tries again to book the rest. */
  readonly stop: () => Promise<void>;
}
