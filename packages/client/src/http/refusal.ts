import type { ValidationIssue } from '../contract/types.ts';
import type { Refusal } from '../values/errors.ts';
import { isObject, parsedJson } from '../values/json.ts';

const MESSAGE_CHARACTERS = 500;

/** Reads an error response. A body of neither family, such as a proxy's page, is quoted in part. */
export function readRefusal(status: number, headers: Headers, text: string): Refusal {
  return {
    ...refusalOf(parsedJson(text) ?? text, status),
    requestId: headers.get('x-request-id'),
    retryAfterMs: retryAfterMs(headers.get('retry-after')),
  };
}

/** The same for a body that arrived as an event of a stream (status null). */
export function refusalOf(body: unknown, status: number | null): Refusal {
  const outer = isObject(body) ? body : {};
  const typed = isObject(outer.error) ? outer.error : {};
  const issues = Array.isArray(outer.detail) ? outer.detail.filter(isIssue) : [];
  const reason = text(typed.message) ?? text(outer.detail);
  const message = reason ?? issuesText(issues) ?? quoted(body);
  const hint = text(outer.hint);
  return {
    status,
    code: text(typed.code) ?? text(outer.code) ?? codeOf(status),
    message: `${status === null ? '' : `${status}: `}${message}${hinted(hint)}`,
    reason,
    param: text(typed.param),
    issues,
    hint: hint ?? issues.find((issue) => issue.hint)?.hint ?? null,
    sessionId: text(typed.session_id),
    interactionId: text(typed.interaction_id),
    requestId: null,
    retryAfterMs: null,
    body,
  };
}

/** Codes of the typed family by status, so that a code means the same on all routes. */
const CODES: Readonly<Record<number, string>> = {
  401: 'unauthorized',
  402: 'budget_exceeded',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  429: 'rate_limited',
  500: 'internal_error',
};

function codeOf(status: number | null): string | null {
  if (status === null) return null;
  return CODES[status] ?? (status < 500 ? 'invalid_request' : 'unavailable');
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const isIssue = (value: unknown): value is ValidationIssue =>
  isObject(value) && Array.isArray(value.loc) && typeof value.msg === 'string';

function issuesText(issues: readonly ValidationIssue[]): string | null {
  if (issues.length === 0) return null;
  const shown = issues
    .slice(0, 3)
    .map((issue) => `${issue.loc.join('.')}: ${issue.msg}${hinted(issue.hint)}`);
  const more = issues.length > 3 ? [`and ${issues.length - 3} more`] : [];
  return [...shown, ...more].join('; ');
}

const hinted = (hint: string | null | undefined): string => (hint ? ` (${hint})` : '');

function quoted(body: unknown): string {
  const content = typeof body === 'string' ? body : JSON.stringify(body);
  return content.trim() === ''
    ? 'no reason was given'
    : content.trim().slice(0, MESSAGE_CHARACTERS);
}

/** Seconds or a date, in milliseconds from now. */
function retryAfterMs(header: string | null): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}
