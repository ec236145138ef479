import { HOW_TO_SEND_KEY } from '../vocabulary/catalogue.ts';
import { ID } from './ids.ts';

const one = (summary: string, value: unknown) => ({ example: { summary, value } });
const detail = (summary: string, text: string) => one(summary, { detail: text });
const typed = (summary: string, error: object) => one(summary, { error });

const NO_SESSION = 'Session not found';
const BUDGET =
  'The monthly budget of this API key is $5.00: $4.995 spent, and this request would cost about $0.012. The budget starts again on 2026-04-01 (UTC)';
const NOT_RECORDED =
  'This key answers from the records of one session alone, and that session has no such request: nothing was sent or billed';
const TOO_LARGE = 'The request body is larger than 1048576 bytes';
const NOT_JSON = 'Content-Type must be application/json';
const TOO_MANY = 'Too many requests: at most 60 a minute; the next may come in 1 s';
const STORE = 'The store cannot be read. Try again later.';
const NO_FETCHES = 'This API key may not execute fetches: it lacks the permission "fetch"';
const NO_KEY = 'Missing API key';

/** Refusals of the routes that answer `detail`, by status. */
export const DETAIL_ERRORS = {
  400: detail(
    'Unknown provider',
    'search.providers.include: unknown provider "nope"; available providers: exa, brave',
  ),
  401: one('No key', { detail: NO_KEY, hint: HOW_TO_SEND_KEY }),
  402: detail('Budget used up', BUDGET),
  403: detail(
    'Permission lacking',
    'This API key may not run searches: it lacks the permission "search"',
  ),
  404: detail('Unknown session', NO_SESSION),
  409: one('Not in the record', { detail: NOT_RECORDED, code: 'not_recorded' }),
  413: detail('Body too large', TOO_LARGE),
  415: detail('Not JSON', NOT_JSON),
  422: one('A number out of bounds', {
    detail: [
      {
        type: 'less_than_equal',
        loc: ['body', 'search', 'num_results'],
        msg: 'Input should be less than or equal to 20',
        input: 50,
        ctx: { le: 20 },
      },
    ],
  }),
  429: detail('Rate limit', TOO_MANY),
  500: detail('Defect', 'Internal server error'),
  503: detail('Store down', STORE),
} as const;

/** Refusals of the routes that answer the typed envelope, by status. */
export const TYPED_ERROR_EXAMPLES = {
  400: typed('Unknown provider', {
    code: 'unknown_provider',
    message: 'options.providers: unknown provider "nope"; available providers: jina, exa',
    param: 'options.providers[0]',
  }),
  401: one('No key', {
    error: { code: 'unauthorized', message: NO_KEY },
    detail: NO_KEY,
    hint: HOW_TO_SEND_KEY,
  }),
  402: typed('Budget used up', { code: 'budget_exceeded', message: BUDGET }),
  403: one('Permission lacking', {
    error: { code: 'forbidden', message: NO_FETCHES },
    detail: NO_FETCHES,
  }),
  404: typed('Session of another project', {
    code: 'invalid_session',
    message: NO_SESSION,
    param: 'session_id',
  }),
  409: typed('Not in the record', { code: 'not_recorded', message: NOT_RECORDED }),
  413: typed('Body too large', { code: 'payload_too_large', message: TOO_LARGE }),
  415: typed('Not JSON', { code: 'unsupported_media_type', message: NOT_JSON }),
  422: typed('Not a URL', {
    code: 'invalid_url',
    message: 'urls[0]: give an absolute http:// or https:// URL with a host',
    param: 'urls[0]',
  }),
  429: typed('Rate limit', { code: 'rate_limited', message: TOO_MANY }),
  500: typed('Defect', {
    code: 'internal_error',
    message: `Internal server error (request ${ID.request})`,
  }),
  502: typed('No page was reached', {
    code: 'provider_unavailable',
    message:
      'no page was reached through jina: jina limits the rate of requests (HTTP 429): send fewer requests or try again later. Without options.providers, others are asked too',
    interaction_id: ID.interaction,
    session_id: ID.session,
    causes: [{ provider: 'jina', code: 'rate_limited' }],
  }),
  503: typed('Store down', { code: 'unavailable', message: STORE }),
} as const;
