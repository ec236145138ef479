import type { IncomingMessage, Server } from 'node:http';
import { createInProgress } from '@trawl/base';
import { BODY_TIMEOUT } from './malformed.ts';

/**
 * How slowly a request's body may come: its request has a place among those in progress, and keeps
 * it until then.
 */
export interface BodyLimits {
  /** A body has this long, */
  readonly baseMs: number;
  /** and one second more each time this many bytes have arrived. */
  readonly bytesPerSecond: number;
  /** How often bodies are checked. */
  readonly checkMs: number;
}

export const BODY_LIMITS: BodyLimits = {
  baseMs: 5_000,
  bytesPerSecond: 32 * 1024,
  checkMs: 1_000,
};

export interface SlowBodyOptions {
  readonly limits: BodyLimits;
  readonly onSlow: (incoming: IncomingMessage) => void;
  /** In milliseconds; only differences count. */
  readonly now: () => number;
}

/** What the caller of a slow body reads. */
export function slowBodyFault({ baseMs, bytesPerSecond }: BodyLimits): NodeJS.ErrnoException {
  const time = `${baseMs / 1000} s, and 1 s more for each ${bytesPerSecond / 1024} KiB that came`;
  const message = `The body of the request came too slowly: it has ${time}. Nothing was sent or billed. Send the whole body at once`;
  return Object.assign(new Error(message), { code: BODY_TIMEOUT });
}

/** A body that is on its way. */
interface Body {
  readonly incoming: IncomingMessage;
  readonly number: number;
  readonly since: number;
  /** Bytes that had come on its connection then. */
  readonly readBefore: number;
}

/** Watches the bodies that come to a server. Ends when the returned function is called. */
export function endSlowBodies(
  server: Server,
  { limits, onSlow, now }: SlowBodyOptions,
): () => void {
  const bodies = createInProgress<number, Body>();
  let last = 0;
  const add = (incoming: IncomingMessage): void => {
    if (!hasBody(incoming)) return;
    const number = ++last;
    const readBefore = incoming.socket.bytesRead;
    bodies.set(number, { incoming, number, since: now(), readBefore });
    incoming.once('close', () => bodies.delete(number));
  };
  server.on('request', add);
  server.on('checkContinue', add);
  const check = (): void => {
    const at = now();
    for (const body of bodies.values()) {
      const { incoming, number } = body;
      if (incoming.complete || incoming.destroyed) bodies.delete(number);
      else if (isSlow(body, at, limits)) {
        bodies.delete(number);
        onSlow(incoming);
      }
    }
  };
  const timer = setInterval(check, limits.checkMs).unref();
  return () => clearInterval(timer);
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

function isSlow(
  { incoming, since, readBefore }: Body,
  at: number,
  { baseMs, bytesPerSecond }: BodyLimits,
): boolean {
  // data that has arrived but is not read yet delays the rest: that time is ours
  if (incoming.readableLength >= incoming.readableHighWaterMark) return false;
  const come = incoming.socket.bytesRead - readBefore;
  return at - since >= baseMs + (1_000 * come) / bytesPerSecond;
}
