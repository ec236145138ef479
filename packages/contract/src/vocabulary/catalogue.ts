/**
 * Every code a caller can meet. Append-only: `test/codes.committed.json` holds the codes that were
 * published, and a test fails when one of them is missing.
 */

/** Non-fatal adjustments, reported together with the result. */
export const WARNINGS = {
  capability_gap: 'The provider cannot supply this field for this request.',
  count_clamped: 'A result count was lowered to what is allowed.',
  provider_skipped:
    'A provider was left out: its name in the default set or in the profile of the key is unknown, it cannot apply all filters of a strict request, or the key allows no training and its vendor trains models on what is sent, or may.',
  routing_unavailable: 'Topics could not be determined; the query ran on the default providers.',
  provider_error: 'A provider failed, on this page or query, and another one may have answered.',
  relative_links: 'The page text holds site-relative links that were left as they are.',
  upstream_error: 'The target answered the provider with an error.',
  content_truncated: 'The page text was cut to the requested length.',
  fallback_used: 'No provider that ran first succeeded for this query; this one ran after them.',
  upstream_warning: 'The provider sent something that had to be left out, or added a remark.',
  keyless_mode: 'The provider was asked without a key, within a small allowance.',
  filter_unsupported: 'A filter could not be applied at this provider.',
  focus_ignored: 'The option focus had no effect on this page.',
  provider_last: 'A provider whose answers went bad comes last.',
  novelty_ignored: 'The option novelty had no effect on this search.',
  nothing_fits: 'No passage of a context fits into max_tokens.',
  left_out_by_cost: 'Providers were left out so that the call costs no more than max_cost_usd.',
  cost_above_cap:
    'A provider reports a higher cost than its list price, and the call cost more than max_cost_usd.',
  filter_overridden: 'A parameter of provider_overrides was sent instead of a filter.',
} as const;
export type WarningCode = keyof typeof WARNINGS;

/** Why a provider run failed. `remedy` completes the message shown to the caller. */
export const RUN_ERRORS = {
  missing_credential: { retryable: false, remedy: 'set its API key in the server settings' },
  invalid_credential: { retryable: false, remedy: 'check its API key in the server settings' },
  rate_limited: { retryable: true, remedy: 'send fewer requests or try again later' },
  quota_exhausted: { retryable: false, remedy: 'top up or raise the plan with the provider' },
  bad_request: { retryable: false, remedy: 'check the query or URL' },
  timeout: { retryable: true, remedy: 'try again, or raise its timeout setting' },
  network_error: { retryable: true, remedy: 'try again, or check its base URL and the proxy' },
  upstream_error: { retryable: true, remedy: 'try again later' },
  bad_response: {
    retryable: true,
    remedy: 'try again; if it keeps failing, report it with the request id',
  },
  circuit_open: { retryable: true, remedy: 'wait until the cool-down is over' },
  cancelled: { retryable: true, remedy: 'send the request again' },
  internal_error: { retryable: false, remedy: 'report it with the request id' },
} as const;
export type RunErrorCode = keyof typeof RUN_ERRORS;

/** Codes of the typed envelope (fetch routes) and the HTTP status each travels with. */
export const TYPED_ERRORS = {
  missing_urls: 422,
  invalid_url: 422,
  over_url_cap: 400,
  duplicate_urls: 422,
  invalid_kind: 400,
  invalid_session: 422,
  invalid_request: 422,
  unknown_provider: 400,
  provider_unavailable: 502,
  unauthorized: 401,
  forbidden: 403,
  refused_by_rule: 403,
  not_found: 404,
  method_not_allowed: 405,
  payload_too_large: 413,
  not_recorded: 409,
  unsupported_media_type: 415,
  rate_limited: 429,
  budget_exceeded: 402,
  max_cost_exceeded: 402,
  unavailable: 503,
  internal_error: 500,
} as const;
export type TypedErrorCode = keyof typeof TYPED_ERRORS;

/** Those of them that the other routes answer next to `detail`, since a program acts on them. */
export const DETAIL_CODES = [
  'not_recorded',
  'max_cost_exceeded',
  'refused_by_rule',
] as const satisfies readonly TypedErrorCode[];

/** In the answers to requests without a key, or with a wrong one. */
export const HOW_TO_SEND_KEY = 'send the header Authorization: Bearer <API key>';

