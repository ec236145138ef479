import { createHash } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  FetchOutput,
  FetchRow,
  InteractionDetails,
  InteractionResponse,
  PreprocessorRun,
} from '@trawl/contract';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { Environment } from '../../../src/config/config.ts';
import { asLine, type Tier } from './search-runs.ts';

/** The table of 2.8, copied from the specification: the fields that each tier adds to a page. */
const ADDED: Readonly<Record<Tier, readonly string[]>> = {
  minimalist: ['canonical_url', 'warning', 'cache_state', 'request_id'],
  default: ['js_rendered', 'pdf_mode', 'content_sha256', 'description'],
  extended: [
    ...['raw_html', 'html', 'chunks', 'screenshot', 'page_count', 'content_type', 'summary'],
    ...['language', 'author', 'publish_date', 'favicon', 'thumbnail', 'links', 'images'],
    ...['metadata', 'provider_chain', 'quality', 'findings', 'usage'],
  ],
  max: ['media', 'transcript', 'excerpt', 'structured', 'subpages', 'enrichments'],
};
const ALWAYS = [
  ...['url', 'status', 'error', 'title', 'content', 'content_format', 'content_length'],
  ...['http_status', 'provider', 'latency_ms', 'warnings', 'truncated'],
];

/** An ordinary page of the sandbox's web. */
export const PAGE = 'https://www.example.com/guides/solar-kilns';

/** The options that decide the shape of an answer. */
export interface PageOptions {
  readonly providers?: readonly string[];
  readonly tier?: Tier;
  readonly content_format?: 'markdown' | 'text';
  readonly [option: string]: unknown;
}
export type Row = ReturnType<typeof FetchRow.parse>;
type Members = Readonly<Record<string, unknown>>;

export interface Fetched {
  /** The row of the first URL. */
  readonly row: Row;
  readonly rows: readonly Row[];
  /** The whole answer as received. */
  readonly text: string;
  readonly interactionId: string;
  /** Codes and messages of the first row's warnings. */
  readonly warnings: readonly string[];
}

/** Fetches one page or several, and checks the rules for every answer. */
export async function fetchPage(
  server: TestServer,
  urls: string | readonly string[],
  options: PageOptions = {},
): Promise<Fetched> {
  const asked = [urls].flat();
  const posted = await server.fetch({ urls: asked, options });
  expect(posted.status, posted.text).toBe(200);
  expect(posted.text).not.toContain('5fJ2');
  const answer = InteractionResponse.strict().parse(posted.json);
  expect([answer.status, answer.normalized_schema_version]).toEqual(['succeeded', null]);
  const [run, ...otherRuns] = answer.preprocessor_runs.map((one) => PreprocessorRun.parse(one));
  expect([run?.preprocessor_name, otherRuns]).toEqual(['web_fetch', []]);
  const output = FetchOutput.strict().parse(run?.output_payload);
  const rows = output.fetched_results.map((row) => FetchRow.strict().parse(row));
  expect(rows.map(({ url }) => url)).toEqual(asked);
  const succeeded = rows.filter(({ status }) => status === 'succeeded');
  expect([output.succeeded_count, output.failed_count]).toEqual([
    succeeded.length,
    rows.length - succeeded.length,
  ]);
  for (const row of rows) checkRow(row, options.tier ?? 'default');
  await expectReadBack(server, posted.json);
  const [row] = rows;
  if (!row) throw new Error('a fetch of one URL has one row');
  return {
    row,
    rows,
    text: posted.text,
    interactionId: answer.interaction_id,
    warnings: row.warnings.map(asLine),
  };
}

/** Like `fetchPage`, with one pinned provider. The page must have been read. */
export async function pageOf(
  server: TestServer,
  provider: string,
  url = PAGE,
  options: PageOptions = {},
): Promise<Fetched> {
  const fetched = await fetchPage(server, url, { providers: [provider], ...options });
  expect(fetched.row.status, JSON.stringify(fetched.row.error)).toBe('succeeded');
  expect(fetched.row.provider).toBe(provider);
  return fetched;
}

/** Exactly the fields of the tier; the service's own fields are set. */
function checkRow(row: Row, tier: Tier): void {
  const tiers = ['minimalist', 'default', 'extended', 'max'] as const;
  const added = tiers.slice(0, tiers.indexOf(tier) + 1).flatMap((step) => ADDED[step]);
  expect(Object.keys(row).sort()).toEqual([...ALWAYS, ...added].sort());
  expect(row.latency_ms).toBeGreaterThanOrEqual(0);
  const worded = row.warnings.filter(({ code }) => code !== 'capability_gap');
  const warning = worded.map(({ message }) => message).join('; ');
  expect(row.warning).toBe(warning === '' ? null : warning);
  if (row.status === 'failed') {
    expect([row.error?.code, row.truncated]).toEqual([expect.any(String), false]);
    expect(row.warnings.map(({ code }) => code)).not.toContain('capability_gap');
    return;
  }
  expect(row.error).toBeNull();
  const content = row.content ?? '';
  expect(content.trim()).not.toBe('');
  if (row.truncated) return;
  expect(row.content_length).toBe([...content].length);
  if ('content_sha256' in row) expect(row.content_sha256).toBe(sha256(content));
}

