import { createHash } from 'node:crypto';
import { type Clock, isoTime } from '@trawl/base';
import { isJsonObject } from '@trawl/contract';
import type { ErrorStyle } from '../requests/request-error.ts';
import { RequestError } from '../requests/request-error.ts';
import { readStore } from '../requests/store-access.ts';
import type { RequestRepeat, StoredInteraction } from './records.ts';
import type { InteractionReader } from './store.ts';

/** How long a key is bound to its request. */
const HONOURED_MS = 24 * 3_600_000;

const FORM = /^[\x21-\x7e]{1,255}$/;

/** A request that is safe to repeat. */
export interface RepeatableRequest {
  readonly projectId: string;
  readonly keyId: string;
  readonly repeat: RequestRepeat;
}

export interface Repeated<Answer> {
  readonly answer: Answer;
  /** Whether the answer is from an earlier request and nothing was done now. */
  readonly isReplay: boolean;
}

/**
 * Gives one request one answer. Equal requests that come while the first is in progress wait for it. The answer is in the
 * store, with the interaction; only this process knows which requests are in progress.
 */
export interface Idempotency {
  /** @throws RequestError 422 if the key belongs to another request; errors of `execute` */
  once<Answer>(
    request: RepeatableRequest,
    style: ErrorStyle,
    execute: () => Promise<Answer>,
    replay: (stored: StoredInteraction) => Answer,
  ): Promise<Repeated<Answer>>;
}

interface UnderWay {
  readonly bodyDigest: string;
  readonly answer: Promise<unknown>;
}

export function createIdempotency(
  reader: Pick<InteractionReader, 'repeated' | 'interaction'>,
  clock: Clock,
): Idempotency {
  const underWay = new Map<string, UnderWay>();

  const recorded = async (request: RepeatableRequest, style: ErrorStyle) => {
    const notBefore = isoTime(clock.now() - HONOURED_MS);
    const { keyId, projectId, repeat } = request;
    const found = await readStore(() => reader.repeated(keyId, repeat.key, notBefore));
    if (found === undefined) return undefined;
    if (found.bodyDigest !== repeat.bodyDigest) throw anotherRequest(repeat.key, style);
    return readStore(() => reader.interaction(projectId, found.sessionId, found.interactionId));
  };

  return {
    async once<Answer>(
      request: RepeatableRequest,
      style: ErrorStyle,
      execute: () => Promise<Answer>,
      replay: (stored: StoredInteraction) => Answer,
    ) {
      const { keyId, repeat } = request;
      const name = `${keyId} ${repeat.key}`;
      const twin = underWay.get(name);
      if (twin !== undefined) {
        if (twin.bodyDigest !== repeat.bodyDigest) throw anotherRequest(repeat.key, style);
        // the map holds answers of equal requests, which are of one type
        return { answer: (await twin.answer) as Answer, isReplay: true };
      }
      let isReplay = false;
      const first = (async () => {
        const stored = await recorded(request, style);
        if (stored === undefined) return execute();
        isReplay = true;
        return replay(stored);
      })();
      underWay.set(name, { bodyDigest: repeat.bodyDigest, answer: first });
      try {
        return { answer: await first, isReplay };
      } finally {
        underWay.delete(name);
      }
    },
  };
}

/** @throws RequestError 422 for a key of another form */
export function requestRepeat(
  key: string,
  route: string,
  body: unknown,
  style: ErrorStyle,
): RequestRepeat {
  if (!FORM.test(key)) {
    throw wrongKey(key, 'give 1 to 255 printable ASCII characters without spaces', style);
  }
  const bodyDigest = createHash('sha256')
    .update(JSON.stringify([route, body], sortedMembers))
    .digest('base64url');
  return { key, bodyDigest };
}

/** A replacer that sorts members: their order does not make another request. */
function sortedMembers(_key: string, value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const anotherRequest = (key: string, style: ErrorStyle): RequestError =>
  wrongKey(key, 'this key was used for another request; use a new one', style);

function wrongKey(key: string, fault: string, style: ErrorStyle): RequestError {
  if (style === 'typed') {
    return new RequestError(422, `Idempotency-Key: ${fault}`, {
      typed: { code: 'invalid_request', param: 'Idempotency-Key' },
    });
  }
  return new RequestError(422, [
    {
      type: 'value_error',
      loc: ['header', 'idempotency-key'],
      msg: `Value error, ${fault}`,
      input: key,
      ctx: { error: fault },
    },
  ]);
}
