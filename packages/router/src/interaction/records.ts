import type { JsonText } from '@trawl/base';
import type {
  InteractionStatus,
  JsonObject,
  PostprocessorRun,
  PreprocessorRun,
  RoutingEntry,
} from '@trawl/contract';
import type { LedgerRecord } from '../billing/records.ts';

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
  readonly userInput: JsonText<JsonObject> | null;
  readonly metadata: JsonText<JsonObject>;
  readonly routing: JsonText<RoutingEntry[]> | null;
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
export type RunRecord = {
  readonly id: string;
  /** Place in the answer's array of that kind. */
  readonly position: number;
  readonly name: string;
} & (
  | { readonly kind: 'preprocessor'; readonly text: JsonText<PreprocessorRun> }
  | { readonly kind: 'postprocessor'; readonly text: JsonText<PostprocessorRun> }
);

export interface StoredInteraction
  extends Omit<
    InteractionRecord,
    'runs' | 'ledger' | 'titles' | 'repeat' | 'projectId' | 'keyId' | 'userId'
  > {
  /** In order. */
  readonly preprocessorRuns: readonly JsonText<PreprocessorRun>[];
  readonly postprocessorRuns: readonly JsonText<PostprocessorRun>[];
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
  /** The first input: a query object, `queries` or `urls`; null where nothing was asked. */
  readonly firstInput: JsonText<JsonObject> | null;
  /** Provider runs; a fetch is one. */
  readonly runCount: number;
  /** Known costs; null where there are none. */
  readonly costMicros: number | null;
  /** Upstream calls whose cost is not known. */
  readonly unpricedCalls: number;
}
