import type { JsonObject, RunErrorCode } from '@trawl/contract';
import type {
  Authentication,
  FailedAnswer,
  FailureReading,
  HttpCall,
  OptionalPart,
  Pace,
  SecretPart,
} from '@trawl/providers';

/**
 * The `callerId` of calls that the server makes for itself, such as a probe. Ids of API keys are
 * uuids.
 */
export const OWN_CALLER = 'trawl';

/**
 * The operation of a provider. Each has its own slots, rate limits and circuit: most vendors count
 * and restrict their endpoints separately.
 */
export const OPERATIONS = ['search', 'fetch', 'embedding'] as const;
export type OperationKind = (typeof OPERATIONS)[number];

/** One provider as configured here, for one operation. */
export interface UpstreamTarget {
  readonly slug: string;
  readonly operation: OperationKind;
  /** Scheme, host and path prefix, without trailing slash; null = none is declared or set. */
  readonly baseUrl: string | null;
  /** The address is the operator's own. */
  readonly isOwnAddress?: boolean | undefined;
  /** The operator's further addresses, of a provider without keys; used while those before fail. */
  readonly otherBaseUrls?: readonly string[] | undefined;
  /** Replaces a call's path at the provider's own address. */
  readonly pathAtBaseUrl?: string | undefined;
  readonly authentication: Authentication;
  /** Absent = none. */
  readonly secretParts?: readonly SecretPart[] | undefined;
  /** Its keys, each another one; empty = none is set. A call is sent with one of them. */
  readonly credentials: readonly string[];
  /**
   * Name of the setting that holds the credential, or the base URL where that must be set; for
   * messages.
   */
  readonly credentialVariable: string | undefined;
  /**
   * Upper bound of one call from when it is sent, its retry included. The wait for a slot is not
   * part of it.
   */
  readonly timeoutMs: number;
  readonly concurrency: number;
  /** The pace in which it is asked; absent = as often as there are slots. */
  readonly pace?: Pace | undefined;
  /** A failed call is never sent a second time. */
  readonly isSentOnce?: boolean | undefined;
  /** Absent = the service's own name without a version. */
  readonly userAgent?: string | undefined;
  /** Why it is not asked at all; absent = nothing is against it. */
  readonly obstacle?: UpstreamObstacle | undefined;
  /**
   * How long a good answer asks callers to wait, in milliseconds. Only for a provider with a pace.
   */
  readonly readBackoff?: ((body: JsonObject) => number | null) | undefined;
  readonly readFailure?: ((answer: FailedAnswer) => FailureReading | undefined) | undefined;
}

/** A reason for not asking a provider: of this deployment, or of the call. */
export interface UpstreamObstacle {
  /** Completes "<provider> …". */
  readonly happened: string;
  readonly remedy: string;
  /** Absent = something is not set up. */
  readonly code?: 'bad_request';
}

/** The request as sent, without credential; shown as `request_payload`. */
export type RequestPayload = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject | null;
};

export interface UpstreamFailure {
  readonly code: RunErrorCode;
  /** For the caller: names the provider and the remedy; never upstream text, never a secret. */
  readonly message: string;
  readonly httpStatus: number | null;
  readonly retryable: boolean;
  readonly retryAfterMs: number | null;
}

interface Common {
  /** Requests that may have reached the provider, retry included. */
  readonly calls: number;
  /** Wall time with waits and retry, integer; null when nothing was attempted. */
  readonly latencyMs: number | null;
  /** The part of it spent waiting for a slot, integer. */
  readonly waitedMs: number;
  /**
   * The last answer's JSON object (another value, or text, as `{body}`); null without an answer.
   */
  readonly raw: JsonObject | null;
  /** Parts that the provider refuses, and that the request was sent without. */
  readonly leftOut: readonly OptionalPart[];
  /**
   * The last four characters of the key that it was sent with last; null = it was not sent, or
   * without a key, or with one that is too short to be shown.
   */
  readonly keyTail: string | null;
  /** For `UpstreamRequest.sentBy`; undefined = there was one key and one address. */
  readonly sentBy: string | undefined;
  /** The address that it was sent to last, or would have been; null = absent. */
  readonly baseUrl: string | null;
}

export type UpstreamResult<Value> =
  | (Common & { readonly status: 'succeeded'; readonly value: Value })
  | (Common & { readonly status: 'failed'; readonly failure: UpstreamFailure });

export interface UpstreamRequest<Value> {
  readonly target: UpstreamTarget;
  /**
   * The caller that takes turns for the provider's slots: of `callerIdOf`, or `OWN_CALLER`.
   */
  readonly callerId: string;
  readonly call: HttpCall;
  /**
   * Reads the answer's JSON; undefined = not the provider's well-formed answer. `now` of this and
   * the next two is the time of the answer, in milliseconds since 1970.
   */
  readonly read: (json: unknown, now: number) => Value | undefined;
  /**
   * Whether a value that was read says that nothing was found, for metrics; absent = it never does.
   */
  isEmpty?(value: Value): boolean;
  /** Reads a successful answer that is not JSON; absent = such an answer is unusable. */
  readonly readText?: ((text: string, now: number) => Value | undefined) | undefined;
  /**
   * Reads an answer whose status is not 2xx but that is still an answer: nothing found, or a
   * verdict about the page. undefined = a failure.
   */
  readonly readFailedAnswer?:
    | ((answer: FailedAnswer, now: number) => Value | undefined)
    | undefined;
  /**
   * The same member of an earlier result that this call continues, such as a job that only the key
   * that began it may read: no other key or address is used.
   */
  readonly sentBy?: string | undefined;
  /** Parts that the call can be sent without. */
  readonly optionalParts?: readonly OptionalPart[] | undefined;
  /** Ends the call early, as `cancelled`. */
  readonly signal: AbortSignal;
  /**
   * Deadline of the whole request, in milliseconds since 1970; ends the wait and the call as
   * `timeout`.
   */
  readonly deadlineAt: number;
  /**
   * Less time than the provider's own, in milliseconds, as where another provider is asked next. A
   * call that this one ends is a `timeout` and says nothing about the provider. Absent = the
   * provider's own.
   */
  readonly timeLimitMs?: number | undefined;
  /** Limit of the wait for a slot, in milliseconds; absent = until the deadline. */
  readonly waitMs?: number | undefined;
  /** Retry once where that is safe. */
  readonly retry: boolean;
  /**
   * A probe: it is sent while the circuit is open too. There a success closes the circuit, unless a
   * rate limit opened it, and a failure changes nothing.
   */
  readonly evenIfOpen?: boolean | undefined;
  /**
   * The caller changed the provider's request, so only a rate limit or a refused key counts against
   * the provider.
   */
  readonly overridden: boolean;
}

/** The only way to a provider. Never throws. */
export interface UpstreamRunner {
  run<Value>(request: UpstreamRequest<Value>): Promise<UpstreamResult<Value>>;
  close(): Promise<void>;
}
