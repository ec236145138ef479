import { readJson } from '@trawl/base';
import type { FetchRow, RunError } from '@trawl/contract';
import type { StoredInteraction } from '../interaction/records.ts';
import { RequestError, type TypedPart } from '../requests/request-error.ts';
import { isRefusedHere } from './chain-result.ts';
import type { PageOptions } from './command.ts';
import type { FetchedPage } from './normalize.ts';

/**
 * Pinned, and every URL that a provider could be asked for failed before its target was reached: a
 * failure of the providers, not of the pages.
 */
export function isUnavailable(
  { pinned }: PageOptions,
  pages: readonly Pick<FetchedPage, 'result'>[],
): boolean {
  if (pinned === null) return false;
  const asked = pages.filter(({ result }) => !isRefusedHere(result));
  return (
    asked.length > 0 && asked.every(({ result }) => result.kind === 'failed' && !result.isReached)
  );
}

/** Each provider that was to be asked, with each reason why it has no page. */
export type Causes = readonly Cause[];
type Cause = NonNullable<TypedPart['causes']>[number];

export function causesOf(pages: readonly Pick<FetchedPage, 'result'>[]): Causes {
  const causes = pages.flatMap(({ result }) =>
    result.steps.flatMap(({ provider, code }) => (code === null ? [] : { provider, code })),
  );
  return [...new Map(causes.map((cause) => [`${cause.provider} ${cause.code}`, cause])).values()];
}

/** A run's error with the errors of its pages. */
type UnavailableError = RunError & {
  readonly causes: Causes;
  readonly rows: Pick<FetchRow, 'url' | 'error'>[];
};

/** The `error` of the recorded run, and of the caller's answer. */
export function unavailableError(
  providers: readonly string[],
  rows: readonly FetchRow[],
  causes: Causes,
): UnavailableError {
  const messages = [...new Set(rows.map(({ error }) => String(error?.message ?? '')))];
  const names = providers.join(', ');
  return {
    code: 'provider_unavailable',
    message: `no page was reached through ${names}: ${messages.slice(0, 3).join('; ')}. Without options.providers, others are asked too`,
    provider: names,
    http_status: null,
    retryable: rows.some(({ error }) => error?.retryable === true),
    retry_after_ms: null,
    warnings: [],
    causes,
    rows: rows.map(({ url, error }) => ({ url, error })),
  };
}

/** The refusal that follows the recording. */
export function providerUnavailable(
  { message, causes }: Pick<RunError, 'message'> & { readonly causes?: unknown },
  interactionId: string,
  sessionId: string,
): RequestError {
  const known = isCauses(causes) ? { causes } : {};
  const typed = { code: 'provider_unavailable', interactionId, sessionId, ...known } as const;
  return new RequestError(502, message, { typed });
}

/** Records of earlier versions have none. */
const isCauses = (causes: unknown): causes is Causes => Array.isArray(causes);

/** @throws the same refusal for an interaction that was answered with it */
export function refuseUnavailable(stored: StoredInteraction): void {
  if (stored.status !== 'failed' || stored.normalizedSchemaVersion !== null) return;
  for (const text of stored.preprocessorRuns) {
    const { error } = readJson(text);
    if (error) throw providerUnavailable(error, stored.id, stored.sessionId);
  }
}
