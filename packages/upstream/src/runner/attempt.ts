import { DAY_MS, type Deadline, localShortage } from '@trawl/base';
import type { JsonObject } from '@trawl/contract';
import type { FailedAnswer, OptionalPart } from '@trawl/providers';
import type { Dispatcher } from 'undici';
import { allowsJson, type Content, inUtf8, parseContent, rawPayload } from './answer.ts';
import { decompress } from './decompress.ts';
import {
  accessFailure,
  bodyFailure,
  codeOfStatus,
  connectionFailure,
  endedFailure,
  shortageFailure,
  statusFailure,
  upstreamFailure,
  type Wording,
  wallFailure,
} from './failure.ts';
import { carries } from './optional-parts.ts';
import type { Parts } from './parts.ts';
import type { OutgoingRequest } from './request-payload.ts';
import { boundRetryAfter, isRetrySafe, parseRetryAfter } from './retry.ts';
import { keyTailOf, type Secret } from './secret.ts';
import { type Exchange, exchange } from './transport.ts';
import type { UpstreamFailure, UpstreamRequest, UpstreamTarget } from './types.ts';

/** One call in progress. */
export interface Job<Value> {
  readonly parts: Parts;
  readonly request: UpstreamRequest<Value>;
  readonly outgoing: OutgoingRequest;
  readonly secret: Secret;
  readonly limit: Deadline;
  /** Updated at each step, so it is correct at any end. */
  readonly tally: Tally;
}

export interface Tally {
  calls: number;
  /** Whether it came as far as being sent, even if no connection was made. */
  isSent: boolean;
  /** Before a slot was free. */
  waitedMs: number;
  raw: JsonObject | null;
  leftOut: readonly OptionalPart[];
  /** Of the key that was sent last; null = none was, or it is too short to be shown. */
  keyTail: string | null;
  /** The key or address that was used last, where there are several. */
  sentBy: string | undefined;
  /** The address that was used last. */
  baseUrl: string | null;
}

export type Attempt<Value> =
  | { readonly status: 'succeeded'; readonly value: Value }
  | FailedAttempt;

export interface FailedAttempt {
  readonly status: 'failed';
  readonly failure: UpstreamFailure;
  /** Whether a retry cannot be paid twice. */
  readonly isRetrySafe: boolean;
  /** false = it was our limit or the caller, not the provider. */
  readonly isProvidersFault: boolean;
  /** The part of the call that was refused, if the call works without it. */
  readonly refusedPart?: OptionalPart | undefined;
}

type Answered = Extract<Exchange, { kind: 'answered' }>;

/** Sends once and reads what comes. @throws what `read` and `readFailure` throw. */
export async function attempt<Value>(job: Job<Value>): Promise<Attempt<Value>> {
  const { parts, request, limit, tally } = job;
  const { maxBodyBytes, observe } = parts;
  tally.isSent = true;
  tally.keyTail = keyTailOf(request.target.credentials[0]);
  tally.baseUrl = request.target.baseUrl;
  const onSent = () => {
    tally.calls += 1;
  };
  const sendBy = (dispatcher: Dispatcher) =>
    exchange(dispatcher, job.outgoing, { limit, maxBodyBytes, onSent });
  const first = await sendBy(parts.dispatcher);
  // a service may close a connection that it kept while the next call is on its way
  const isAgain = first.kind === 'dropped' && first.wasKept && isFreeRead(request);
  const sent = isAgain ? await sendBy(parts.newConnections) : first;
  const tried = await outcomeOf(job, sent);
  observe?.attempted(
    request.target,
    tried.status === 'failed' ? tried.failure.code : null,
    tally.keyTail,
  );
  return tried;
}

/**
 * Whether a call changes nothing and could not be paid twice: it says nothing of who pays. A
 * provider that the operator declared may be paid in another way.
 */
const isFreeRead = ({ call, target }: UpstreamRequest<unknown>): boolean =>
  call.method === 'GET' &&
  (target.pace !== undefined ||
    (target.authentication.in === 'none' && target.secretParts === undefined));

async function outcomeOf<Value>(job: Job<Value>, sent: Exchange): Promise<Attempt<Value>> {
  const { slug } = job.request.target;
  switch (sent.kind) {
    case 'ended':
      return ended(job, sent.status);
    case 'unreachable':
    case 'dropped':
      return disconnected(slug, sent);
    case 'answered':
      return answered(job, sent);
  }
}

/** The call ran out of time, or its caller gave up. */
export function ended<Value>(
  { request, limit }: Job<Value>,
  httpStatus: number | null,
): FailedAttempt {
  const reason = limit.endReason() ?? 'cancelled';
  const failure = endedFailure(request.target.slug, reason, limit, httpStatus);
  // a call that had less than the provider's own time and did not end says nothing about the
  // provider
  const isProvidersFault = reason === 'timeout' && limit.limitMs >= request.target.timeoutMs;
  return { status: 'failed', failure, isRetrySafe: false, isProvidersFault };
}

function failed(failure: UpstreamFailure, isRetrySafe = false): FailedAttempt {
  return { status: 'failed', failure, isRetrySafe, isProvidersFault: true };
}

function disconnected(
  slug: string,
  { kind, code }: Extract<Exchange, { kind: 'unreachable' | 'dropped' }>,
): FailedAttempt {
  const isRetrySafe = kind === 'unreachable';
  const shortage = localShortage(code);
  if (!shortage) return failed(connectionFailure(slug, kind, code), isRetrySafe);
  const failure = shortageFailure(slug, { kind, code }, shortage);
  return { status: 'failed', failure, isRetrySafe, isProvidersFault: false };
}

