import { request as httpRequest } from 'node:http';
import { openDatabase } from '@trawl/database';
import {
  type Answer,
  type Request,
  startTestServer,
  type TestServer,
  type TestServerOptions,
} from '@trawl/test-support/harness';
import { expect } from 'vitest';
import { withoutHints } from '../../support/without-hints.ts';

/** A harness server that can report the traces of a request. */
export interface SpecServer extends TestServer {
  /**
   * Sends a request that must be refused: the answer is an error, and nothing was sent to a
   * provider, recorded in a session or billed in the ledger.
   */
  refused(method: string, path: string, request?: Request): Promise<Answer>;
  /** A refusal of the `detail` family, compared in full except for its hints. */
  expectRefusal(path: string, body: unknown, status: number, detail: unknown): Promise<void>;
  /** A request as bytes, with only the given headers and those that HTTP needs. */
  raw(path: string, request: RawRequest): Promise<RawAnswer>;
  /** The slugs that this deployment can run, as a refusal lists them. */
  readonly available: string;
}

export interface RawRequest {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  /** A list is sent in chunks, without a length. */
  readonly body?: string | Uint8Array | readonly string[];
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

const TABLES = ['sessions', 'interactions', 'runs', 'ledger'] as const;

export async function startSpecServer(options: TestServerOptions = {}): Promise<SpecServer> {
  const server = await startTestServer(options);
  const { db } = openDatabase(server.database.location, { connections: 1 });
  const rowsOf = async (table: (typeof TABLES)[number]) => {
    const count = db.selectFrom(table).select(({ fn }) => fn.countAll().as('rows'));
    return [table, Number((await count.executeTakeFirstOrThrow()).rows)];
  };
  const traces = async () => {
    const sessions = server.call('GET', '/v1/sessions?limit=200');
    const rows = Object.fromEntries(await Promise.all(TABLES.map(rowsOf)));
    return { sent: server.sandbox.calls.length, rows, sessions: (await sessions).text };
  };
  /** The records after the last refusal; valid until the next other request. */
  let known: Awaited<ReturnType<typeof traces>> | undefined;
  const call: TestServer['call'] = (...request) => {
    known = undefined;
    return server.call(...request);
  };
  const refused: SpecServer['refused'] = async (method, path, request = {}) => {
    const before = known ?? (await traces());
    const answer = await call(method, path, request);
    expect(answer.status, answer.text).toBeGreaterThanOrEqual(400);
    const after = await traces();
    expect(after).toEqual(before);
    known = after;
    return answer;
  };
  const roster = await server.call('GET', '/v1/preprocessors');
  const slugs = roster.json.preprocessors.map((entry: { slug: string }) => entry.slug);
  return {
    ...server,
    call,
    search: (body, request) => call('POST', '/v1/search', { body, ...request }),
    refused,
    async expectRefusal(path, body, status, detail) {
      const answer = await refused('POST', path, { body });
      expect({ status: answer.status, body: withoutHints(answer.json) }).toEqual({
        status,
        body: { detail },
      });
    },
    raw: (path, request) => {
      known = undefined;
      return sendRaw(`${server.url}${path}`, request);
    },
    available: `available providers: ${slugs.join(', ')}`,
    stop: async () => {
      await db.destroy();
      await server.stop();
    },
  };
}

function sendRaw(url: string, { method, headers, body }: RawRequest): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const options = { method: method ?? 'POST', headers: headers ?? {}, agent: false };
    const outgoing = httpRequest(url, options, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text });
      });
    });
    outgoing.on('error', reject);
    const isWhole = typeof body === 'string' || body instanceof Uint8Array;
    for (const chunk of isWhole ? [] : (body ?? [])) outgoing.write(chunk);
    outgoing.end(isWhole ? body : undefined);
  });
}

