import { z } from 'zod';
import { DETAIL_ERRORS, TYPED_ERROR_EXAMPLES } from '../examples/errors.ts';
import { ID } from '../examples/ids.ts';
import type { Route } from '../routes/routes.ts';
import { DetailError, TypedError, ValidationError } from '../schemas/errors.ts';
import { type AskedBefore, ERROR_STATUSES, HOW_TO_SEND_KEY } from '../vocabulary/catalogue.ts';
import { type OpenApiObject, schemaOf } from './openapi-schemas.ts';
import type { Examples } from './route-examples.ts';

const header = (description: string, schema: OpenApiObject, example: unknown): OpenApiObject => ({
  description,
  schema,
  example,
});
const integer: OpenApiObject = { type: 'integer', minimum: 0 };
const limited = 'Sent where the key or its project has a rate limit.';

/** Headers of answers, by name. */
export const HEADERS = {
  'X-Request-Id': header(
    'Id of the request: the `X-Request-Id` that was sent, otherwise a new one. It is also in the log.',
    { type: 'string' },
    ID.request,
  ),
  'RateLimit-Limit': header(`Requests a minute. ${limited}`, integer, 60),
  'RateLimit-Remaining': header(`How many of them are left. ${limited}`, integer, 59),
  'RateLimit-Reset': header(`Seconds until one more is allowed. ${limited}`, integer, 1),
  'Idempotency-Replayed': header(
    '`true` where this is the answer to an earlier request with the same key; absent otherwise.',
    { type: 'string', enum: ['true'] },
    'true',
  ),
  'X-Trawl-Interaction-Id': header(
    'Of a text answer: the interaction that it shows; absent otherwise.',
    { type: 'string', format: 'uuid' },
    ID.interaction,
  ),
  'X-Trawl-Session-Id': header(
    'Of a text answer: the session of that interaction; absent otherwise.',
    { type: 'string', format: 'uuid' },
    ID.session,
  ),
  'Retry-After': header('Seconds to wait before trying again.', integer, 5),
  'WWW-Authenticate': header(
    'The header that a request needs, and its form.',
    { type: 'string' },
    `Bearer realm="trawl", error="invalid_request", error_description="Missing API key: ${HOW_TO_SEND_KEY}"`,
  ),
} as const;
type HeaderName = keyof typeof HEADERS;

const TEXT_HEADERS = ['X-Trawl-Interaction-Id', 'X-Trawl-Session-Id'] as const;
const RATE_LIMIT = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const;

/** The name of the error of each status, and its headers. */
const ERRORS = {
  400: ['BadRequest'],
  401: ['Unauthorized', ['WWW-Authenticate']],
  402: ['BudgetExceeded'],
  403: ['Forbidden'],
  404: ['NotFound'],
  409: ['NotRecorded'],
  413: ['PayloadTooLarge'],
  415: ['UnsupportedMediaType'],
  422: ['ValidationFailed'],
  429: ['TooManyRequests', ['Retry-After', ...RATE_LIMIT]],
  500: ['InternalError'],
  502: ['ProviderUnavailable'],
  503: ['Unavailable', ['Retry-After']],
} as const satisfies Record<number, readonly [string, (readonly HeaderName[])?]>;
type ErrorStatus = keyof typeof ERRORS;

/**
 * The errors that a route answers, as references; the responses themselves are put into the
 * components.
 */
export function errorResponses(
  route: Route,
  responses: OpenApiObject,
  schemas: OpenApiObject,
): OpenApiObject {
  return Object.fromEntries(
    statusesOf(route).map((status) => {
      const name = `${route.errors === 'typed' ? 'Fetch' : ''}${ERRORS[status][0]}`;
      responses[name] ??= errorResponse(status, route.errors, schemas);
      return [status, { $ref: `#/components/responses/${name}` }];
    }),
  );
}

function statusesOf(route: Route): ErrorStatus[] {
  const needsKey = route.permission !== null;
  const occurs: Readonly<Record<ErrorStatus, boolean>> = {
    400: route.body !== undefined || route.hasDependents === true,
    401: needsKey,
    402: route.dryRun !== undefined,
    403: needsKey,
    404: namesRecord(route),
    409: route.executes !== undefined || route.status === 202,
    413: route.body !== undefined,
    415: route.body !== undefined,
    422: Boolean(route.body ?? route.query ?? route.params),
    429: needsKey,
    500: true,
    502: route.errors === 'typed',
    503: needsKey,
  };
  return (Object.keys(ERRORS).map(Number) as ErrorStatus[]).filter((status) => occurs[status]);
}

/** Whether it names a record, which may be unknown, or of another project. */
const namesRecord = ({ params, query, body }: Route): boolean =>
  params !== undefined ||
  [query, body].some(
    (part) => part instanceof z.ZodObject && RECORD_IDS.some((name) => name in part.shape),
  );

/** Names of records, and places in lists. */
const RECORD_IDS = [
  'after',
  'before',
  'session_id',
  'interaction_id',
  'project_id',
  'key_id',
  'watch_id',
];

function errorResponse(
  status: ErrorStatus,
  family: Route['errors'],
  schemas: OpenApiObject,
): OpenApiObject {
  const [, headers = []] = ERRORS[status];
  const isTyped = family === 'typed';
  const plain = status === 422 ? ValidationError : DetailError;
  const examples: Readonly<Partial<Record<ErrorStatus, Examples>>> = isTyped
    ? TYPED_ERROR_EXAMPLES
    : DETAIL_ERRORS;
  return {
    description: descriptionOf(status),
    headers: headerReferences(headers),
    content: {
      'application/json': {
        schema: schemaOf(isTyped ? TypedError : plain, 'output', schemas),
        examples: examples[status],
      },
    },
  };
}

const PAID: Readonly<Record<AskedBefore, string>> = {
  no: '',
  yes: ' Providers have been called and paid.',
  maybe: ' Providers may have been called and paid.',
};

function descriptionOf(status: ErrorStatus): string {
  const { meaning, asked, retry } = ERROR_STATUSES[status];
  return `${meaning}${PAID[asked]} Try again: ${retry}.`;
}

/** The headers of an answer that is not an error. */
export function answerHeaders({
  permission,
  executes,
  isRepeatable,
  hasText,
}: Pick<Route, 'permission' | 'executes' | 'isRepeatable' | 'hasText'>): OpenApiObject {
  return headerReferences([
    ...(permission === null ? [] : RATE_LIMIT),
    ...((executes ?? isRepeatable) ? (['Idempotency-Replayed'] as const) : []),
    ...(hasText ? TEXT_HEADERS : []),
  ]);
}

const headerReferences = (names: readonly HeaderName[]): OpenApiObject =>
  Object.fromEntries(
    (['X-Request-Id', ...names] as const).map((name) => [
      name,
      { $ref: `#/components/headers/${name}` },
    ]),
  );