export const sha256 = (text: string): string =>
  createHash('sha256').update(text, 'utf8').digest('hex');

/** GET returns the answer of POST, value for value, and two more members. */
async function expectReadBack(server: TestServer, posted: Members): Promise<void> {
  const { session_id, interaction_id } = posted;
  const path = `/v1/interactions?session_id=${session_id}&interaction_id=${interaction_id}`;
  const read = await server.call('GET', path);
  expect(read.status, read.text).toBe(200);
  const { user_input, metadata, ...same } = InteractionDetails.strict().parse(read.json);
  expect(same).toEqual(posted);
  expect([typeof user_input, typeof metadata]).toEqual(['object', 'object']);
}

/** Gaps that are about an option, not about a field. */
const OF_OPTION = /^(?:content_format|max_age_seconds): /;

/** The fields that a row's gap warning names; the entries on options are separate. */
export function gapsOfRow({ warnings }: Row): string[] {
  const entries = warnings.filter(
    ({ code, message }) => code === 'capability_gap' && !OF_OPTION.test(message),
  );
  expect(entries.length, 'one entry names all missing fields').toBeLessThanOrEqual(1);
  return entries.flatMap(({ message }) =>
    message.split('; ').flatMap((part) => (part.split(':')[0] ?? '').split(', ')),
  );
}

/** Whether the row reports that the requested format was not available. */
export const hasFormatGap = ({ warnings }: Row): boolean =>
  warnings.some(
    ({ code, message }) => code === 'capability_gap' && message.startsWith('content_format: '),
  );

/** The ledger rows of an interaction. */
export async function booked(server: TestServer, { interactionId }: Fetched) {
  const rows = await server.server.store.reader.ledger(server.projectId, interactionId);
  return rows.map(({ provider, calls, costMicros }) => ({ provider, calls, costMicros }));
}

export interface StubCall {
  readonly method: string;
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}
export interface StubReply {
  readonly status?: number;
  readonly headers?: http.OutgoingHttpHeaders;
  /** Sent as JSON; a text is sent unchanged. */
  readonly body: unknown;
}
/**
 * A server with one provider whose answers the test sets: for answers that the sandbox would not
 * give.
 */
export interface StubbedServer extends TestServer {
  respond(answer: (call: StubCall) => StubReply): void;
  /** What the provider received, since it was cleared. */
  readonly received: StubCall[];
}

export function useStubFor(provider: string, env: Environment = {}): () => StubbedServer {
  const started = useUnclearedStubFor(provider, env);
  beforeEach(() => {
    started().respond(NOTHING);
    started().received.length = 0;
    started().sandbox.clearCalls();
  });
  return started;
}

const NOTHING = (): StubReply => ({ status: 404, body: {} });

/**
 * As `useStubFor`, for tests that run at the same time: `received` also has the calls of the other
 * tests, and one `respond` is for all of them.
 */
export function useUnclearedStubFor(provider: string, env: Environment = {}): () => StubbedServer {
  let respond: (call: StubCall) => StubReply = NOTHING;
  const received: StubCall[] = [];
  const vendor = http.createServer(async (request, response) => {
    const chunks: Buffer[] = await request.toArray();
    const { method = '', url: path = '', headers } = request;
    const call = { method, path, headers, body: Buffer.concat(chunks).toString('utf8') };
    received.push(call);
    const { status = 200, headers: more, body } = respond(call);
    const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json';
    response.writeHead(status, { 'content-type': type, ...more });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  let server: StubbedServer | undefined;
  beforeAll(async () => {
    vendor.listen(0, '127.0.0.1');
    await once(vendor, 'listening');
    const url = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`;
    const started = await startTestServer({
      env: { [`${provider.toUpperCase()}_BASE_URL`]: url, ...env },
    });
    const set = (answer: typeof respond) => {
      respond = answer;
    };
    server = { ...started, respond: set, received };
  });
  afterAll(async () => {
    await server?.stop();
    vendor.closeAllConnections();
    vendor.close();
  });
  return () => {
    if (!server) throw new Error('the server is started before the first test');
    return server;
  };
}
