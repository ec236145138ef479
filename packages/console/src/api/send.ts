import { errorOf, unreachable } from './error.ts';

export interface Sent {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  readonly accept?: string;
}

/**
 * Sends a call and returns its successful answer.
 * @param endpoint Method and path with `{name}` for a parameter: `GET /console/api/session`
 * @throws ApiError for any other answer, and for none. An aborted call throws the signal's reason.
 */
export async function send(endpoint: string, sent: Sent): Promise<Response> {
  const { body, signal, accept = 'application/json' } = sent;
  const [method = 'GET', path = ''] = endpoint.split(' ');
  const headers = { accept, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
  const response = await fetch(addressOf(path, sent), {
    method,
    headers,
    credentials: 'same-origin',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  }).catch((cause: unknown) => {
    if (signal?.aborted) throw cause;
    throw unreachable(cause);
  });
  if (!response.ok) throw await errorOf(response);
  return response;
}

/** The path with its parameters filled in. Parameters of the query that are undefined or null are left out. */
export function addressOf(path: string, { params, query }: Pick<Sent, 'params' | 'query'>): string {
  const given = entriesOf(params);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const [, value] = given.find(([key]) => key === name) ?? [];
    if (value === undefined) throw new Error(`${path} needs the parameter ${name}`);
    return encodeURIComponent(String(value));
  });
  const search = new URLSearchParams();
  for (const [name, value] of entriesOf(query)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined && each !== null) search.append(name, String(each));
    }
  }
  return search.size > 0 ? `${filled}?${search}` : filled;
}

const entriesOf = (given: unknown): [string, unknown][] => Object.entries(given ?? {});
