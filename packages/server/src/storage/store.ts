import type { InteractionStatus, Permission } from '@trawl/contract';

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
}

export interface StoredInteraction
  extends Omit<InteractionRecord, 'runs' | 'ledger' | 'projectId' | 'keyId' | 'userId'> {
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

/** Reading back. A session of another project answers like one that does not exist. */
export interface InteractionReader {
  /** The project a session belongs to; undefined when it has never been seen. */
  sessionOwner(sessionId: string): Promise<string | undefined>;
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
    page: { limit: number; before: string | undefined; beforeId?: string | undefined },
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
  ledger(projectId: string, interactionId: string): Promise<readonly LedgerRecord[]>;
}

/** Raised by `record` when the session was taken by another project meanwhile. */
export class SessionTakenError extends Error {}

/** Durable writing. A resolved promise means that the transaction is committed. */
export interface Recorder {
  record(interaction: InteractionRecord): Promise<void>;
  /** The ledger rows alone, for an interaction that could not be stored. */
  recordLedger(rows: readonly LedgerRecord[]): Promise<void>;
  /** false when there is no such session in the project. */
  deleteSession(projectId: string, sessionId: string): Promise<boolean>;
  close(): Promise<void>;
}

export interface Project {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
}

export interface ApiKey {
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  readonly lastFour: string;
  readonly permissions: readonly Permission[];
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  /** Requests a minute; null = no limit. */
  readonly rateLimit: number | null;
  readonly monthlyBudgetMicros: number | null;
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
  /** The project of this name, made when it is new. */
  ensureProject(project: Project): Promise<Project>;
  listProjects(): Promise<readonly Project[]>;
}

export interface Store {
  readonly reader: InteractionReader;
  readonly recorder: Recorder;
  readonly keys: KeyStore;
  /** The value kept under `name`, set to `initial` when there is none. */
  setting(name: string, initial: string): Promise<string>;
  /** Resolves when the database answers and can be written. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
