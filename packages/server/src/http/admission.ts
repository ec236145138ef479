import { RequestError } from '@trawl/router';

/**
 * Limits how many requests are in progress at once, and keeps one API key from taking all places.
 */
export interface RequestAdmission {
  /**
   * Takes a place for a request of this key; null = a request that needs no key.
   * @returns frees the place; calling it again changes nothing
   * @throws RequestError 503 if no place is free
   */
  enter(keyId: string | null): () => void;
  /** The requests in progress, and the most there may be. */
  load(): { readonly active: number; readonly limit: number };
}

export interface AdmissionOptions {
  /** `MAX_ACTIVE_REQUESTS`: places in this process. */
  readonly limit: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** After this time without a request, a key no longer limits the others. */
const RECENT_MS = 60_000;
const RETRY_AFTER_SECONDS = '1';

export function createAdmission({ limit, now }: AdmissionOptions): RequestAdmission {
  const held = new Map<string | null, number>();
  const keys = recentKeys();
  // half of the places, but a server with one place must be usable
  const share = Math.max(1, Math.floor(limit / 2));
  let active = 0;
  return {
    load: () => ({ active, limit }),
    enter(keyId) {
      const at = now();
      if (keyId !== null) keys.note(keyId, at);
      const own = held.get(keyId) ?? 0;
      if (active >= limit) throw full(limit);
      if (own >= share && keys.hasOtherSince(keyId, at - RECENT_MS)) throw overShare(own, limit);
      active += 1;
      held.set(keyId, own + 1);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        active -= 1;
        const left = (held.get(keyId) ?? 1) - 1;
        if (left > 0) held.set(keyId, left);
        else held.delete(keyId);
      };
    },
  };
}

/**
 * When keys last sent a request. The last key and the last one that differs from it answer every
 * question.
 */
function recentKeys() {
  let last: { readonly keyId: string; readonly at: number } | undefined;
  let other: typeof last;
  return {
    note(keyId: string, at: number): void {
      if (last && last.keyId !== keyId) other = last;
      last = { keyId, at };
    },
    hasOtherSince(keyId: string | null, since: number): boolean {
      const found = last?.keyId === keyId ? other : last;
      return found !== undefined && found.at > since;
    },
  };
}

const full = (limit: number): RequestError =>
  refusal(
    `The server has ${limit} requests in progress and takes no more at once (MAX_ACTIVE_REQUESTS). Nothing was sent or billed. Try again after ${RETRY_AFTER_SECONDS} s; the operator can raise MAX_ACTIVE_REQUESTS`,
  );

const overShare = (own: number, limit: number): RequestError =>
  refusal(
    `This API key has ${own} requests in progress. While other keys send requests, one key may have at most half of the ${limit} that the server takes at once (MAX_ACTIVE_REQUESTS). Nothing was sent or billed. Send fewer at once, or try again after ${RETRY_AFTER_SECONDS} s`,
  );

const refusal = (message: string): RequestError =>
  new RequestError(503, message, {
    typed: { code: 'unavailable' },
    headers: { 'retry-after': RETRY_AFTER_SECONDS },
  });