/**
 * Parsing 1 MB and making rows of it takes about ten milliseconds. Smaller answers that arrive
 * together are read in one turn of the event loop, in which no other request is served.
 */
const LARGE_BYTES = 512 * 1024;

async function answered<Value>(job: Job<Value>, answer: Answered): Promise<Attempt<Value>> {
  const { body: packed, status, headers } = answer;
  const { maxBodyBytes, bodyTurns } = job.parts;
  const isSuccess = status >= 200 && status < 300;
  const encoding = headerText(headers['content-encoding']);
  const body =
    typeof packed === 'string' || encoding === undefined
      ? packed
      : await decompress(packed, encoding, maxBodyBytes, bodyTurns);
  if (typeof body === 'string') {
    if (!isSuccess) return refused(job, answer, undefined);
    return failed(bodyFailure(job.request.target.slug, body, status, maxBodyBytes));
  }
  if (body.length >= LARGE_BYTES) await bodyTurns.read();
  const utf8 = await inUtf8(body, headerText(headers['content-type']));
  const content = parseContent(job.secret.scrub(utf8));
  if (body.length > 0) job.tally.raw = rawPayload(content);
  if (!isSuccess) return refused(job, answer, content);
  return accepted(job, answer, body.length === 0 ? undefined : content);
}

/** A 2xx answer. `content` undefined = no body. */
function accepted<Value>(
  { request, secret, parts }: Job<Value>,
  { status, headers }: Answered,
  content: Content | undefined,
): Attempt<Value> {
  const unusable = (happened: string) =>
    failed(upstreamFailure(request.target.slug, 'bad_response', happened, { httpStatus: status }));
  if (content === undefined) return unusable('sent an empty answer');
  const isJson = content.isJson && allowsJson(headers['content-type']);
  const value = isJson
    ? request.read(content.json, parts.clock.now())
    : content.isJson
      ? undefined
      : request.readText?.(content.text, parts.clock.now());
  if (value !== undefined) return { status: 'succeeded', value: secret.scrubValue(value) };
  const reading = request.target.readFailure?.({
    status,
    body: content.isJson ? content.json : content.text,
    headers: texts(headers),
  });
  if (reading === undefined) {
    return unusable(
      isJson
        ? 'sent JSON that is not its documented answer'
        : request.readText
          ? 'sent a text that is cut short or not its documented answer'
          : 'answered with something other than JSON',
    );
  }
  const { target } = request;
  const { code, retryAfterMs: named } = reading;
  const retryAfterMs = named === undefined ? null : boundRetryAfter(named, longestWaitMs(target));
  return failed(statusFailure(target.slug, code, { status, retryAfterMs }, reading));
}

/** A page for people instead of an answer of the API: it is from a service in front of it. */
const isBotWall = (headers: Answered['headers']): boolean =>
  headers['cf-mitigated'] !== undefined ||
  headerText(headers['content-type'])?.startsWith('text/html') === true;

/** A service without a key may ask to be left alone for the rest of the day. */
const longestWaitMs = ({ pace }: UpstreamTarget): number | undefined =>
  pace === undefined ? undefined : DAY_MS;

/**
 * An answer with another status. `content` undefined = it could not be read, then only the status
 * counts.
 */
function refused<Value>(
  { request, parts, secret }: Job<Value>,
  { status, headers }: Answered,
  content: Content | undefined,
): Attempt<Value> {
  const { target } = request;
  const answer: FailedAnswer | undefined = content && {
    status,
    body: content.isJson ? content.json : content.text,
    headers: texts(headers),
  };
  const value = answer && request.readFailedAnswer?.(answer, parts.clock.now());
  if (value !== undefined) return { status: 'succeeded', value: secret.scrubValue(value) };
  const reading = answer && target.readFailure?.(answer);
  const hasCredential = target.authentication.in !== 'none' && target.credentials.length > 0;
  const refusedPart =
    answer &&
    request.optionalParts?.find((part) => carries(request, part) && part.isRefused(answer));
  if (status === 403 && reading === undefined && isBotWall(headers)) {
    return { ...failed(wallFailure(target.slug)), refusedPart };
  }
  if (status === 403 && hasCredential && reading === undefined) {
    return { ...failed(accessFailure(target.slug, target.operation)), refusedPart };
  }
  const code = reading?.code ?? codeOfStatus(status, hasCredential);
  const maxMs = longestWaitMs(target);
  const named =
    reading?.retryAfterMs === undefined
      ? parseRetryAfter(headerText(headers['retry-after']), parts.clock.now(), maxMs)
      : boundRetryAfter(reading.retryAfterMs, maxMs);
  const failure = statusFailure(
    target.slug,
    code,
    { status, retryAfterMs: named },
    {
      ...(request.overridden && code === 'bad_request' ? OVERRIDDEN : {}),
      ...(code === 'quota_exhausted' && !hasCredential ? USED_UP_WITHOUT_KEY : {}),
      ...reading,
    },
  );
  return { ...failed(failure, content !== undefined && isRetrySafe(failure)), refusedPart };
}

/** The caller changed the request, so that is the first thing to check. */
const OVERRIDDEN: Wording = {
  remedy: 'check its block of search.provider_overrides, then the query',
};

const USED_UP_WITHOUT_KEY: Wording = {
  happened: 'has no allowance without a key left for this address',
  remedy: 'try again later, or use another provider',
};

const texts = (headers: Answered['headers']): FailedAnswer['headers'] =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, headerText(value)]));

/** A header that came several times is one list. */
function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}
