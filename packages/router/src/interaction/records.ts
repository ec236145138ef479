import type { Json, JsonText } from '@trawl/base';
import type {
  FetchRequest,
  InteractionOutcome,
  InteractionStatus,
  JsonObject,
  MergedList,
  PostprocessorRun,
  PreprocessorRun,
  RoutingEntry,
  SearchOptions,
} from '@trawl/contract';
import type { LedgerRecord } from '../billing/records.ts';
import type { HealthAnswer } from '../health/measures.ts';

/** The options of a fetch as its caller gave them. */
export type GivenFetchOptions = NonNullable<FetchRequest['options']>;

/**
 * What a request asked for besides its input, with what the profile of its key said: enough to ask
 * for the same again.
 */
export type RecordedRequest =
  | {
      readonly search: SearchOptions;
      readonly preprocessor_names?: readonly string[] | undefined;
      readonly postprocessor_names?: readonly string[] | undefined;
      /** Set where it is the search of a context. */
      readonly context?: RecordedContext | undefined;
    }
  | {
      readonly fetch: GivenFetchOptions;
      /** Set where it reads the pages of a context. */
      readonly context?: RecordedContextPages | undefined;
    };

/** What a context is made of in addition to its parts, with defaults filled in. */
export interface RecordedContext {
  readonly max_tokens: number;
  readonly max_pages: number;
}

export interface RecordedContextPages {
  readonly search_interaction_id: string;
}

/** The record of one interaction, written in one transaction. Texts are JSON as in the answer. */
export interface InteractionRecord {
  readonly id: string;
  readonly instanceId: string;
  readonly sessionId: string;
  readonly projectId: string;
  readonly keyId: string;
  readonly userId: string | null;
  readonly status: InteractionStatus;
  readonly outcome: InteractionOutcome;
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
  /** null = it asked no provider by request, such as a probe. */
  readonly request: JsonText<RecordedRequest> | null;
  readonly runs: readonly RunRecord[];
  readonly ledger: readonly LedgerRecord[];
  readonly titles: readonly TitleRecord[];
  /** What is counted of the answers of providers. Absent = nothing. */
  readonly counted?: readonly CountedAnswer[] | undefined;
  /** The `Idempotency-Key` of the request, and the digest of the request. */
  readonly repeat?: RequestRepeat | undefined;
  /** The lease that reserves its costs. Ends in the transaction that books them. */
  readonly budgetLeaseId?: string | undefined;
}

/**
 * The title of a page, from a result row or the page itself. Its comparable URL; the last one of a
 * URL counts.
 */
export interface TitleRecord {
  readonly url: string;
  readonly title: string;
}

/** Binds an answer to the request that may be repeated. */
export interface RequestRepeat {
  readonly key: string;
  /** Digest of the route and the body. */
  readonly bodyDigest: string;
  /** The lease under which it is executed. Ends in the transaction that binds the answer. */
  readonly leaseId?: string | undefined;
}

/** The interaction that answered a request. */
export interface RepeatedRequest {
  readonly bodyDigest: string;
  readonly interactionId: string;
  readonly sessionId: string;
}

/** What is counted of one answer, for the health of its provider. */
export interface CountedAnswer
  extends Omit<HealthAnswer, 'answeredAt' | 'projectId' | 'interactionId'> {
  readonly provider: string;
  /** Of the run, or of the watch that asks again and again. */
  readonly id: string;
}

/** What is kept of a run that may answer an equal one again, next to its text. */
export interface AnswerFacts {
  /** Equal for equal runs of one project. */
  readonly fingerprint: string;
  /** When its provider answered: ISO 8601, UTC, milliseconds. */
  readonly answeredAt: string;
  /** In millionths of a US dollar; null = not known. */
  readonly costMicros: number | null;
  /** How many of its warnings, from the first, are about its request and not about the answer. */
  readonly ownWarnings: number;
  /** JSON: what merged lists need of each row and the run does not show; null = nothing. */
  readonly hidden: string | null;
}

/**
 * One run: its whole JSON text as answered, and the facts that are looked up without reading that
 * text.
 */
export type RunRecord = {
  readonly id: string;
  /** Place in the answer's array of that kind. */
  readonly position: number;
  readonly name: string;
} & (
  | {
      readonly kind: 'preprocessor';
      readonly text: Json<PreprocessorRun>;
      /** Absent = it never answers another run. */
      readonly answer?: AnswerFacts | undefined;
    }
  | { readonly kind: 'postprocessor'; readonly text: JsonText<PostprocessorRun> }
  /** No run: the rows of a query in one list, where they were asked for. */
  | { readonly kind: 'merged'; readonly text: JsonText<MergedList> }
);

export interface StoredInteraction
  extends Omit<
    InteractionRecord,
    'runs' | 'ledger' | 'titles' | 'repeat' | 'budgetLeaseId' | 'projectId' | 'keyId' | 'userId'
  > {
  /** In order. */
  readonly preprocessorRuns: readonly JsonText<PreprocessorRun>[];
  readonly postprocessorRuns: readonly JsonText<PostprocessorRun>[];
  /** Empty where none were asked for. */
  readonly mergedLists: readonly JsonText<MergedList>[];
}

export interface StoredSession {
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly interactionCount: number;
  /** Interactions that were deleted while others stayed. */
  readonly deletedCount: number;
  readonly latestInteractionAt: string;
}

/** The first input of a session, and its cost. */
export interface SessionSummary {
  /** The first input: a query object, `queries` or `urls`; null without input. */
  readonly firstInput: JsonText<JsonObject> | null;
  /** Provider runs; a fetch is one. */
  readonly runCount: number;
  /** Interactions by how they ended. */
  readonly outcomes: Readonly<Record<InteractionOutcome, number>>;
  /** Known costs; null without any. */
  readonly costMicros: number | null;
  /** Upstream calls whose cost is not known. */
  readonly unpricedCalls: number;
}

/** A recorded request with the id of its interaction. */
export interface KnownRequest {
  readonly id: string;
  readonly userInput: JsonText<JsonObject>;
  readonly request: JsonText<RecordedRequest> | null;
}
