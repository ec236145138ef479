import { setTimeout as delay } from 'node:timers/promises';
import { createInProgress } from '@trawl/base';
import {
  CallerLeftError,
  type ErrorStyle,
  OutcomeUnknownError,
  RequestError,
} from '../requests/request-error.ts';
import { readStore } from '../requests/store-access.ts';
import type { RequestRepeat, StoredInteraction } from './records.ts';
import type { RepeatableRequest, RepeatClaim, RepeatClaims } from './repeat-claims.ts';
import { anotherRequest } from './request-repeat.ts';
import type { InteractionReader } from './store.ts';

/** How long a repeat waits for the answer of a request that another server executes. */
const WAIT_MS = 20_000;
/** From one look at that request to the next: the least, and the most after some looks. */
const LOOK_MS = 50;
const LOOK_MAX_MS = 500;
/**
 * Looking again also takes part in the wait, so a client need not stay away until the lease ends.
 */
const RETRY_AFTER_MAX_S = 15;

export interface Repeated<Answer> {
  readonly answer: Answer;
  /** Whether the answer is from an earlier request and nothing was done now. */
  readonly isRepeat: boolean;
}

/** A repeatable request that may wait for another one. */
export interface WaitingRequest extends RepeatableRequest {
  /** Aborted when its caller leaves: then it waits no longer. What is executed goes on. */
  readonly signal: AbortSignal;
}

/**
 * Gives one request one answer. Equal requests that come while the first is in progress wait for
 * it: in this process for its work, on other servers of the store for its record.
 */
export interface Idempotency {
  /**
   * @param execute gets the repeat with its lease, for the record
   * @throws RequestError 422 if the key belongs to another request, 503 if another server has not
   * answered it in time or this one stops; CallerLeftError; errors of `execute`
   */
  once<Answer>(
    request: WaitingRequest,
    style: ErrorStyle,
    execute: (repeat: RequestRepeat) => Promise<Answer>,
    replay: (stored: StoredInteraction) => Answer,
  ): Promise<Repeated<Answer>>;
  /** Requests no longer wait for other servers, because this one stops. */
  endWaits(): void;
}

export interface IdempotencyOptions {
  readonly reader: Pick<InteractionReader, 'interaction'>;
  readonly claims: RepeatClaims;
  /** Default 20 s. */
  readonly waitMs?: number | undefined;
}

interface UnderWay {
  readonly bodyDigest: string;
  readonly answer: Promise<unknown>;
}

type Granted = Extract<RepeatClaim, { kind: 'granted' }>;
type Decided = { readonly stored: StoredInteraction } | { readonly claim: Granted };

export function createIdempotency(options: IdempotencyOptions): Idempotency {
  const { waitMs = WAIT_MS } = options;
  const underWay = createInProgress<string, UnderWay>();
  let isStopping = false;
  return {
    endWaits: () => {
      isStopping = true;
    },
    async once<Answer>(
      request: WaitingRequest,
      style: ErrorStyle,
      execute: (repeat: RequestRepeat) => Promise<Answer>,
      replay: (stored: StoredInteraction) => Answer,
    ) {
      const { keyId, repeat } = request;
      const name = `${keyId} ${repeat.key}`;
      const waitsUntil = performance.now() + waitMs;
      const isOver = () => isStopping || performance.now() >= waitsUntil;
      for (let twin = underWay.get(name); twin !== undefined; twin = underWay.get(name)) {
        if (twin.bodyDigest !== repeat.bodyDigest) throw anotherRequest(repeat.key, style);
        const answer = await answerOf(twin, request.signal).catch(rethrowRepeated);
        // the map holds answers of equal requests, which are of one type
        if (answer !== LEFT) return { answer: answer as Answer, isRepeat: true };
      }
      let isRepeat = false;
      const first = (async () => {
        const decided = await decide(request, style, options, isOver);
        if ('claim' in decided) return executeUnder(decided.claim, repeat, execute);
        isRepeat = true;
        try {
          return replay(decided.stored);
        } catch (error) {
          return rethrowRepeated(error);
        }
      })();
      underWay.set(name, { bodyDigest: repeat.bodyDigest, answer: first });
      try {
        return { answer: await first, isRepeat };
      } finally {
        underWay.delete(name);
      }
    },
  };
}

