import { parseJson } from '../util/json.ts';

/** One request that a vendor of the sandbox received, faulty and refused ones included. */
export interface RecordedCall {
  readonly vendor: string;
  readonly method: string;
  /** As the vendor sees it, without the sandbox's prefix. */
  readonly path: string;
  /** Decoded pairs in the order they were sent. */
  readonly query: readonly (readonly [string, string])[];
  readonly headers: Readonly<Record<string, string>>;
  /** The body as it came; `json()` parses it. */
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

/** Keeps the last `limit` calls in a ring, so that a long benchmark costs no more memory than a short one. */
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
