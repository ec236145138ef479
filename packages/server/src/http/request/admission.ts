import { CallerLeftError, RequestError } from '@trawl/router';
import type { HttpContext, HttpExchange, RequestSource } from '../exchange.ts';

/**
 * Limits how many requests are in progress at once, and keeps one API key, and the keys of one
 * project, from taking all places.
 */
export interface RequestAdmission {
  /**
   * Takes a place for a request of this key; null = a request that needs no key.
   * @returns frees the place; calling it again changes nothing
   * @throws RequestError 503 if no place is free
   */
  enter(caller: { readonly id: string; readonly projectId: string } | null): () => void;
  /** The requests in progress, and the most there may be. */
  load(): { readonly active: number; readonly limit: number };
}

export interface AdmissionOptions {
  /** `MAX_ACTIVE_REQUESTS`: places in this process. */
  readonly limit: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** After this time without a request, a key or project no longer limits the others. */
const RECENT_MS = 60_000;
const RETRY_AFTER_SECONDS = '1';

export function createAdmission({ limit, now }: AdmissionOptions): RequestAdmission {
  // half of the places, but a server with one place must be usable
  const share = Math.max(1, Math.floor(limit / 2));
  const keys = createHolders(share);
  const projects = createHolders(share);
  let active = 0;
  return {
    load: () => ({ active, limit }),
    enter(caller) {
      const at = now();
      const ofKey = keys.holder(caller?.id ?? null, at);
      const ofProject = projects.holder(caller?.projectId ?? null, at);
      if (active >= limit) throw full(limit);
      if (ofKey.isOver) throw overShare('API key', ofKey.held, limit);
      if (ofProject.isOver) throw overShare('project', ofProject.held, limit);
      active += 1;
      ofKey.add(1);
      ofProject.add(1);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        active -= 1;
        ofKey.add(-1);
        ofProject.add(-1);
      };
    },
  };
}

/** How many places each key, or each project, holds. */
function createHolders(share: number) {
  const held = new Map<string | null, number>();
  const recent = recentIds();
  return {
    /** @param at when it sends a request */
    holder(id: string | null, at: number) {
      if (id !== null) recent.note(id, at);
      const own = held.get(id) ?? 0;
      return {
        held: own,
        /** It has its share, and others send requests. */
        isOver: own >= share && recent.hasOtherSince(id, at - RECENT_MS),
        add(more: 1 | -1): void {
          const left = (held.get(id) ?? 0) + more;
          if (left > 0) held.set(id, left);
          else held.delete(id);
        },
      };
    },
  };
}

/**
 * When each last sent a request. The last one and the last one that differs from it answer every
 * question.
 */
function recentIds() {
  let last: { readonly id: string; readonly at: number } | undefined;
  let other: typeof last;
  return {
    note(id: string, at: number): void {
      if (last && last.id !== id) other = last;
      last = { id, at };
    },
    hasOtherSince(id: string | null, since: number): boolean {
      const found = last?.id === id ? other : last;
      return found !== undefined && found.at > since;
    },
  };
}

/**
 * Takes a place among the requests in progress. It is held until the answer was sent or the
 * connection is closed, and until the work that goes on without a connection is over.
 * @throws RequestError 503
 */
export function takePlace(context: HttpContext, admission: RequestAdmission | undefined): void {
  const { hasPlace, incoming, outgoing }: RequestSource = context.env ?? {};
  if (!admission || hasPlace) return;
  // no event would free a place that is taken after the end of the connection
  if (incoming?.socket.destroyed || outgoing?.closed) {
    throw new CallerLeftError('the client left while its key was checked');
  }
  const exchange = context.get('exchange');
  Object.assign(exchange, heldPlace(admission.enter(exchange.caller)));
  outgoing?.once('close', exchange.release);
}

/** Frees a place when its connection and all work that keeps it are over. */
function heldPlace(free: () => void): Pick<HttpExchange, 'release' | 'keepPlace'> {
  let holders = 1;
  let isReleased = false;
  const leave = () => {
    holders -= 1;
    if (holders === 0) free();
  };
  return {
    release: () => {
      if (!isReleased) leave();
      isReleased = true;
    },
    keepPlace: (work) => {
      holders += 1;
      work.then(leave, leave);
    },
  };
}

const full = (limit: number): RequestError =>
  refusal(
    `The server has ${limit} requests in progress and takes no more at once (MAX_ACTIVE_REQUESTS). Nothing was sent or billed. Try again after ${RETRY_AFTER_SECONDS} s; the operator can raise MAX_ACTIVE_REQUESTS`,
  );

const overShare = (holder: 'API key' | 'project', own: number, limit: number): RequestError =>
  refusal(
    `This ${holder} has ${own} requests in progress. While others send requests, one ${holder} may have at most half of the ${limit} that the server takes at once (MAX_ACTIVE_REQUESTS). Nothing was sent or billed. Send fewer at once, or try again after ${RETRY_AFTER_SECONDS} s`,
  );

const refusal = (message: string): RequestError =>
  new RequestError(503, message, {
    typed: { code: 'unavailable' },
    headers: { 'retry-after': RETRY_AFTER_SECONDS },
  });
