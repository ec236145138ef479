import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { Transform } from 'node:stream';

/** What one page may use of the network. */
export interface PassLimits {
  /** Bytes in both directions together, counted at the proxy; a page that needs more is aborted. */
  readonly maxBytes: number;
  /** Connections and plain requests; further ones are refused. */
  readonly maxRequests: number;
}

/** Lets one page use the proxy until it is revoked. */
export interface PagePass {
  readonly username: string;
  readonly password: string;
  /** Aborted when the pass is revoked or used up; open connections then end. */
  readonly signal: AbortSignal;
  /** Whether its bytes are used up. */
  isUsedUp(): boolean;
  /** Counts a request; false = the limit is reached. */
  countRequest(): boolean;
  /** A transform to pipe data through; it counts the bytes. */
  meter(): Transform;
  revoke(): void;
}

const USERNAME = 'page';
const SECRET_BYTES = 24;

export function createPagePass({ maxBytes, maxRequests }: PassLimits): PagePass {
  const controller = new AbortController();
  const { signal } = controller;
  // each connection of the page adds a listener
  setMaxListeners(0, signal);
  let bytes = 0;
  let requests = 0;
  return {
    username: USERNAME,
    password: randomBytes(SECRET_BYTES).toString('hex'),
    signal,
    isUsedUp: () => bytes > maxBytes,
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
