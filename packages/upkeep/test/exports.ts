import { randomBytes, randomUUID } from 'node:crypto';
import { openDatabase } from '@trawl/database';
import type { Answer, TestServer } from '@trawl/test-support/harness';
import fc from 'fast-check';
import { sql } from 'kysely';
import { exportProject } from '../src/transfer/export-project.ts';

/** A line of an export. */
export type Json = Readonly<Record<string, unknown>>;
export type Path = readonly (string | number)[];

/** The export of a server on which everything was recorded that an export has. */
export async function recordedLines(server: TestServer): Promise<readonly Json[]> {
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const { status, text, json } = await server.call('POST', path, { body, headers });
    if (status !== 200) throw new Error(`${path}: ${text}`);
    return json;
  };
  const { interaction_id: id, session_id } = await post(
    '/v1/interactions',
    {
      user_input: { query: 'tidal power' },
      search: { providers: { include: ['exa', 'brave'] }, tier: 'max' },
      postprocessor_names: ['rank_fusion'],
    },
    { 'idempotency-key': 'once' },
  );
  const results = [{ rank: 1, provider: 'exa', verdict: 'right' }];
  await post(`/v1/interactions/${id}/feedback`, { results, user_id: 'ada', note: 'good' });
  await post('/v1/interactions', {
    ...{ session_id, user_id: 'ada' },
    user_input: [{ query: 'python typing' }, { query: '[[*:status=500]] heat pumps' }],
    search: { auto_routing: 'accuracy', fallback: 'auto' },
    metadata: {
      trajectory_goal: 'find',
      conversation: { id: 'c', from: 0, turns: [{ role: 'user', content: 'q' }] },
    },
  });
  const urls = [
    'https://www.example.com/guides/rope-walks',
    'https://news.example.com/lost?q=%5B%5B*:status=500%5D%5D',
  ];
  await post('/v1/fetch', { session_id, urls, options: { tier: 'max' } });
  await post('/v1/interactions', { metadata: { step: 'plain' } });
  return exportedLines(server, 'main');
}

export async function exportedLines(server: TestServer, project: string): Promise<Json[]> {
  const lines: Json[] = [];
  for await (const line of exportProject(server.database.location, project)) {
    lines.push(JSON.parse(JSON.stringify(line)));
  }
  return lines;
}

/** As a pipe brings them. */
export async function* textOf(lines: readonly Json[]): AsyncGenerator<Uint8Array> {
  for (const line of lines) yield Buffer.from(`${JSON.stringify(line)}\n`);
}

