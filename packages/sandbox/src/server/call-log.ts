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

/** Keeps the last `limit` calls in a ring, so that a long benchmark costs no more memory than a short one. */
export class CallLog {
  readonly #limit: number;
  #ring: RecordedCall[] = [];
  #next = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(call: Omit<RecordedCall, 'json'>): void {
    if (this.#limit === 0) return;
    this.#ring[this.#next] = { ...call, json: () => parseJson(call.body) };
    this.#next = (this.#next + 1) % this.#limit;
  }

  /** Oldest first. */
  all(): readonly RecordedCall[] {
    return this.#ring.length < this.#limit
      ? [...this.#ring]
      : [...this.#ring.slice(this.#next), ...this.#ring.slice(0, this.#next)];
  }

  clear(): void {
    this.#ring = [];
    this.#next = 0;
  }
}
