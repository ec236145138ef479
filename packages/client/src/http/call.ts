import { TrawlError } from '../values/errors.ts';
import { namesOf } from '../values/names.ts';
import type { Connection } from '../values/options.ts';

/** Options of one call. */
export interface CallOptions {
  /** Aborts the call. */
  readonly signal?: AbortSignal | undefined;
  /** Replaces the client's value. */
  readonly timeoutMs?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Called with the head of each answer, also of retried ones: its status, request id and headers.
   */
  readonly onResponse?: ((response: ResponseHead) => void) | undefined;
}

export const CALL_NAMES = namesOf<CallOptions>({
  signal: true,
  timeoutMs: true,
  headers: true,
  onResponse: true,
});

/** Options of a call that pays providers. */
export interface PaidCallOptions extends CallOptions {
  /**
   * The same key with the same body gets the same answer for 24 hours and is paid once. When
   * absent: a new uuid, which the retry repeats. The server finishes a request with a key even if
   * the caller disconnects. null: no key, so no retry, and disconnecting stops the request.
   */
  readonly idempotencyKey?: string | null | undefined;
}

export interface ResponseHead {
  readonly status: number;
  readonly requestId: string | null;
  readonly headers: Headers;
}

export interface ApiCall {
  /** Method and path, with `{name}` for a parameter: `GET /v1/sessions/{session_id}/history`. */
  readonly endpoint: string;
  /** Whether it is sent without the key. */
  readonly isOpen?: boolean | undefined;
  /** Whether the key is sent only where there is one. */
  readonly mayLackKey?: boolean | undefined;
  readonly options: PaidCallOptions;
  readonly params?: PathParameters | undefined;
  readonly query?: object | undefined;
  readonly body?: object | undefined;
  /** Whether the call pays or makes something: without a key a retry would do it twice. */
  readonly buys?: boolean | undefined;
  /** A status outside 2xx that counts as an answer. */
  readonly alsoAnswers?: number | undefined;
}

/** Values of the parameters of a path, by name. */
export type PathParameters = Readonly<Record<string, string | number>>;

/** A call as it is sent, the same for each attempt. */
export interface OutgoingCall {
  readonly url: string;
  readonly init: RequestInit;
  readonly key: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly mayRepeat: boolean;
}

const keyFor = ({ mayLackKey }: ApiCall, connection: Connection): Promise<string | undefined> =>
  mayLackKey ? connection.key().catch(() => undefined) : connection.key();

/** @throws TrawlError `usage` when it cannot be sent */
export async function outgoingCall(
  connection: Connection,
  call: ApiCall,
  accept: string,
): Promise<OutgoingCall> {
  const { options, body } = call;
  const [method = '', path = ''] = call.endpoint.split(' ');
  const idempotencyKey = options.idempotencyKey ?? undefined;
  const key = call.isOpen ? undefined : await keyFor(call, connection);
  const headers = joinedHeaders(connection.headers, options.headers, {
    accept,
    'user-agent': connection.userAgent,
    authorization: key === undefined ? undefined : `Bearer ${key}`,
    'content-type': body === undefined ? undefined : 'application/json',
    'idempotency-key': idempotencyKey,
  });
  return {
    url: connection.baseUrl + addressOf(path, call.params, call.query),
    // a redirected POST would be sent again as a GET, or paid twice
    init: { method, headers, body: bodyText(body), redirect: 'manual' },
    key,
    idempotencyKey,
    mayRepeat: call.buys !== true || idempotencyKey !== undefined,
  };
}

/** Later layers replace headers of earlier ones. Names are case-insensitive. */
function joinedHeaders(
  ...layers: readonly (Readonly<Record<string, string | undefined>> | undefined)[]
): Headers {
  const headers = new Headers();
  for (const [name, value] of layers.flatMap((layer) => Object.entries(layer ?? {}))) {
    if (value === undefined) continue;
    try {
      headers.set(name, value);
    } catch {
      // the error of the runtime would quote the value
      const message = `the header ${JSON.stringify(name)} contains characters that HTTP does not allow`;
      throw new TrawlError('usage', message);
    }
  }
  return headers;
}

function bodyText(body: object | undefined): string | null {
  try {
    return body === undefined ? null : JSON.stringify(body);
  } catch (cause) {
    throw new TrawlError('usage', 'the request cannot be written as JSON', { cause });
  }
}

/**
 * The path with its parameters filled in, and the query without what is undefined or null.
 * @throws TrawlError `usage` when a parameter is missing
 */
export function addressOf(path: string, params: PathParameters = {}, query: object = {}): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new TrawlError('usage', `${path} needs ${name}`);
    return encodeURIComponent(value);
  });
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) given.set(name, String(value));
  }
  const text = given.toString();
  return text === '' ? filled : `${filled}?${text}`;
}