/** Words of a 422 entry: everything but `loc` and `input`. */
export interface Words {
  readonly type: string;
  readonly msg: string;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

/** Pydantic 2's own words, copied from its documentation and not from the source. */
export const MISSING: Words = { type: 'missing', msg: 'Field required' };
export const STRING: Words = { type: 'string_type', msg: 'Input should be a valid string' };
export const INTEGER: Words = { type: 'int_type', msg: 'Input should be a valid integer' };
export const FRACTION: Words = {
  type: 'int_from_float',
  msg: 'Input should be a valid integer, got a number with a fractional part',
};
export const BOOLEAN: Words = { type: 'bool_type', msg: 'Input should be a valid boolean' };
export const LIST: Words = { type: 'list_type', msg: 'Input should be a valid list' };
export const DICTIONARY: Words = { type: 'dict_type', msg: 'Input should be a valid dictionary' };
export const MODEL: Words = {
  type: 'model_attributes_type',
  msg: 'Input should be a valid dictionary or object to extract fields from',
};
export const EXTRA: Words = { type: 'extra_forbidden', msg: 'Extra inputs are not permitted' };
export const UUID_TYPE: Words = {
  type: 'uuid_type',
  msg: 'UUID input should be a string, bytes or UUID object',
};
export const BLANK: Words = {
  type: 'string_too_short',
  msg: 'String should have at least 1 character',
  ctx: { min_length: 1 },
};

export const uuidWords = (error: string): Words => ({
  type: 'uuid_parsing',
  msg: `Input should be a valid UUID, ${error}`,
  ctx: { error },
});
export const literalWords = (expected: string): Words => ({
  type: 'literal_error',
  msg: `Input should be ${expected}`,
  ctx: { expected },
});
export const atLeast = (ge: number): Words => ({
  type: 'greater_than_equal',
  msg: `Input should be greater than or equal to ${ge}`,
  ctx: { ge },
});
export const atMost = (le: number): Words => ({
  type: 'less_than_equal',
  msg: `Input should be less than or equal to ${le}`,
  ctx: { le },
});
export const tooShort = (actual: number): Words => ({
  type: 'too_short',
  msg: `List should have at least 1 item after validation, not ${actual}`,
  ctx: { field_type: 'List', min_length: 1, actual_length: actual },
});
export const tooLong = (max: number, actual: number): Words => ({
  type: 'too_long',
  msg: `List should have at most ${max} items after validation, not ${actual}`,
  ctx: { field_type: 'List', max_length: max, actual_length: actual },
});
export const valueWords = (error: string): Words => ({
  type: 'value_error',
  msg: `Value error, ${error}`,
  ctx: { error },
});

/** Field, value and its fault; the value is at `loc` and is echoed as `input`. */
export type WrongValue = readonly [loc: readonly (string | number)[], value: unknown, words: Words];

/** One entry for each value of a wrong type. */
export const wrong = (
  loc: WrongValue[0],
  words: Words,
  ...values: readonly unknown[]
): WrongValue[] => values.map((value) => [loc, value, words]);

/** A whole request in which only the value at `loc` is wrong: in a list it follows valid ones. */
export function withValue(loc: WrongValue[0], value: unknown): Record<string, unknown> {
  const [first, ...inner] = loc;
  const right = first === 'user_input' ? QUERY : loc.includes('fields') ? 'url' : 'exa';
  const nested = inner.reduceRight<unknown>(
    (below, step) =>
      typeof step === 'number' ? [...Array(step).fill(right), below] : { [step]: below },
    value,
  );
  return { user_input: QUERY, [String(first)]: nested };
}

export const QUERY = { query: 'solar power' };

// biome-ignore lint/suspicious/noExplicitAny: runs are read by the contract's names
export type Run = any;

/** The run of a provider, the first of its kind. */
export function runOf(answer: Answer, slug: string): Run {
  expect(answer.status, answer.text).toBe(200);
  const run = answer.json.preprocessor_runs.find((one: Run) => one.preprocessor_name === slug);
  expect(run, `no run of ${slug} in ${answer.text}`).toBeDefined();
  return run;
}

/** Providers of the runs, in order. */
export const slugsOf = (answer: Answer): string[] =>
  answer.json.preprocessor_runs.map((run: Run) => run.preprocessor_name);

export const codesOf = (run: Run): string[] =>
  run.output_payload.warnings.map((warning: { code: string }) => warning.code);

export const batchOf = (count: number): { query: string }[] =>
  Array.from({ length: count }, (_, index) => ({ query: `query ${index}` }));

/** The body of the last call to a vendor; for brave, its query string. */
export function sentTo(server: TestServer, vendor: string): Run {
  const call = server.sandbox.calls.findLast((one) => one.vendor === vendor);
  if (!call) throw new Error(`nothing was sent to ${vendor}`);
  return call.method === 'GET' ? call.query : call.json();
}
