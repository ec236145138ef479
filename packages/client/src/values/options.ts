import { TrawlError } from './errors.ts';

/** A key, or a function that is asked for it at each call. */
export type ApiKey = string | (() => string | undefined | Promise<string | undefined>);

export interface TrawlOptions {
  /** Where the server is; http://127.0.0.1:8080 when absent. `/v1` at its end is left out: the routes begin with it. */
  readonly baseUrl?: string | undefined;
  /** Not needed for the rosters and the health of a server. */
  readonly apiKey?: ApiKey | undefined;
  /** Upper bound of a whole call, retry included; 150 seconds when absent. A search waits for its slowest provider. */
  readonly timeoutMs?: number | undefined;
  /** How often a call is tried again after a 5xx or a broken connection; 1 when absent. */
  readonly maxRetries?: number | undefined;
  /** Wait before a retry, give or take a half; 500 when absent. A `Retry-After` of the server is kept. */
  readonly retryDelayMs?: number | undefined;
  /** Upper bound of one answer; 128 MiB when absent. */
  readonly maxResponseBytes?: number | undefined;
  /** Throws where nothing in an answer succeeded (see `TrawlFailedError`), unless a call says otherwise; false when absent. */
  readonly throwOnFailure?: boolean | undefined;
  /** Sent with each call. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** In place of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** A key in a page is a key for everyone who visits it. */
  readonly dangerouslyAllowBrowser?: boolean | undefined;
}

/** The options of a client, checked and complete. */
export interface Connection {
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly retryDelayMs: number;
  readonly maxResponseBytes: number;
  readonly throwOnFailure: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof globalThis.fetch;
  /** @throws TrawlError where there is none, or it cannot be a key */
  key(): Promise<string>;
}

const LOCAL = 'http://127.0.0.1:8080';
/** Longer timers fire at once. */
export const MAX_TIMER_MS = 2_147_483_647;

/** @throws TrawlError `usage` */
export function connectionOf(options: TrawlOptions): Connection {
  if (isBrowser() && options.dangerouslyAllowBrowser !== true) {
    throw new TrawlError(
      'usage',
      'this is a browser, where everyone can read the API key: call trawl from a server, or set dangerouslyAllowBrowser: true',
    );
  }
  // bound: a global fetch that is called as a method of something else fails in browsers and on edge runtimes
  const send = options.fetch ?? globalThis.fetch.bind(globalThis);
  return {
    baseUrl: checkedBaseUrl(options.baseUrl ?? LOCAL),
    timeoutMs: bounded('timeoutMs', options.timeoutMs ?? 150_000, 1, MAX_TIMER_MS),
    maxRetries: bounded('maxRetries', options.maxRetries ?? 1, 0, 10),
    retryDelayMs: bounded('retryDelayMs', options.retryDelayMs ?? 500, 0, MAX_TIMER_MS),
    maxResponseBytes: bounded(
      'maxResponseBytes',
      options.maxResponseBytes ?? 128 * 1024 * 1024,
      1,
      Number.MAX_SAFE_INTEGER,
    ),
    throwOnFailure: options.throwOnFailure ?? false,
    headers: options.headers ?? {},
    fetch: (...request) => send(...request),
    key: async () =>
      checkedKey(await (typeof options.apiKey === 'function' ? options.apiKey() : options.apiKey)),
  };
}

/** @throws TrawlError `usage` where `value` is not a whole number of that range */
export function bounded(name: string, value: number, min: number, max: number): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new TrawlError('usage', `${name} must be a whole number from ${min} to ${max}`);
}

function checkedBaseUrl(given: string): string {
  const url = parsedUrl(given);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new TrawlError(
      'usage',
      'baseUrl must be an absolute http(s) URL, such as https://trawl.example.com',
    );
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new TrawlError('usage', 'baseUrl may hold no user name, query or fragment');
  }
  const path = withoutSlashes(url.pathname);
  return url.origin + (path.endsWith('/v1') ? withoutSlashes(path.slice(0, -3)) : path);
}

/** In one pass: an expression for slashes at the end would be tried again at each of them. */
function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

function checkedKey(key: string | undefined): string {
  if (key === undefined || key === '') {
    throw new TrawlError(
      'usage',
      'no API key: pass apiKey, or set SERVICE_API_KEY and use connectionSettings() of @trawl/client/settings',
    );
  }
  // the runtime's own complaint would quote the key
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new TrawlError(
      'usage',
      'the API key holds a blank, a line break or a character that is not ASCII',
    );
  }
  return key;
}

/** Server-side runtimes with a `window` have no document, or no navigator. */
function isBrowser(): boolean {
  const { window: page, navigator } = globalThis as {
    readonly window?: { readonly document?: unknown };
    readonly navigator?: unknown;
  };
  return page?.document !== undefined && navigator !== undefined;
}
