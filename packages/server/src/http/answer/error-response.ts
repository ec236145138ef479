import { DETAIL_CODES, type ErrorBody, ROUTES, type TypedErrorCode } from '@trawl/contract';
import { type ErrorStyle, type RefusalStatus, RequestError } from '@trawl/router';

/** The answer to an error, without the headers that every answer has. */
export interface ErrorAnswer {
  readonly status: number;
  readonly body: ErrorBody;
  readonly headers: Readonly<Record<string, string>>;
}

const CODES: Readonly<Record<RefusalStatus, TypedErrorCode>> = {
  400: 'invalid_request',
  401: 'unauthorized',
  402: 'budget_exceeded',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'not_recorded',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  422: 'invalid_request',
  429: 'rate_limited',
  502: 'provider_unavailable',
  503: 'unavailable',
};

/** Headers that a refusal of this status needs, unless it has its own. */
const STATUS_HEADERS: Readonly<Partial<Record<RefusalStatus, Readonly<Record<string, string>>>>> = {
  429: { 'retry-after': '1' },
  503: { 'retry-after': '5' },
};

const INTERNAL = 'Internal server error';

const typedPaths = Object.values(ROUTES)
  .filter((route) => route.errors === 'typed')
  .map((route): string => route.path);

/** The error style of a path: typed on the typed routes and below them, even for unknown routes. */
export function errorStyleOf(path: string): ErrorStyle {
  const isTyped = typedPaths.some((typed) => path === typed || path.startsWith(`${typed}/`));
  return isTyped ? 'typed' : 'detail';
}

/** A thrown value in the route's error style. Other errors show no details. */
export function errorAnswer(error: unknown, style: ErrorStyle, requestId: string): ErrorAnswer {
  if (!(error instanceof RequestError)) {
    const message = `${INTERNAL} (request ${requestId})`;
    const body =
      style === 'typed' ? { error: { code: 'internal_error', message } } : { detail: INTERNAL };
    return { status: 500, body, headers: {} };
  }
  return {
    status: error.status,
    body: style === 'typed' ? typedBody(error) : detailBody(error),
    headers: { ...STATUS_HEADERS[error.status], ...lowerCased(error.headers) },
  };
}

function detailBody({ detail, hint, typed }: RequestError): ErrorBody {
  if (typeof detail !== 'string') return { detail: [...detail] };
  const code = DETAIL_CODES.find((one) => one === typed?.code);
  const rule = typed?.rule;
  return {
    detail,
    ...(code && { code }),
    ...(rule && { rule }),
    ...(hint !== undefined && { hint }),
  };
}

/**
 * 401 and 403 have `detail` too, and the hint next to it. Elsewhere the hint is part of the
 * message.
 */
function typedBody(error: RequestError): ErrorBody {
  const { typed, status } = error;
  const text = messageOf(error);
  const hasDetail = status === 401 || status === 403;
  const message = hasDetail || error.hint === undefined ? text : `${text}; ${error.hint}`;
  const envelope = {
    code: typed?.code ?? CODES[status],
    message,
    ...(typed?.param === undefined ? {} : { param: typed.param }),
    ...(typed?.rule === undefined ? {} : { rule: typed.rule }),
    ...(typed?.interactionId === undefined ? {} : { interaction_id: typed.interactionId }),
    ...(typed?.sessionId === undefined ? {} : { session_id: typed.sessionId }),
    ...(typed?.causes === undefined ? {} : { causes: [...typed.causes] }),
  };
  if (!hasDetail) return { error: envelope };
  return { error: envelope, detail: text, ...(error.hint !== undefined && { hint: error.hint }) };
}

function messageOf({ detail }: RequestError): string {
  return typeof detail === 'string' ? detail : (detail[0]?.msg ?? 'Validation failed');
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}
