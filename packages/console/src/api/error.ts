import type { ErrorBody, ValidationIssue } from '@trawl/contract';

/** Everything that an answer says about a failed call. */
interface Failure {
  /** 0 without an answer. */
  readonly status: number;
  readonly detail: string;
  readonly issues?: readonly ValidationIssue[];
  readonly hint?: string | undefined;
  readonly param?: string | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly recorded?: RecordedFailure | undefined;
}

/** Where a request that failed is recorded: it was sent to providers, and is billed. */
export interface RecordedFailure {
  readonly sessionId: string;
  readonly interactionId: string;
}

/** A call of the API that did not succeed. */
export class ApiError extends Error {
  readonly status: number;
  /** One text for a person to read. */
  readonly detail: string;
  /** The faults of the input, in an answer of 422. */
  readonly issues: readonly ValidationIssue[];
  readonly hint: string | undefined;
  /** The field that a route of the API names: `urls[0]`. */
  readonly param: string | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly recorded: RecordedFailure | undefined;

  constructor(failure: Failure, options?: ErrorOptions) {
    super(failure.detail, options);
    this.name = 'ApiError';
    this.status = failure.status;
    this.detail = failure.detail;
    this.issues = failure.issues ?? [];
    this.hint = failure.hint;
    this.param = failure.param;
    this.requestId = failure.requestId;
    this.retryAfterSeconds = failure.retryAfterSeconds;
    this.recorded = failure.recorded;
  }
}

/** The error of an answer that is not a success. Reads its body. */
export async function errorOf(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => '');
  const retryAfter = Number.parseInt(response.headers.get('retry-after') ?? '', 10);
  return new ApiError({
    status: response.status,
    ...explained(bodyOf(text), response.status),
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: Number.isNaN(retryAfter) ? undefined : retryAfter,
  });
}

/** The error that an event of a stream holds: the body that a plain answer would have had. */
export const errorOfEvent = (body: ErrorBody): ApiError =>
  new ApiError({ status: 500, ...explained(body, 500) });

/** The error of a call without an answer. */
export function unreachable(cause: unknown): ApiError {
  return new ApiError({ status: 0, detail: 'The server did not answer' }, { cause });
}

function bodyOf(text: string): Partial<ErrorBody> | undefined {
  try {
    return JSON.parse(text);
  } catch {
    // a proxy may answer with a page
    return undefined;
  }
}

function explained(
  body: Partial<ErrorBody> | undefined,
  status: number,
): Pick<Failure, 'detail' | 'issues' | 'hint' | 'param' | 'recorded'> {
  if (!body) return { detail: `The server answered ${status}` };
  const hint = 'hint' in body ? body.hint : undefined;
  if ('error' in body && body.error) {
    const { message, param, session_id: sessionId, interaction_id: interactionId } = body.error;
    const recorded = sessionId && interactionId ? { sessionId, interactionId } : undefined;
    return { detail: message, hint, param, recorded };
  }
  const { detail } = body;
  if (Array.isArray(detail)) {
    const [first] = detail;
    return {
      detail: first ? `${first.loc.slice(1).join('.')}: ${first.msg}` : 'The input is not valid',
      issues: detail,
      hint: first?.hint,
    };
  }
  return { detail: detail ?? `The server answered ${status}`, hint };
}

/** The fault at one field of a form: `issueAt(error, 'body', 'name')`. Undefined without one. */
export function issueAt(
  error: unknown,
  ...place: readonly (string | number)[]
): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const found = error.issues.find(({ loc }) => loc.join('.') === place.join('.'));
  return found && [found.msg, found.hint].filter(Boolean).join('; ');
}
