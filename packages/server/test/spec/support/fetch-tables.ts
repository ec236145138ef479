import { createHash } from 'node:crypto';
import { FetchOutput, FetchRow, InteractionDetails, InteractionResponse } from '@trawl/contract';
import type { RecordedCall } from '@trawl/sandbox';
import type { Answer, Request, TestServer } from '@trawl/test-support/harness';
import { expect } from 'vitest';

/** The tables of the specification with its section 9, copied from it and not from the source. */
export const TIERS = ['minimalist', 'default', 'extended', 'max'] as const;
export type Tier = (typeof TIERS)[number];
const TIER_ADDS: Readonly<Record<Tier, readonly string[]>> = {
  minimalist: [
    ...['content', 'content_format', 'canonical_url', 'title', 'http_status', 'warning'],
    ...['provider', 'cache_state', 'request_id', 'latency_ms'],
  ],
  default: ['js_rendered', 'pdf_mode', 'content_length', 'content_sha256', 'description'],
  extended: [
    ...['raw_html', 'html', 'chunks', 'screenshot', 'page_count', 'content_type', 'summary'],
    ...['language', 'author', 'publish_date', 'favicon', 'thumbnail', 'links', 'images'],
    ...['metadata', 'provider_chain', 'quality', 'findings', 'usage'],
  ],
  max: ['media', 'transcript', 'excerpt', 'structured', 'subpages', 'enrichments'],
};
const ON_EVERY_ROW = [
  ...['url', 'status', 'error', 'title', 'content', 'content_format', 'content_length'],
  ...['http_status', 'provider', 'latency_ms', 'warnings', 'truncated'],
];
const LISTS = ['chunks', 'links', 'images', 'media', 'subpages', 'provider_chain', 'findings'];
export const DEFAULT_CHAIN = [
  ...['tinyfish', 'firecrawl', 'parallel', 'tavily', 'exa', 'linkup', 'you', 'jina', 'direct'],
];
export const PROVIDERS = [...DEFAULT_CHAIN, 'deepseek', 'brightdata'];
/** Providers that the sandbox simulates and that accept any address. */
export const VENDORS = DEFAULT_CHAIN.filter((name) => name !== 'direct');

/** The members of a row at a tier. */
export const fieldsOf = (tier: Tier): string[] => [
  ...new Set([
    ...ON_EVERY_ROW,
    ...TIERS.slice(0, TIERS.indexOf(tier) + 1).flatMap((step) => TIER_ADDS[step]),
  ]),
];

const ANSWER_KEYS = [
  ...['instance_id', 'session_id', 'interaction_id', 'trajectory_id', 'status'],
  ...['preprocessor_runs', 'postprocessor_runs', 'created_at', 'completed_at'],
  ...['normalized_schema_version', 'routing'],
];
const RUN_KEYS = [
  ...['id', 'preprocessor_name', 'status', 'batch_index', 'query', 'request_payload'],
  ...['output_payload', 'raw_payload', 'error', 'latency_ms'],
];
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const UTC_MILLISECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export interface Options {
  readonly providers?: readonly string[];
  readonly inline_content?: boolean;
  readonly inline_max_chars?: number;
  readonly content_format?: 'markdown' | 'text';
  readonly tier?: Tier;
  readonly max_age_seconds?: number;
  readonly no_cache?: boolean;
  readonly focus?: { readonly query: string; readonly max_chars?: number };
}
// biome-ignore lint/suspicious/noExplicitAny: rows are read by the contract's names; the schema has checked them
export type Row = any;

export interface Fetched {
  readonly answer: ReturnType<typeof InteractionResponse.parse>;
  /** The answer as received. */
  readonly json: Row;
  readonly run: Row;
  readonly output: Row;
  readonly rows: readonly Row[];
  /** The row of a fetch of one URL. */
  readonly row: Row;
}

let pages = 0;

/** An unused address. The word selects an odd page; a fault directive goes into the query. */
export function pageAt(word = '', directive = ''): string {
  pages += 1;
  const query = directive === '' ? '' : `?${encodeURIComponent(directive)}`;
  return `https://news.example.com/${word || 'notes'}/rising-tides-${pages}${query}`;
}

/**
 * A fetch with a full check of its answer: every rule of shape for all answers, and that it is read
 * back as it was answered.
 */
export async function fetchPages(
  server: TestServer,
  urls: string | readonly string[],
  options: Options = {},
  more: Readonly<Record<string, unknown>> = {},
  request: Request = {},
): Promise<Fetched> {
  const list = typeof urls === 'string' ? [urls] : urls;
  const posted = await server.fetch({ urls: list, options, ...more }, request);
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
  expect(answer).toMatchObject({
    status: 'succeeded',
    normalized_schema_version: null,
    routing: null,
    postprocessor_runs: [],
  });
  expect(answer.preprocessor_runs).toHaveLength(1);
  const [run] = posted.json.preprocessor_runs;
  checkRun(run, list, options);
  await expectReadBack(server, posted.json, list, request);
  const rows = run.output_payload.fetched_results;
  return { answer, json: posted.json, run, output: run.output_payload, rows, row: rows[0] };
}

