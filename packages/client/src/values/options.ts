import { environmentHere } from './environment.ts';
import { TrawlError } from './errors.ts';
import { checkNames, namesOf } from './names.ts';
import { VERSION } from './version.ts';

/** A key, or a function that returns it and is called for each request. */
export type ApiKey = string | (() => string | undefined | Promise<string | undefined>);

export interface TrawlOptions {
  /**
   * Address of the server; that of `SERVICE_BASE_URL`, else http://127.0.0.1:8080, when absent. A
   * trailing `/v1` is removed, since the routes begin with it.
   */
  readonly baseUrl?: string | undefined;
  /**
   * When absent, `SERVICE_API_KEY` is read for each request. Not needed for the lists of providers
   * and the health of a server.
   */
  readonly apiKey?: ApiKey | undefined;
  /**
   * Upper bound of a whole call, retry included; 150 seconds when absent. A search waits for its
   * slowest provider.
   */
  readonly timeoutMs?: number | undefined;
  /** How often a call is retried after a 5xx or a broken connection; 1 when absent. */
  readonly maxRetries?: number | undefined;
  /**
   * Delay before a retry, varied by up to a half; 500 when absent. A longer `Retry-After` of the
   * server is respected.
   */
  readonly retryDelayMs?: number | undefined;
  /** Largest size of one answer; 128 MiB when absent. */
  readonly maxResponseBytes?: number | undefined;
  /**
   * Throws when nothing in an answer succeeded (see `TrawlFailedError`), unless a call sets it
   * otherwise; false when absent.
   */
  readonly throwOnFailure?: boolean | undefined;
  /** Sent with each call. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Used instead of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Allows use in a browser, where every visitor of the page can read the key. */
  readonly dangerouslyAllowBrowser?: boolean | undefined;
}

const NAMES = namesOf<TrawlOptions>({
  baseUrl: true,
  apiKey: true,
  timeoutMs: true,
  maxRetries: true,
  retryDelayMs: true,
  maxResponseBytes: true,
  throwOnFailure: true,
  headers: true,
  fetch: true,
  dangerouslyAllowBrowser: true,
});

/** The options of a client, checked and complete. */
export interface Connection {
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly retryDelayMs: number;
  readonly maxResponseBytes: number;
  readonly throwOnFailure: boolean;
  /** undefined: that of the runtime. */
  readonly userAgent: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof globalThis.fetch;
  /**
   * The key to send; undefined: none.
   * @throws TrawlError when it is missing or malformed
   */
  key(): Promise<string | undefined>;
}

const LOCAL = 'http://127.0.0.1:8080';
/** Longer timers fire at once. */
export const MAX_TIMER_MS = 2_147_483_647;

/** @throws TrawlError `usage` */
export function connectionOf(options: TrawlOptions): Connection {
  checkNames('a client', options, NAMES);
  if (isBrowser() && options.dangerouslyAllowBrowser !== true) {
    throw new TrawlError(
      'usage',
      'this is a browser, where everyone can read the API key: call trawl from a server, or set dangerouslyAllowBrowser: true',
    );
  }
  // bound, since browsers and edge runtimes refuse a global fetch that is called as a method of
  // another object
  const send = options.fetch ?? globalThis.fetch.bind(globalThis);
  return {
    baseUrl: baseUrlOf(options.baseUrl),
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
    userAgent: `trawl-client/${VERSION}`,
    headers: options.headers ?? {},
    fetch: (...request) => send(...request),
    key: async () => {
      const { apiKey = environmentHere().SERVICE_API_KEY } = options;
      return checkedKey(await (typeof apiKey === 'function' ? apiKey() : apiKey));
    },
  };
}

/** @throws TrawlError `usage` when `value` is not a whole number in that range */
export function bounded(name: string, value: number, min: number, max: number): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new TrawlError('usage', `${name} must be a whole number from ${min} to ${max}`);
}

/** An error names the variable when the address is from there. */
function baseUrlOf(given: string | undefined): string {
  const variable = given === undefined && environmentHere().SERVICE_BASE_URL;
  if (variable) return checkedBaseUrl('SERVICE_BASE_URL', variable);
  return checkedBaseUrl('baseUrl', given ?? LOCAL);
}

function checkedBaseUrl(name: string, given: string): string {
  const url = parsedUrl(given);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new TrawlError(
      'usage',
      `${name} must be an absolute http(s) URL, such as https://trawl.example.com`,
    );
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new TrawlError('usage', `${name} may not contain a user name, query or fragment`);
  }
  const path = withoutSlashes(url.pathname);
  return url.origin + (path.endsWith('/v1') ? withoutSlashes(path.slice(0, -3)) : path);
}

/** A loop, since a regular expression for trailing slashes would take quadratic time. */
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
    throw new TrawlError('usage', 'no API key: pass apiKey, or set SERVICE_API_KEY');
  }
  // the error of the runtime would quote the key
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new TrawlError(
      'usage',
      'the API key contains a space, a line break or a character that is not ASCII',
    );
  }
  return key;
}

/** Some server runtimes have a `window`, but not both a document and a navigator. */
function isBrowser(): boolean {
  const { window: page, navigator } = globalThis as {
    readonly window?: { readonly document?: unknown };
    readonly navigator?: unknown;
  };
  return page?.document !== undefined && navigator !== undefined;
}
