import type { Deadline, EndReason, LocalShortage } from '@trawl/base';
import { RUN_ERRORS, type RunErrorCode } from '@trawl/contract';
import type { FailureReading, Pace } from '@trawl/providers';
import type { BodyFault } from './decompress.ts';
import type { TurnWait } from './pace.ts';
import type { OperationKind, UpstreamFailure, UpstreamTarget } from './types.ts';

interface Facts {
  readonly httpStatus?: number | null;
  readonly retryAfterMs?: number | null;
  /** Facts in which this case differs from its code. */
  readonly retryable?: boolean;
  readonly remedy?: string | undefined;
}

/** `happened` is in our words and completes "<provider> …"; the catalogue adds the remedy. */
export function upstreamFailure(
  provider: string,
  code: RunErrorCode,
  happened: string,
  { httpStatus = null, retryAfterMs = null, retryable, remedy }: Facts = {},
): UpstreamFailure {
  const usual = RUN_ERRORS[code];
  const status = httpStatus === null ? '' : ` (HTTP ${httpStatus})`;
  return {
    code,
    message: `${provider} ${happened}${status}: ${remedy ?? usual.remedy}`,
    httpStatus,
    retryable: retryable ?? usual.retryable,
    retryAfterMs,
  };
}

/** The meaning of an answer with a status other than 2xx, by code. */
const HAPPENED: Readonly<Record<RunErrorCode, string>> = {
  missing_credential: 'asks for a credential',
  invalid_credential: 'refused its credential',
  rate_limited: 'limits the rate of requests',
  quota_exhausted: 'has no quota or credit left for this key',
  bad_request: 'refused the request',
  timeout: 'ran out of time',
  network_error: 'met a network error',
  upstream_error: 'failed',
  bad_response: 'sent an unusable answer',
  circuit_open: 'is cooling down',
  cancelled: 'cancelled the request',
  internal_error: 'met an internal error',
};

/** Words for one case, where they say more than the code. */
export type Wording = Pick<FailureReading, 'happened' | 'remedy'>;

export interface FailedAnswer {
  readonly status: number;
  /** The time that the provider gave; null = none. */
  readonly retryAfterMs: number | null;
}

/** An answer that is a failure, mostly by its status. */
export function statusFailure(
  provider: string,
  code: RunErrorCode,
  { status: httpStatus, retryAfterMs }: FailedAnswer,
  { happened = HAPPENED[code], remedy }: Wording = {},
): UpstreamFailure {
  if (httpStatus >= 300 && httpStatus < 400) {
    const moved = 'answered with a redirect, which is not followed; its base URL may have moved';
    // it will redirect again
    return upstreamFailure(provider, code, moved, { httpStatus, retryable: false });
  }
  return upstreamFailure(provider, code, happened, { httpStatus, retryAfterMs, remedy });
}

/**
 * The general reading of a status other than 2xx. A 401 without a key says nothing about keys. A
 * 403 is about what was asked (scope, plan, page): only a declaration knows the body by which its
 * vendor refuses the key itself.
 */
export function codeOfStatus(status: number, hasCredential: boolean): RunErrorCode {
  if (status === 402) return 'quota_exhausted';
  if (status === 429) return 'rate_limited';
  if (status === 401 && hasCredential) return 'invalid_credential';
  if (status === 408) return 'timeout';
  const isTheirs = status < 400 || status >= 500;
  return isTheirs ? 'upstream_error' : 'bad_request';
}

/**
 * A 403 that does not name the key: the call asks for something that the key or its plan does not
 * include.
 */
export function accessFailure(provider: string, operation: OperationKind): UpstreamFailure {
  const happened = `gives this key no access to the ${operation} that was asked for`;
  const remedy =
    'use other options or another provider, or extend the plan or the scopes of the key with the provider';
  return upstreamFailure(provider, 'bad_request', happened, { httpStatus: 403, remedy });
}

/** A 403 of a service in front of the provider, which takes this server for a robot. */
export function wallFailure(provider: string): UpstreamFailure {
  const happened = 'is behind a bot check, which refused the address of this server';
  const remedy =
    'the key and its plan are not the cause: ask the provider to allow the address, or set HTTPS_PROXY';
  const facts = { httpStatus: 403, retryable: false, remedy };
  return upstreamFailure(provider, 'upstream_error', happened, facts);
}

/** A 2xx answer whose body could not be read. */
export function bodyFailure(
  provider: string,
  fault: BodyFault,
  httpStatus: number,
  maxBodyBytes: number,
): UpstreamFailure {
  const happened: Readonly<Record<BodyFault, string>> = {
    cut: 'broke off in the middle of its answer',
    corrupt: 'sent an answer whose compression is damaged',
    unknown_encoding: 'sent an answer in a compression that was not asked for',
    too_large: `sent an answer larger than ${maxBodyBytes / 1024 / 1024} MiB`,
  };
  const code = fault === 'cut' ? 'network_error' : 'bad_response';
  return upstreamFailure(provider, code, happened[fault], { httpStatus });
}

const NO_NETWORK =
  'this machine has no connection to the internet; check its network, or set HTTPS_PROXY';

