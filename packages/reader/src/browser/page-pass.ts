import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { Transform } from 'node:stream';

/** What one page may use of the network. */
export interface PassLimits {
  /** Both ways together, as they pass the proxy; whoever needs more is given up. */
  readonly maxBytes: number;
  /** Connections and plain requests; what is beyond is refused. */
  readonly maxRequests: number;
}

/** Lets one page through the proxy until it is revoked. */
export interface PagePass {
  readonly username: string;
  readonly password: string;
  /** Aborted when it is revoked or used up: what is still open ends then. */
  readonly signal: AbortSignal;
  /** Its bytes are used up. */
  isSpent(): boolean;
  /** false = no more. */
  countRequest(): boolean;
  /** To be put between two ends: counts what goes through. */
  meter(): Transform;
  revoke(): void;
}

const USERNAME = 'page';
const SECRET_BYTES = 24;

export function createPagePass({ maxBytes, maxRequests }: PassLimits): PagePass {
  const controller = new AbortController();
  const { signal } = controller;
  // each connection of the page listens
  setMaxListeners(0, signal);
  let bytes = 0;
  let requests = 0;
  return {
    username: USERNAME,
    password: randomBytes(SECRET_BYTES).toString('hex'),
    signal,
    isSpent: () => bytes > maxBytes,
    countRequest: () => {
      requests += 1;
      return requests <= maxRequests;
    },
    meter: () =>
      new Transform({
        transform(chunk: Uint8Array, _encoding, done) {
          bytes += chunk.length;
          if (bytes > maxBytes) controller.abort();
          done(null, chunk);
        },
      }),
    revoke: () => controller.abort(),
  };
}
