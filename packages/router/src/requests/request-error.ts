import type { ERROR_STATUSES, TypedErrorCode, ValidationIssue, WebRule } from '@trawl/contract';

/** The shape of a route's errors. */
export type ErrorStyle = 'detail' | 'typed';

/** Every error status of the contract except that of unexpected faults. */
export type RefusalStatus = Exclude<keyof typeof ERROR_STATUSES, 500>;

/** The typed envelope's part of a refusal; the `detail` family omits it. */
export interface TypedPart {
  readonly code: TypedErrorCode;
  readonly param?: string;
  /** Of `refused_by_rule`. */
  readonly rule?: WebRule;
  readonly interactionId?: string;
  readonly sessionId?: string;
  /** Why each provider has no page. */
  readonly causes?: readonly { readonly provider: string; readonly code: string }[];
}

/**
 * A request that is refused, in words for the caller. The HTTP layer renders it in the route's
 * error style. `detail` is text, or the list of a 422 of the `detail` family.
 */
export class RequestError extends Error {
  readonly status: RefusalStatus;
  readonly detail: string | readonly ValidationIssue[];
  readonly typed: TypedPart | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** What to write instead, in one sentence; entries of a list have their own. */
  readonly hint: string | undefined;

  constructor(
    status: RefusalStatus,
    detail: string | readonly ValidationIssue[],
    options: {
      typed?: TypedPart;
      headers?: Readonly<Record<string, string>>;
      hint?: string | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(typeof detail === 'string' ? detail : 'validation failed', { cause: options.cause });
    this.status = status;
    this.detail = detail;
    this.typed = options.typed;
    this.headers = options.headers ?? {};
    this.hint = options.hint;
  }

  /** The same refusal with further headers. */
  withHeaders(headers: Readonly<Record<string, string>>): RequestError {
    const { status, detail, typed, hint, cause } = this;
    return new RequestError(status, detail, {
      ...(typed && { typed }),
      headers: { ...this.headers, ...headers },
      hint,
      cause,
    });
  }
}

/** A fault in one place of what was sent. @param loc such as `['path', 'interaction_id']` */
export function invalidAt(
  loc: readonly (string | number)[],
  fault: string,
  input: unknown,
): RequestError {
  const msg = `Value error, ${fault}`;
  return new RequestError(422, [
    { type: 'value_error', loc: [...loc], msg, input, ctx: { error: fault } },
  ]);
}

/** A refusal after which the answer may still be recorded. */
export class OutcomeUnknownError extends RequestError {}

/** A request whose caller left before anything was done for it. No one sees the answer. */
export class CallerLeftError extends Error {}