function checkRun(run: Row, urls: readonly string[], options: Options): void {
  expect(Object.keys(run)).toEqual(RUN_KEYS);
  expect(run).toMatchObject({
    preprocessor_name: 'web_fetch',
    status: 'succeeded',
    batch_index: 0,
    query: '',
    raw_payload: null,
    error: null,
  });
  expect(run.id).toMatch(UUID);
  expect(run.latency_ms).toBe(Math.round(run.latency_ms));
  const output = FetchOutput.strict().parse(run.output_payload);
  const statuses = output.fetched_results.map(({ status }) => status);
  expect([output.succeeded_count, output.failed_count]).toEqual([
    statuses.filter((status) => status === 'succeeded').length,
    statuses.filter((status) => status === 'failed').length,
  ]);
  const rows: readonly Row[] = run.output_payload.fetched_results;
  expect(rows.map(({ url }) => url)).toEqual(urls);
  for (const row of rows) checkRow(row, options);
}

function checkRow(row: Row, options: Options): void {
  const { tier = 'default', inline_content, inline_max_chars, focus } = options;
  FetchRow.strict().parse(row);
  const fields = fieldsOf(tier).filter((key) => key !== 'content' || inline_content !== false);
  const own = focus && fields.includes('chunks') ? ['passages'] : [];
  expect(Object.keys(row).sort()).toEqual([...fields, ...own].sort());
  for (const name of LISTS.filter((list) => list in row))
    expect(row[name]).toEqual(expect.any(Array));
  if ('enrichments' in row) expect(row.enrichments).toEqual(expect.any(Object));
  const said = row.warnings.filter(({ code }: Row) => code !== 'capability_gap');
  const messages = said.map(({ message }: Row) => message).join('; ');
  expect(row.warning).toBe(said.length > 0 ? messages : null);
  if (row.status === 'failed') checkFailed(row);
  else checkSucceeded(row, said, inline_content === false, inline_max_chars ?? 20_000);
}

function checkSucceeded(row: Row, said: Row, isLeftOut: boolean, cap: number): void {
  expect([row.error, typeof row.provider]).toEqual([null, 'string']);
  expect(row.truncated).toBe(said.some(({ code }: Row) => code === 'content_truncated'));
  if (isLeftOut) return;
  const { length } = [...row.content];
  expect(length).toBe(Math.min(row.content_length, cap));
  expect(row.truncated).toBe(length < row.content_length);
  if (!row.truncated && 'content_sha256' in row)
    expect(row.content_sha256).toBe(sha256(row.content));
}

function checkFailed(row: Row): void {
  expect(Object.keys(row.error)).toEqual(['code', 'message', 'provider', 'retryable', 'attempts']);
  expect(row.error.provider).toBe(row.provider);
  expect(row.truncated).toBe(false);
  expect(codesOf(row)).not.toContain('capability_gap');
}

/** GET has what POST answered, value for value. */
async function expectReadBack(
  server: TestServer,
  posted: Row,
  urls: readonly string[],
  request: Request,
): Promise<void> {
  const answer = await readBack(server, posted, request);
  expect(answer.status, answer.text).toBe(200);
  InteractionDetails.strict().parse(answer.json);
  const { user_input, metadata, ...same } = answer.json;
  expect(same).toEqual(posted);
  expect(user_input).toEqual({ urls });
  expect(metadata).toEqual(expect.any(Object));
}

export function readBack(
  server: TestServer,
  ids: { readonly session_id: string; readonly interaction_id: string },
  { key }: Request = {},
): Promise<Answer> {
  const path = `/v1/interactions?session_id=${ids.session_id}&interaction_id=${ids.interaction_id}`;
  return server.call('GET', path, key === undefined ? {} : { key });
}

export const sha256 = (text: string): string =>
  createHash('sha256').update(text, 'utf8').digest('hex');
export const codesOf = ({ warnings }: Row): string[] => warnings.map(({ code }: Row) => code);
/** Messages of the warnings with this code. */
export const saidOf = ({ warnings }: Row, code: string): string[] =>
  warnings.filter((one: Row) => one.code === code).map(({ message }: Row) => message);
/** `provider outcome code` for each step. */
export const stepsOf = ({ provider_chain }: Row): string[] =>
  provider_chain.map(({ provider, outcome, code }: Row) =>
    [provider, outcome, ...(code === null ? [] : [code])].join(' '),
  );
export const callsTo = (server: TestServer, vendor: string): RecordedCall[] =>
  server.sandbox.calls.filter((call) => call.vendor === vendor);
/** The vendors that were called, in order. */
export const calledBy = (server: TestServer): string[] =>
  server.sandbox.calls.map(({ vendor }) => vendor);
/** `provider calls outcome` of the ledger rows of an interaction. */
export async function ledgerOf(
  server: TestServer,
  interactionId: string,
  projectId = server.projectId,
): Promise<string[]> {
  const rows = await server.server.store.reader.ledger(projectId, interactionId);
  return rows.map(({ provider, calls, outcome }) => `${provider} ${calls} ${outcome}`);
}