/** Whether a request that ends with an error has called providers, which cost money. */
export type AskedBefore = 'no' | 'yes' | 'maybe';

/** What an error status says, and whether sending the same request again may help. */
interface ErrorStatus {
  readonly meaning: string;
  readonly asked: AskedBefore;
  readonly retry: string;
}

/** Every error status that a route answers. */
export const ERROR_STATUSES = {
  400: {
    meaning: 'The request contradicts itself or names something unknown.',
    asked: 'no',
    retry: 'no: fix the request',
  },
  401: { meaning: 'Missing or invalid API key.', asked: 'no', retry: 'no: send a valid key' },
  402: {
    meaning: 'A monthly budget is used up, or the call would cost more than `max_cost_usd`.',
    asked: 'no',
    retry:
      'when the budget is raised or starts again; with a higher cap, or providers that cost less',
  },
  403: {
    meaning: 'The key may not do this, or a web rule refuses it.',
    asked: 'no',
    retry: 'no: use another key; leave out what the rule refuses',
  },
  404: { meaning: 'Unknown, or of another project.', asked: 'no', retry: 'no' },
  405: { meaning: 'The path accepts other methods; see Allow.', asked: 'no', retry: 'no' },
  409: {
    meaning: 'What was recorded lacks what this needs, or is in use.',
    asked: 'no',
    retry: 'no: send the request itself; where a run is in progress, when it has ended',
  },
  413: { meaning: 'The body is too large.', asked: 'no', retry: 'no: send less' },
  415: {
    meaning: 'The body is not plain JSON in UTF-8.',
    asked: 'no',
    retry: 'no: send Content-Type: application/json',
  },
  422: { meaning: 'Validation failed.', asked: 'no', retry: 'no: fix the request' },
  429: {
    meaning: 'Too many requests; see Retry-After.',
    asked: 'no',
    retry: 'after the seconds of Retry-After',
  },
  500: {
    meaning: 'An error of the service itself.',
    asked: 'maybe',
    retry: 'once; if it keeps failing, report it with the request id',
  },
  502: {
    meaning: 'No pinned provider could be reached.',
    asked: 'yes',
    retry: 'later, or with other providers',
  },
  503: {
    meaning: 'The service cannot answer now; see Retry-After.',
    asked: 'maybe',
    retry: 'after the seconds of Retry-After',
  },
} as const satisfies Record<number, ErrorStatus>;

/** Why one page of a fetch failed, in addition to the run codes above. */
export const ROW_ERRORS = {
  not_found: 'The page does not exist (404 or 410).',
  blocked: 'The site refused automated access, or a web rule refuses the page.',
  paywall: 'The page is behind a paywall or a sign-in.',
  payment_required: 'The site asks for payment for this page (402).',
  empty_page: 'The page has no readable text.',
  target_error: 'The site answered with an error.',
  timeout: 'The page did not answer, or could not be read, in time.',
  too_large: 'The page is larger than the limit.',
  unsupported_type: 'The content type cannot be read as text.',
  dns_error: 'The host name is unknown.',
  forbidden_address: 'The address is private, or must not be fetched for another reason.',
  declined: 'No provider of the chain accepts this URL.',
  over_cost: 'No call for this page fits into max_cost_usd.',
  provider_error: 'The provider could not read the page and gives no clearer reason.',
} as const;
export type RowErrorCode = keyof typeof ROW_ERRORS | RunErrorCode;

/** What a step of a page's chain may have in addition to the codes of a failed page. */
export const STEP_CODES = {
  low_quality:
    'The text of the page is probably not good, so another provider’s was asked for, or is returned.',
} as const;
export type StepCode = keyof typeof STEP_CODES;

/** `type` values of a 422 entry, as Pydantic 2 names them. */
export const VALIDATION_TYPES = [
  'missing',
  'string_type',
  'int_type',
  'int_from_float',
  'int_parsing',
  'bool_type',
  'bool_parsing',
  'list_type',
  'dict_type',
  'model_attributes_type',
  'literal_error',
  'extra_forbidden',
  'greater_than_equal',
  'less_than_equal',
  'too_long',
  'too_short',
  'string_too_short',
  'string_too_long',
  'uuid_type',
  'uuid_parsing',
  'datetime_from_date_parsing',
  'json_invalid',
  'value_error',
] as const;
export type ValidationType = (typeof VALIDATION_TYPES)[number];
