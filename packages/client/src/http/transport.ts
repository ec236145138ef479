import { isProviderUnavailable, TrawlApiError, TrawlError } from '../values/errors.ts';
import { parsedJson } from '../values/json.ts';
import { bounded, type Connection, MAX_TIMER_MS } from '../values/options.ts';
import { type ApiCall, type OutgoingCall, outgoingCall } from './call.ts';
import { type CallDeadline, pause, startDeadline } from './deadline.ts';
import { onNetwork, textOf, wholeText } from './read-body.ts';
import { readRefusal } from './refusal.ts';

/** A retry that would have to wait longer than this is not made. */
const RETRY_WAIT_MAX_MS = 10_000;
const REFUSAL_BYTES = 4 * 1024 * 1024;

/** Sends a call and reads its answer as JSON; undefined when the body is empty. */
export const callForJson = (connection: Connection, call: ApiCall): Promise<unknown> =>
  callForBody(connection, call, (_, json) => json);

/** The same as the text that was answered; undefined when it is empty. */
export const callForWholeText = (
  connection: Connection,
  call: ApiCall,
): Promise<string | undefined> => callForBody(connection, call, (text) => text);

async function callForBody<T>(
  connection: Connection,
  call: ApiCall,
  read: (text: string, json: unknown) => T,
): Promise<T | undefined> {
  const deadline = deadlineOf(connection, call);
  try {
    const outgoing = await outgoingCall(connection, call, 'application/json');
    return await withRetry(connection, outgoing, deadline, async () => {
      const response = await answered(connection, call, outgoing, deadline);
      const text = await wholeText(response, connection.maxResponseBytes);
      if (text === '') return undefined;
      const json = parsedJson(text);
      if (json !== undefined) return read(text, json);
      throw new TrawlError(
        'response',
        'the answer is not JSON: is baseUrl that of a trawl server?',
      );
    });
  } finally {
    deadline.close();
  }
}

/** Sends a call and yields the text of its answer in pieces. Leaving the loop ends the request. */
export async function* callForText(
  connection: Connection,
  call: ApiCall,
  accept: string,
): AsyncGenerator<string> {
  const deadline = deadlineOf(connection, call);
  try {
    const outgoing = await outgoingCall(connection, call, accept);
    const response = await withRetry(connection, outgoing, deadline, () =>
      answered(connection, call, outgoing, deadline),
    );
    if (!response.headers.get('content-type')?.startsWith(accept)) {
      throw new TrawlError('response', `the answer is not ${accept}`, outgoing);
    }
    try {
      yield* textOf(response, connection.maxResponseBytes);
    } catch (error) {
      throw failureOf(error, outgoing, deadline);
    }
  } finally {
    deadline.close();
  }
}

const deadlineOf = (connection: Connection, { options }: ApiCall): CallDeadline =>
  startDeadline(
    options.timeoutMs === undefined
      ? connection.timeoutMs
      : bounded('timeoutMs', options.timeoutMs, 1, MAX_TIMER_MS),
    options.signal,
  );

/** One attempt. Returns the response if it is an answer, and throws for any other. */
async function answered(
  connection: Connection,
  { options, alsoAnswers }: ApiCall,
  outgoing: OutgoingCall,
  { signal }: CallDeadline,
): Promise<Response> {
  const { url, init, key } = outgoing;
  const response = await onNetwork(connection.fetch(url, { ...init, signal }), connection.baseUrl);
  const { status, headers } = response;
  options.onResponse?.({ status, headers, requestId: headers.get('x-request-id') });
  if (response.ok || status === alsoAnswers) return response;
  const text = withoutKey(await wholeText(response, REFUSAL_BYTES), key);
  if (status >= 400) throw new TrawlApiError(readRefusal(status, headers, text), outgoing);
  throw new TrawlError(
    'response',
    `the server redirects (${status}) to ${headers.get('location') ?? 'an unknown place'}: set baseUrl to that address`,
  );
}

async function withRetry<T>(
  { maxRetries, retryDelayMs }: Connection,
  outgoing: OutgoingCall,
  deadline: CallDeadline,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let retries = 0; ; retries += 1) {
    const givenUp = deadline.failure(outgoing);
    if (givenUp) throw givenUp;
    try {
      return await attempt();
    } catch (error) {
      const failure = failureOf(error, outgoing, deadline);
      const isLast = retries >= maxRetries || !outgoing.mayRepeat || !isRetryable(failure);
      if (isLast) throw failure;
      const delayMs = retryDelayMs * 2 ** retries * (0.5 + Math.random());
      const waitMs = Math.max(delayMs, retryAfterOf(failure));
      if (waitMs > Math.min(RETRY_WAIT_MAX_MS, deadline.remainingMs())) throw failure;
      await pause(waitMs, deadline.signal);
    }
  }
}

const retryAfterOf = (failure: unknown): number =>
  failure instanceof TrawlApiError ? (failure.retryAfterMs ?? 0) : 0;

function isRetryable(failure: unknown): boolean {
  if (failure instanceof TrawlApiError) {
    return (failure.status ?? 0) >= 500 && !isProviderUnavailable(failure);
  }
  // with a code, it fails again
  return failure instanceof TrawlError && failure.kind === 'connection' && failure.code === null;
}

/**
 * Adds the idempotency key to the error of an attempt. An error that a caller's callback threw is
 * returned unchanged.
 */
function failureOf(error: unknown, outgoing: OutgoingCall, deadline: CallDeadline): unknown {
  if (!(error instanceof TrawlError)) return error;
  const details = { idempotencyKey: outgoing.idempotencyKey };
  const givenUp = deadline.failure(details);
  if (givenUp) return givenUp;
  if (error instanceof TrawlApiError) return error;
  const { kind, code } = error;
  const message = withoutKey(error.message, outgoing.key);
  return new TrawlError(kind, message, { ...details, ...(code && { code }) });
}

function withoutKey(text: string, key: string | undefined): string {
  if (key === undefined) return text;
  const escaped = JSON.stringify(key).slice(1, -1);
  return text.replaceAll(key, '[redacted]').replaceAll(escaped, '[redacted]');
}