/** Causes by which a machine without the internet shows. */
const OFFLINE: Readonly<Record<string, string>> = {
  EAI_AGAIN: NO_NETWORK,
  ENETUNREACH: NO_NETWORK,
  ENETDOWN: NO_NETWORK,
  EHOSTUNREACH: NO_NETWORK,
  ENOTFOUND:
    'its name was not found; check that this machine has a connection to the internet, its base URL, and HTTPS_PROXY',
};

/** A connection that failed. The cause is named by its code (ECONNREFUSED), never by text. */
export function connectionFailure(
  provider: string,
  kind: 'unreachable' | 'dropped',
  cause: string | undefined,
): UpstreamFailure {
  if (cause === 'UND_ERR_ABORTED') {
    return upstreamFailure(provider, 'network_error', 'could not be reached, the proxy refused');
  }
  const happened = kind === 'unreachable' ? 'could not be reached' : 'dropped the connection';
  const because = cause === undefined ? '' : ` (${cause})`;
  const remedy = kind === 'unreachable' ? OFFLINE[cause ?? ''] : undefined;
  return upstreamFailure(provider, 'network_error', `${happened}${because}`, { remedy });
}

/**
 * A call that failed because this server lacks what a connection needs, which says nothing about
 * the provider.
 */
export function shortageFailure(
  provider: string,
  { kind, code }: { readonly kind: 'unreachable' | 'dropped'; readonly code: string | undefined },
  { reason, remedy }: LocalShortage,
): UpstreamFailure {
  const asked =
    kind === 'unreachable' ? 'could not be asked' : 'was asked, but its answer was lost';
  const happened = `${asked}, because ${reason} (${code})`;
  return upstreamFailure(provider, 'internal_error', happened, { retryable: true, remedy });
}

/** A call that ran out of time. */
export function endedFailure(
  provider: string,
  reason: EndReason,
  { limitMs }: Deadline,
  httpStatus: number | null,
): UpstreamFailure {
  const facts = { httpStatus };
  switch (reason) {
    case 'cancelled':
      return upstreamFailure(provider, 'cancelled', 'was cancelled before it answered', facts);
    case 'timeout': {
      const happened = `did not answer completely within its timeout of ${limitMs} ms`;
      return upstreamFailure(provider, 'timeout', happened, facts);
    }
    case 'request_deadline': {
      const happened = `did not answer completely before the deadline of the whole request, ${limitMs} ms away`;
      return upstreamFailure(provider, 'timeout', happened, facts);
    }
  }
}

/**
 * A call that was never sent, because no slot or room came in time. Both are ours, so the message
 * must not blame the provider.
 */
export function unsentFailure(
  { slug, operation, concurrency }: Pick<UpstreamTarget, 'slug' | 'operation' | 'concurrency'>,
  reason: EndReason | 'too_late' | 'no_room' | 'over',
  waitedMs: number,
): UpstreamFailure {
  if (reason === 'cancelled') {
    return upstreamFailure(slug, 'cancelled', 'was not asked, the request was cancelled before');
  }
  if (reason === 'over') {
    return upstreamFailure(slug, 'timeout', 'was not asked, the request ran out of time');
  }
  const remedy = 'try again, send fewer requests at once, or raise REQUEST_DEADLINE_MS';
  if (reason === 'no_room') {
    const full = `was not asked: the answers that wait to be recorded left no room in this server's memory (${waitedMs} ms)`;
    return upstreamFailure(slug, 'timeout', full, { remedy });
  }
  const busy = `all ${concurrency} slots of this server for its ${operation} were taken`;
  const until = {
    too_late: "until the rest of the request's time was too short for a call",
    request_deadline: 'until the deadline of the whole request',
    timeout: 'for as long as one attempt may take',
  };
  const happened = `was not asked: ${busy} ${until[reason]} (${waitedMs} ms)`;
  return upstreamFailure(slug, 'timeout', happened, { remedy });
}

/** A call that was never sent, because the turn of its service would come too late. */
export function turnFailure(
  provider: string,
  pace: Pace,
  { waitMs, cause }: TurnWait,
  waitedMs: number,
): UpstreamFailure {
  const next = `the next call of this server is possible in ${Math.ceil(waitMs / 1_000)} s`;
  const waited = waitedMs > 0 ? `, after a wait of ${waitedMs} ms` : '';
  const not = `was not asked${waited}`;
  const happened: Readonly<Record<TurnWait['cause'], string>> = {
    pace: `${not}: it is asked once in ${pace.everyMs} ms at most, for all callers together, and ${next}`,
    allowance: `${not}: this server has used its ${pace.most?.calls} calls in ${spanText(pace)}, and ${next}`,
    rate_limited: `${not}: it limited the rate of requests, and ${next}`,
    quota_exhausted: `${not}: its allowance without a key is used up, and ${next}`,
  };
  const isUsedUp = cause === 'allowance' || cause === 'quota_exhausted';
  const code = isUsedUp ? 'quota_exhausted' : 'rate_limited';
  const remedy = isUsedUp ? 'try again then, or use another provider' : undefined;
  return upstreamFailure(provider, code, happened[cause], { retryAfterMs: waitMs, remedy });
}

function spanText({ most }: Pace): string {
  const hours = Math.round((most?.seconds ?? 0) / 3_600);
  return hours === 24 ? 'a day' : hours === 1 ? 'an hour' : `${most?.seconds} s`;
}