/** With ids of their own, as if the same had been recorded elsewhere. */
export function withNewIds(lines: readonly Json[]): readonly Json[] {
  const start = randomBytes(4).toString('hex');
  const text = JSON.stringify(lines);
  return JSON.parse(
    text.replaceAll(/[0-9a-f]{8}((?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/g, `${start}$1`),
  );
}

/** A copy with another value in a place. */
export function withValue(json: unknown, [step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value;
  if (Array.isArray(json)) {
    return json.map((one, at) => (at === step ? withValue(one, rest, value) : one));
  }
  const object = json as Json;
  return { ...object, [step]: withValue(object[step], rest, value) };
}

/** Whether a place can be given a value. */
export function hasPlace(json: unknown, [step, ...rest]: Path): boolean {
  if (typeof json !== 'object' || json === null || step === undefined) return false;
  return rest.length === 0 || hasPlace((json as Json)[step], rest);
}

/** Every place of a line down to the rows of its runs. */
export function placesOf(json: unknown, depth = 6): readonly Path[] {
  if (typeof json !== 'object' || json === null || depth === 0) return [];
  const entries: [string | number, unknown][] = Array.isArray(json)
    ? json.slice(0, 2).map((one, at) => [at, one])
    : Object.entries(json);
  return entries.flatMap(([step, value]) => [
    [step],
    ...placesOf(value, depth - 1).map((path) => [step, ...path]),
  ]);
}

/** What a stranger may write in place of a value. */
export const strangeValues = (): fc.Arbitrary<unknown> =>
  fc.oneof(
    fc.constantFrom<unknown>(
      ...[null, true, '', 'x', '\u0000', '\ud800', 'a\nb', [], {}, [null], [7], { a: null }],
      ...[0, -1, -5e12, 0.5, 21, 2 ** 31, 2 ** 53, 1e300, [[]], { results: 7 }, { results: [7] }],
      ...['9999-12-31T23:59:59.999Z', '0000-01-01T00:00:00.000Z', '2026-02-30T00:00:00.000Z'],
      ...[
        '019ac1d3-0000-7000-8000-000000000000',
        'succeeded',
        'failed',
        { fetched_results: [null] },
      ],
      ...[
        [{ topic: 5, providers: [] }],
        [{ topic: 'a', providers: 5 }],
        { query: 5 },
        { urls: {} },
      ],
    ),
    fc.jsonValue({ maxDepth: 2 }),
  );

/**
 * Everything that is shown of a project: by the API, in the console, and to the reports of
 * operators.
 * @returns the answers of the API; what the others cannot read is thrown
 */
export async function readAll(
  server: TestServer,
  { key, projectId }: { readonly key: string; readonly projectId: string },
): Promise<readonly Answer[]> {
  const read = (path: string) => server.call('GET', path, { key });
  const { consoleSessions, runs } = server.server.store;
  const list = await read('/v1/sessions?limit=200&include=summary');
  const answers = [list];
  for (const query of ['', '?group_by=day,provider', '?group_by=key_id,user_id']) {
    answers.push(await read(`/v1/usage${query}`));
  }
  const now = new Date();
  const span = { from: new Date(now.getTime() - 3_600_000).toISOString(), to: now.toISOString() };
  for (const rows of [runs.tallies, runs.judged]) {
    for await (const _ of rows([projectId], span));
  }
  await consoleSessions.list(projectId, {});
  await consoleSessions.choices(projectId, '2026-01-01');
  for (const { id } of list.json?.sessions ?? []) {
    await consoleSessions.turns(projectId, id, undefined);
    const history = await read(`/v1/sessions/${id}/history?type=full`);
    answers.push(history, await read(`/v1/sessions/${id}/trajectory`));
    for (const interaction of history.json?.interactions ?? []) {
      await consoleSessions.facts(projectId, interaction.id);
      answers.push(
        await read(`/v1/interactions?session_id=${id}&interaction_id=${interaction.id}`),
      );
      const feedback = `/v1/interactions/${interaction.id}/feedback`;
      const body = { results: [{ rank: 1, provider: 'exa', verdict: 'wrong' }] };
      answers.push(await read(feedback), await server.call('POST', feedback, { key, body }));
    }
  }
  return answers;
}

/** The calls and the cost of a project that count towards budgets. */
export async function spent({ database }: TestServer, projectId: string) {
  const { db } = openDatabase(database.location, { connections: 1 });
  try {
    const { rows } = await sql<{ calls: number; micros: number }>`
      select cast(coalesce(sum(calls), 0) as bigint) as calls,
        cast(coalesce(sum(cost_micros), 0) as bigint) as micros
      from usage_days where project_id = ${projectId} and users = 'all'`.execute(db);
    return rows[0] ?? { calls: 0, micros: 0 };
  } finally {
    await db.destroy();
  }
}

/**
 * The text of a run as version 0.1.0 wrote it, with what a later version or an odd provider may
 * add.
 */
export const run = (payload: string, more = '"results":[]') =>
  `{"id":"${randomUUID()}","preprocessor_name":"exa","status":"succeeded","batch_index":0,"query":"q","request_payload":${payload},"output_payload":{${more}},"error":null,"latency_ms":1}`;

export const FUSION = `{"id":"${randomUUID()}","postprocessor_name":"rank_fusion","status":"succeeded","batch_index":0,"query":"q","preprocessor_run_ids":[],"output_payload":{},"error":null,"latency_ms":null}`;
