import {
  InteractionDetails,
  InteractionResponse,
  PreprocessorRun,
  RunError,
  SearchOutput,
} from '@trawl/contract';
import { SEARCH_PROVIDERS } from '@trawl/providers';
import type { RecordedCall } from '@trawl/sandbox';
import {
  startTestServer,
  type TestServer,
  type TestServerOptions,
} from '@trawl/test-support/harness';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';

/** The tables of the specification, copied from it and not from the source. */
export const ROW_FIELDS = [
  ...['url', 'title', 'rank', 'summary', 'excerpt', 'full_content', 'publish_date'],
  ...['thumbnail', 'favicon', 'source', 'enrichments', 'fetch_meta'],
];
export const ENVELOPE_FIELDS = ['usage', 'answer', 'entities', 'related', 'verticals'];
export const LIST_FIELDS = ['entities', 'related'];
const ROW_FIELDS_BY_TIER = { minimalist: 3, default: 4, extended: 7, max: 12 };
export const TIERS = ['minimalist', 'default', 'extended', 'max'] as const;
export type Tier = (typeof TIERS)[number];

/** The names in `output_payload.fields`. */
export function fieldsOf(tier: Tier): string[] {
  const envelope = { minimalist: [], default: [], extended: ['usage'], max: ENVELOPE_FIELDS };
  return [...ROW_FIELDS.slice(0, ROW_FIELDS_BY_TIER[tier]), ...envelope[tier]];
}

/** The members of a search block that decide the shape of an answer. */
interface SearchBlock {
  readonly tier?: Tier | null;
  readonly fields?: readonly string[] | null;
  readonly include_raw?: boolean | null;
  readonly filters?: object | null;
}

/** A run with parsed payloads. */
export interface Run {
  readonly id: string;
  readonly preprocessor_name: string;
  readonly status: string;
  readonly batch_index: number;
  readonly query: string;
  readonly request_payload: Readonly<Record<string, unknown>>;
  readonly output_payload: Output | null;
  readonly raw_payload: Readonly<Record<string, unknown>> | null;
  readonly error: Failure | null;
  readonly latency_ms: number | null;
}
type Output = ReturnType<typeof SearchOutput.parse>;
type Failure = ReturnType<typeof RunError.parse>;
export type Row = Readonly<Record<string, unknown>>;

export interface Search {
  readonly answer: ReturnType<typeof InteractionResponse.parse>;
  readonly text: string;
  readonly runs: readonly Run[];
  run(slug: string, batchIndex?: number): Run;
  /** The envelope of a run that must have succeeded. */
  output(slug: string, batchIndex?: number): Output;
  rows(slug: string, batchIndex?: number): readonly Row[];
  /** The error of a run that must have failed. */
  error(slug: string, batchIndex?: number): Failure;
  warnings(slug: string, batchIndex?: number): readonly string[];
}

/**
 * Settings without provider keys, without the address of the provider that needs no key, and
 * without services that need none.
 */
export const NO_KEYS: Readonly<Record<string, string | undefined>> = {
  ...Object.fromEntries(
    SEARCH_PROVIDERS.flatMap(({ slug, baseUrl, credentialVariables }) =>
      baseUrl === null ? [`${slug.toUpperCase()}_BASE_URL`] : credentialVariables,
    ).map((name) => [name, undefined]),
  ),
  KEYLESS_SEARCH: 'off',
};

/**
 * One server for all tests of a file or of a describe block. Its list of calls is cleared before
 * each test.
 */
export function useServer(options: TestServerOptions = {}): () => TestServer {
  const started = useUnclearedServer(options);
  beforeEach(() => {
    started().sandbox.clearCalls();
    started().sandbox.clearFaults();
  });
  return started;
}

/**
 * As `useServer`, for tests that run at the same time: its list of calls also has those of the
 * other tests, so each looks only at its own.
 */
