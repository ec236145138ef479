import { afterAll, afterEach, beforeAll } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../src/index.ts';
import { isObject, type JsonObject } from '../src/util/json.ts';

/** One sandbox per test file; faults and calls are cleared after each test. */
export function useSandbox(options: SandboxOptions = {}): () => Sandbox {
  let sandbox: Sandbox | undefined;
  const running = () => {
    if (!sandbox) throw new Error('the sandbox is not started yet');
    return sandbox;
  };
  beforeAll(async () => {
    sandbox = await startSandbox(options);
  });
  afterEach(() => {
    running().clearFaults();
    running().clearCalls();
  });
  afterAll(() => running().stop());
  return running;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: JsonObject;
}

export async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const { status, headers } = response;
  return {
    status,
    headers,
    text,
    get body() {
      const value: unknown = JSON.parse(text);
      if (!isObject(value)) throw new Error(`not an object: ${text.slice(0, 80)}`);
      return value;
    },
  };
}

export type SentHeaders = Readonly<Record<string, string>>;

/**
 * One request to a vendor: parameters go into the query with GET, else into a body of JSON. A text
 * is sent as it is.
 */
export async function ask(
  sandbox: Sandbox,
  vendor: string,
  method: string,
  path: string,
  sent: unknown,
  headers: SentHeaders,
): Promise<Answer> {
  const url = `${sandbox.baseUrl(vendor)}${path}`;
  const isText = typeof sent === 'string';
  if (method === 'GET') {
    const query = new URLSearchParams(isText ? sent : Object.entries({ ...Object(sent) }));
    return answerOf(await fetch(`${url}?${query}`, { headers }));
  }
  const json = { 'content-type': 'application/json', ...headers };
  const body = isText ? sent : JSON.stringify(sent);
  return answerOf(await fetch(url, { method, headers: json, body }));
}

/** One POST to `vendor/path`. */
export function post(
  sandbox: Sandbox,
  target: `${string}/${string}`,
  body: unknown,
  headers: SentHeaders,
): Promise<Answer> {
  const slash = target.indexOf('/');
  return ask(sandbox, target.slice(0, slash), 'POST', target.slice(slash), body, headers);
}

export function exaRequest(
  sandbox: Sandbox,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(`${sandbox.baseUrl('exa')}/search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': 'test-key', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

export async function exaSearch(...args: Parameters<typeof exaRequest>): Promise<Answer> {
  return answerOf(await exaRequest(...args));
}

export function braveRequest(
  sandbox: Sandbox,
  query: Readonly<Record<string, string>> | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(`${sandbox.baseUrl('brave')}/res/v1/web/search?${new URLSearchParams(query)}`, {
    headers: { accept: 'application/json', 'x-subscription-token': 'test-key', ...headers },
  });
}

export async function braveSearch(...args: Parameters<typeof braveRequest>): Promise<Answer> {
  return answerOf(await braveRequest(...args));
}

/** The list at a dotted path of an answer, as rows. */
export function rowsAt(value: unknown, ...path: readonly string[]): readonly JsonObject[] {
  let found = value;
  for (const name of path) found = isObject(found) ? found[name] : undefined;
  if (!Array.isArray(found)) throw new Error(`no list at ${path.join('.')}`);
  return found.map((row: unknown) => (isObject(row) ? row : { notAnObject: row }));
}
