import {
  ROW_ERRORS,
  type RowErrorCode,
  RUN_ERRORS,
  type RunErrorCode,
  type Warning,
  type WebRule,
} from '@trawl/contract';
import type { PageVerdict } from '@trawl/providers';
import type { UpstreamFailure } from '@trawl/upstream';
import type { FetchAttempt } from './attempt.ts';

/** The reason for a missing page, as in a row's `error`. */
export interface PageFailure {
  readonly code: RowErrorCode;
  readonly message: string;
  /** The finding in one word, such as `bot_check`; null where the code is enough. */
  readonly reason: string | null;
  /** The web rule that refused the page; absent = none did. */
  readonly rule?: WebRule | undefined;
  readonly provider: string | null;
  readonly retryable: boolean;
  /** The target's status; a provider's own status says nothing about the page. */
  readonly httpStatus: number | null;
  /** Text that came with it. */
  readonly content: string | null;
  /** Providers that were asked. */
  readonly attempts: number;
}

/** Verdicts that may change with time. */
const PASSING: ReadonlySet<RowErrorCode> = new Set<RowErrorCode>([
  'target_error',
  'timeout',
  'provider_error',
]);

const isRunCode = (code: RowErrorCode): code is RunErrorCode => code in RUN_ERRORS;

export function failureOf(provider: string, failed: PageVerdict | UpstreamFailure): PageFailure {
  if ('message' in failed) {
    const { code, message, retryable } = failed;
    return {
      code,
      message,
      reason: null,
      provider,
      retryable,
      httpStatus: null,
      content: null,
      attempts: 0,
    };
  }
  const { code, reason, rule, httpStatus, content = null, meaning = meaningOf(code) } = failed;
  return {
    code,
    message: `${provider} could not deliver the page (${detail(reason, httpStatus)}): ${meaning}`,
    reason,
    rule,
    provider,
    retryable: PASSING.has(code) || (isRunCode(code) && RUN_ERRORS[code].retryable),
    httpStatus,
    content,
    attempts: 0,
  };
}

function meaningOf(code: RowErrorCode): string {
  if (code in ROW_ERRORS) return ROW_ERRORS[code as keyof typeof ROW_ERRORS];
  return isRunCode(code) ? RUN_ERRORS[code].remedy : code;
}

const detail = (reason: string, httpStatus: number | null): string =>
  httpStatus === null ? reason : `${reason}, HTTP ${httpStatus}`;

/**
 * The warning that a failed attempt leaves on its row: `provider_error` with provider, code and
 * status, unless the page itself came with a remark that the target answered with an error.
 */
export function attemptWarning(
  attempt: FetchAttempt,
  failure: PageFailure | null,
): readonly Warning[] {
  if (failure === null) return [];
  const { provider } = attempt;
  if (attempt.kind === 'page') {
    const remarks = attempt.page.remarks.filter(({ code }) => code === 'upstream_error');
    if (remarks.length > 0) return remarks;
  }
  const status = attempt.kind === 'failed' ? attempt.failure.httpStatus : failure.httpStatus;
  const { code, reason } = failure;
  const said = reason === null || reason === code ? code : `${code} (${reason})`;
  const message = `${provider}: ${said}${status === null ? '' : `, HTTP ${status}`}`;
  return [{ code: 'provider_error', message }];
}