export function useUnclearedServer(options: TestServerOptions = {}): () => TestServer {
  let server: TestServer | undefined;
  beforeAll(async () => {
    server = await startTestServer(options);
  });
  afterAll(() => server?.stop());
  return () => {
    if (!server) throw new Error('the server is started before the first test');
    return server;
  };
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const UTC_MILLISECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const ANSWER_KEYS = [
  ...['instance_id', 'session_id', 'interaction_id', 'trajectory_id', 'status'],
  ...['preprocessor_runs', 'postprocessor_runs', 'created_at', 'completed_at'],
  ...['normalized_schema_version', 'routing'],
];
const RUN_KEYS = [
  ...['id', 'preprocessor_name', 'status', 'batch_index', 'query', 'request_payload'],
  ...['output_payload', 'raw_payload', 'error', 'latency_ms'],
];

/**
 * A search with a full check of its answer: every rule of shape for all answers, and that it is
 * read back as it was answered. `input` is a query, several, or `user_input` itself.
 */
export async function search(
  server: TestServer,
  input: string | readonly string[] | object,
  block: object = {},
  more: Readonly<Record<string, unknown>> = {},
): Promise<Search> {
  const queries = typeof input === 'string' ? [input] : input;
  const userInput =
    typeof input === 'string'
      ? { query: input }
      : Array.isArray(queries)
        ? queries.map((query) => (typeof query === 'string' ? { query } : query))
        : input;
  const posted = await server.search({ user_input: userInput, search: block, ...more });
  expect(posted.status, posted.text).toBe(200);
  expect(posted.text).not.toContain('5fJ2');
  const answer = InteractionResponse.strict().parse(posted.json);
  const optional = ['parent_trajectory_id', 'trajectory_goal'].filter((key) => key in posted.json);
  expect(Object.keys(posted.json).sort()).toEqual([...ANSWER_KEYS, ...optional].sort());
  for (const id of [answer.session_id, answer.interaction_id, answer.trajectory_id])
    expect(id).toMatch(UUID);
  for (const time of [answer.created_at, answer.completed_at])
    expect(time).toMatch(UTC_MILLISECONDS);
  expect(answer.created_at <= answer.completed_at).toBe(true);
  expect(answer.normalized_schema_version).toBe(2);
  expect(answer.postprocessor_runs).toEqual([]);
  const runs = answer.preprocessor_runs.map((run) => checkRun(run, block));
  expect(answer.status).toBe(statusOver(runs));
  await expectReadBack(server, posted.json);
  return { answer, text: posted.text, runs, ...readersOf(runs) };
}

function readersOf(runs: readonly Run[]) {
  const run = (slug: string, batchIndex = 0): Run => {
    const found = runs.find(
      (one) => one.preprocessor_name === slug && one.batch_index === batchIndex,
    );
    if (!found) throw new Error(`no run of ${slug} for query ${batchIndex}`);
    return found;
  };
  const output = (slug: string, batchIndex = 0): Output => {
    const { output_payload, error } = run(slug, batchIndex);
    if (!output_payload) throw new Error(`${slug} failed: ${JSON.stringify(error)}`);
    return output_payload;
  };
  const error = (slug: string, batchIndex = 0): Failure => {
    const found = run(slug, batchIndex).error;
    if (!found) throw new Error(`${slug} did not fail`);
    return found;
  };
  return {
    run,
    output,
    error,
    rows: (slug: string, batchIndex = 0): readonly Row[] => output(slug, batchIndex).results,
    warnings: (slug: string, batchIndex = 0) => {
      const { output_payload, error: failure } = run(slug, batchIndex);
      return (output_payload ?? failure)?.warnings.map(asLine) ?? [];
    },
  };
}

/** A warning as `code message`. */
export const asLine = ({ code, message }: { code: string; message: string }): string =>
  `${code} ${message}`;

/** The status that follows from the runs. */
function statusOver(runs: readonly Run[]): string {
  const failed = runs.filter((run) => run.status === 'failed').length;
  if (failed === 0) return 'succeeded';
  return failed === runs.length ? 'failed' : 'partially_succeeded';
}

function checkRun(received: unknown, block: SearchBlock): Run {
  const parsed = PreprocessorRun.strict().parse(received);
  expect(Object.keys(received as object)).toEqual(RUN_KEYS);
  const output_payload =
    parsed.output_payload && SearchOutput.strict().parse(parsed.output_payload);
  const error = parsed.error && RunError.strict().parse(parsed.error);
  expect(parsed.id).toMatch(UUID);
  expect(Object.keys(parsed.request_payload)).toEqual(['method', 'url', 'headers', 'body']);
  if (block.include_raw !== true) expect(parsed.raw_payload).toBeNull();
  if (parsed.status === 'succeeded') {
    if (!output_payload) throw new Error('a succeeded run must have an envelope');
    expect(error).toBeNull();
    expect(output_payload.latency_ms).toBe(parsed.latency_ms);
    checkEnvelope(output_payload, parsed.output_payload as Row, block);
  } else {
    expect(output_payload).toBeNull();
    if (!error) throw new Error('a failed run lacks its error');
    expect(error.provider).toBe(parsed.preprocessor_name);
    expect(error.message.startsWith(`${parsed.preprocessor_name} `)).toBe(true);
  }
  const latency = parsed.latency_ms;
  if (latency !== null) expect(latency).toBeGreaterThanOrEqual(0);
  return { ...parsed, output_payload, error } as Run;
}

/** Exactly the active fields, in the table's order, on every row and on the envelope. */
function checkEnvelope(output: Output, received: Row, block: SearchBlock): void {
  const { tier, fields, filters } = block;
  const hasFilters = Object.entries(filters ?? {}).some(
    ([name, value]) => name !== 'mode' && value,
  );
  const active = fields
    ? [...ROW_FIELDS, ...ENVELOPE_FIELDS].filter((field) => fields.includes(field))
    : fieldsOf(tier ?? 'default');
  expect(output.tier).toBe(fields ? null : (tier ?? 'default'));
  expect(output.fields).toEqual(active);
  expect(Object.keys(received).sort()).toEqual(
    [
      ...['schema_version', 'tier', 'fields', 'results', 'latency_ms', 'warnings'],
      ...active.filter((field) => ENVELOPE_FIELDS.includes(field)),
      ...(hasFilters ? ['filters'] : []),
    ].sort(),
  );
  const rowFields = active.filter((field) => ROW_FIELDS.includes(field));
  for (const [index, row] of (received.results as readonly Row[]).entries()) {
    expect(Object.keys(row)).toEqual(rowFields);
    if (rowFields.includes('rank')) expect(row.rank).toBe(index + 1);
  }
  for (const warning of received.warnings as readonly Row[])
    expect(Object.keys(warning).sort()).toEqual(['code', 'message']);
}

/** GET returns the answer of POST, value for value, and two more members. */
async function expectReadBack(server: TestServer, posted: Row): Promise<void> {
  const { session_id, interaction_id } = posted;
  const path = `/v1/interactions?session_id=${session_id}&interaction_id=${interaction_id}`;
  const read = await server.call('GET', path);
  expect(read.status, read.text).toBe(200);
  const { user_input, metadata, ...same } = InteractionDetails.strict().parse(read.json);
  expect(same).toEqual(posted);
  expect([typeof user_input, typeof metadata]).toEqual(['object', 'object']);
}

/** The calls to a vendor of the sandbox since the test began. */
export const callsTo = (server: TestServer, vendor: string): readonly RecordedCall[] =>
  server.sandbox.calls.filter((call) => call.vendor === vendor);

/** The JSON body of each call to a vendor. */
export const bodiesTo = (server: TestServer, vendor: string): unknown[] =>
  callsTo(server, vendor).map((call) => call.json());

/** The query string of each call to a vendor. */
export const queriesTo = (server: TestServer, vendor: string): Record<string, string>[] =>
  callsTo(server, vendor).map((call) => Object.fromEntries(call.query));