/** On every answer that was given before. */
export const REPEATED: Readonly<Record<string, string>> = { 'idempotency-replayed': 'true' };

/** A refusal that was recorded says that it is a repeated one. */
export function rethrowRepeated(error: unknown): never {
  const isRecorded = error instanceof RequestError && error.typed?.interactionId !== undefined;
  throw isRecorded ? error.withHeaders(REPEATED) : error;
}

const LEFT = Symbol('left');

/**
 * The answer of an equal request, or LEFT when its caller left while it waited for another server.
 */
async function answerOf({ answer }: UnderWay, signal: AbortSignal): Promise<unknown> {
  try {
    return await unlessLeft(answer, signal);
  } catch (error) {
    if (error instanceof CallerLeftError && !signal.aborted) return LEFT;
    throw error;
  }
}

/** @throws CallerLeftError when the caller leaves first */
async function unlessLeft<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  let onLeft = () => {};
  const left = new Promise<never>((_resolve, reject) => {
    onLeft = () => reject(new CallerLeftError('the caller of a repeated request left'));
  });
  if (signal.aborted) onLeft();
  signal.addEventListener('abort', onLeft);
  try {
    return await Promise.race([work, left]);
  } finally {
    signal.removeEventListener('abort', onLeft);
  }
}

/**
 * The recorded answer, or the right to execute the request. Waits while another server executes it.
 */
async function decide(
  request: WaitingRequest,
  style: ErrorStyle,
  { reader, claims }: IdempotencyOptions,
  isOver: () => boolean,
): Promise<Decided> {
  const { projectId, repeat, signal } = request;
  for (let look = 0; ; look += 1) {
    const claim = await readStore(() => claims.claim(request));
    if (claim.kind === 'granted') return { claim };
    if (claim.bodyDigest !== repeat.bodyDigest) throw anotherRequest(repeat.key, style);
    if (claim.kind === 'answered') {
      const { sessionId, interactionId } = claim;
      const stored = await readStore(() => reader.interaction(projectId, sessionId, interactionId));
      if (stored) return { stored };
      // deleted in the meantime: the next look takes the lease
    }
    if (isOver()) throw claim.kind === 'running' ? stillRunning(claim.endsInMs) : unreadable();
    const pauseMs = Math.min(LOOK_MS * 2 ** look, LOOK_MAX_MS) * (0.75 + Math.random() / 2);
    await unlessLeft(delay(pauseMs), signal);
  }
}

async function executeUnder<Answer>(
  { leaseId, leave, release }: Granted,
  repeat: RequestRepeat,
  execute: (repeat: RequestRepeat) => Promise<Answer>,
): Promise<Answer> {
  try {
    const answer = await execute({ ...repeat, leaseId });
    leave();
    return answer;
  } catch (error) {
    if (error instanceof OutcomeUnknownError) leave();
    // its key is free before its caller can use it again, on whichever server
    else await release();
    throw error;
  }
}

/** The answer to a repeat while another server may still answer it: it can be sent again. */
export const IN_PROGRESS_ELSEWHERE =
  'A request with this Idempotency-Key is in progress on another server, or that server has ended. Nothing was sent or billed for this one. Repeat it with the same key: it gets the answer, or it is executed when the other one cannot end any more.';

const stillRunning = (endsInMs: number): RequestError => {
  const seconds = Math.max(1, Math.min(Math.ceil(endsInMs / 1_000), RETRY_AFTER_MAX_S));
  return new RequestError(503, IN_PROGRESS_ELSEWHERE, {
    headers: { 'retry-after': String(seconds) },
  });
};

const unreadable = (): RequestError =>
  new RequestError(
    503,
    'A request with this Idempotency-Key was answered, and its answer cannot be read. Nothing was sent or billed for this one. Send it with a new key.',
  );
