import {
  type Failure,
  type FetchAnswer,
  failures,
  type SearchAnswer,
} from '../contract/answers.ts';
import type { ValidationIssue } from '../contract/types.ts';

/**
 * Why a call failed.
 * - `usage`: it was wrong before anything was sent
 * - `api`: the server refused it (a {@link TrawlApiError})
 * - `connection`: the server was not reached, or the connection broke
 * - `timeout`, `aborted`: its time was over, or the caller aborted it
 * - `response`: the answer is not a valid answer
 * - `failed`: it was answered, but nothing succeeded, and `throwOnFailure` is set (a
 *   {@link TrawlFailedError})
 */
export type TrawlErrorKind =
  | 'usage'
  | 'api'
  | 'connection'
  | 'timeout'
  | 'aborted'
  | 'response'
  | 'failed';

export interface TrawlErrorDetails {
  readonly cause?: unknown;
  /**
   * The key of the request: send it again with the same body to get the missed answer without
   * paying again.
   */
  readonly idempotencyKey?: string | undefined;
  readonly code?: string | undefined;
}

const BRAND = Symbol.for('trawl.error');

/** Everything the client throws. */
export class TrawlError extends Error {
  override name = 'TrawlError';
  readonly kind: TrawlErrorKind;
  readonly idempotencyKey: string | undefined;
  /**
   * What failed, for programs, if that is known better than by `kind`: `server_speaks_http`, or a
   * code of the server.
   */
  readonly code: string | null;

  constructor(kind: TrawlErrorKind, message: string, details: TrawlErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.kind = kind;
    this.idempotencyKey = details.idempotencyKey;
    this.code = details.code ?? null;
    Object.defineProperty(this, BRAND, { value: true });
  }

  toJSON(): object {
    const { name, kind, message, code, idempotencyKey } = this;
    const known = {
      ...(code && { code }),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    };
    return { name, kind, message, ...known };
  }
}

/** The content of an error response, of either error family. */
export interface Refusal {
  /** null: it came as an event of a stream that had begun. */
  readonly status: number | null;
  /**
   * `error.code` of the typed family (fetch); new codes may be added. The other family lacks codes:
   * there it follows from the status, such as `unauthorized` or `rate_limited`. null only for an
   * error event of a stream that names none.
   */
  readonly code: string | null;
  /** For a person: status, reason, issues and hint in one text. */
  readonly message: string;
  /** What the answer says; null if it lists issues instead, or its body is of neither family. */
  readonly reason: string | null;
  /** The faulty field, of the typed family. */
  readonly param: string | null;
  /** All faults of a 422 of the `detail` family; else empty. */
  readonly issues: readonly ValidationIssue[];
  /**
   * What to send instead: the first hint of the `detail` family. The typed family has it in the
   * message.
   */
  readonly hint: string | null;
  /** Set when the interaction was recorded although it was refused (`provider_unavailable`). */
  readonly sessionId: string | null;
  readonly interactionId: string | null;
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;
  /** The body as it was read: JSON, or text. */
  readonly body: unknown;
}

/**
 * The server refused the call. Failed runs of an answer are not errors: see `failures` and
 * `throwOnFailure`.
 */
export class TrawlApiError extends TrawlError implements Refusal {
  override name = 'TrawlApiError';
  declare readonly status: number | null;
  declare readonly code: string | null;
  declare readonly reason: string | null;
  declare readonly param: string | null;
  declare readonly issues: readonly ValidationIssue[];
  declare readonly hint: string | null;
  declare readonly sessionId: string | null;
  declare readonly interactionId: string | null;
  declare readonly requestId: string | null;
  declare readonly retryAfterMs: number | null;
  declare readonly body: unknown;

  constructor(refusal: Refusal, details: TrawlErrorDetails = {}) {
    super('api', refusal.message, details);
    Object.assign(this, refusal);
  }

  override toJSON(): object {
    const { status, code, param, issues, hint } = this;
    const { sessionId, interactionId, requestId, retryAfterMs } = this;
    const own = { status, code, param, issues, hint };
    return { ...super.toJSON(), ...own, sessionId, interactionId, requestId, retryAfterMs };
  }
}

/**
 * Nothing in the answer succeeded, and the call had `throwOnFailure`. It was recorded, and may have
 * been billed.
 */
export class TrawlFailedError extends TrawlError {
  override name = 'TrawlFailedError';
  /** The code that all failures share, otherwise `all_failed`. */
  override readonly code: string;
  readonly answer: SearchAnswer | FetchAnswer;
  readonly failures: readonly Failure[];

  constructor(answer: SearchAnswer | FetchAnswer, details: TrawlErrorDetails = {}) {
    const all = failures(answer);
    const reasons = [...new Set(all.map(({ message }) => message))];
    const more = reasons.length > 3 ? [`and ${reasons.length - 3} more`] : [];
    super('failed', `nothing succeeded: ${[...reasons.slice(0, 3), ...more].join('; ')}`, details);
    const codes = new Set(all.map(({ code }) => code));
    this.code = codes.size === 1 ? String([...codes][0]) : 'all_failed';
    this.answer = answer;
    this.failures = all;
  }

  override toJSON(): object {
    const { code, failures: all, answer } = this;
    const { session_id: sessionId, interaction_id: interactionId } = answer;
    return { ...super.toJSON(), code, failures: all, sessionId, interactionId };
  }
}

/** Whether an error is one of this client, including those of another copy of this package. */
export const isTrawlError = (error: unknown): error is TrawlError =>
  typeof error === 'object' && error !== null && BRAND in error;

/** Whether the server refused the call; with `code`, with that code. */
export const isApiError = (error: unknown, code?: string): error is TrawlApiError =>
  isTrawlError(error) &&
  error.kind === 'api' &&
  (code === undefined || (error as TrawlApiError).code === code);

/** The body or a parameter failed validation (422): `issues` or `param` say where. */
export const isValidationError = (error: unknown): error is TrawlApiError =>
  isApiError(error) && error.status === 422;

/** Too many requests (429): `retryAfterMs` says when to retry. */
export const isRateLimited = (error: unknown): error is TrawlApiError =>
  isApiError(error) && error.status === 429;

/** No key, a wrong key, or one that may not do this (401, 403). */
export const isAuthError = (error: unknown): error is TrawlApiError =>
  isApiError(error) && (error.status === 401 || error.status === 403);

/** A pinned fetch reached no page. It was recorded and billed, so the client never retries it. */
export const isProviderUnavailable = (error: unknown): error is TrawlApiError =>
  isApiError(error, 'provider_unavailable');

/** Nothing in the answer succeeded, and the call had `throwOnFailure`. */
export const isFailedError = (error: unknown): error is TrawlFailedError =>
  isTrawlError(error) && error.kind === 'failed';
