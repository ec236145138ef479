import { parseJson } from '../util/json.ts';

/** One request that a vendor of the sandbox received, including faulty and refused ones. */
export interface RecordedCall {
  readonly vendor: string;
  readonly method: string;
  /** The path that the vendor sees, without the sandbox's prefix. */
  readonly path: string;
  /** Decoded pairs in the order in which they were sent. */
  readonly query: readonly (readonly [string, string])[];
  readonly headers: Readonly<Record<string, string>>;
  /** The body as received; `json()` parses it. */
  readonly body: string;
  readonly key: string | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
  json(): unknown;
}

/** The last calls, oldest first. */
export interface CallLog {
  add(call: Omit<RecordedCall, 'json'>): void;
  all(): readonly RecordedCall[];
  clear(): void;
}

/**
 * Keeps the last `limit` calls in a ring buffer, so that a long benchmark does not need more memory
 * than a short one.
 */
export function createCallLog(limit: number): CallLog {
  let ring: RecordedCall[] = [];
  let next = 0;
  return {
    add(call) {
      if (limit === 0) return;
      ring[next] = { ...call, json: () => parseJson(call.body) };
      next = (next + 1) % limit;
    },
    all: () => (ring.length < limit ? [...ring] : [...ring.slice(next), ...ring.slice(0, next)]),
    clear() {
      ring = [];
      next = 0;
    },
  };
}
