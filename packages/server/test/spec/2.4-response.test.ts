import { PostprocessorRun } from '@trawl/contract';
import { startTestServer } from '@trawl/test-support/harness';
import { describe, expect, test } from 'vitest';
import { bodiesTo, callsTo, type Run, search, useServer } from './support/search-runs.ts';

const server = useServer();
const TRAJECTORY = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee';
const PARENT = '11111111-2222-4333-8444-555555555555';

test('2.4 the answer of a search has exactly the fields of the table', async () => {
  const { answer } = await search(server(), 'tidal energy');
  expect(Object.keys(answer)).toEqual([
    ...['instance_id', 'session_id', 'interaction_id', 'trajectory_id', 'status'],
    ...['preprocessor_runs', 'postprocessor_runs', 'created_at', 'completed_at'],
    ...['normalized_schema_version', 'routing'],
  ]);
  expect(answer.status).toBe('succeeded');
  expect(answer.routing).toBeNull();
});

test('2.4 instance_id is a stable uuid, or INSTANCE_ID where that is set', async () => {
  const first = await search(server(), 'tidal energy');
  const second = await search(server(), 'wave energy');
  expect(first.answer.instance_id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(second.answer.instance_id).toBe(first.answer.instance_id);
  const named = await startTestServer({ env: { INSTANCE_ID: 'harbour-1' } });
  try {
    expect((await search(named, 'tidal energy')).answer.instance_id).toBe('harbour-1');
  } finally {
    await named.stop();
  }
});

test('2.4 session_id is generated when omitted or null, and answered in lower case when given', async () => {
  const minted = await search(server(), 'tidal energy');
  const again = await search(server(), 'tidal energy', {}, { session_id: null });
  expect(again.answer.session_id).not.toBe(minted.answer.session_id);
  const given = 'ABCDEF00-1111-4222-8333-444444444444';
  const { answer } = await search(server(), 'tidal energy', {}, { session_id: given });
  expect(answer.session_id).toBe(given.toLowerCase());
  const next = await search(server(), 'wave energy', {}, { session_id: given.toLowerCase() });
  expect(next.answer.session_id).toBe(answer.session_id);
  expect(next.answer.interaction_id).not.toBe(answer.interaction_id);
});

test('2.4 created_at is when the request was accepted, completed_at when its last run finished', async () => {
  const before = new Date().toISOString();
  const { answer, runs } = await search(server(), 'tidal energy [[exa:latency=60]]');
  const { created_at, completed_at } = answer;
  expect(before <= created_at && completed_at <= new Date().toISOString()).toBe(true);
  const slowest = Math.max(...runs.map((run) => run.latency_ms ?? 0));
  expect(Date.parse(completed_at) - Date.parse(created_at)).toBeGreaterThanOrEqual(slowest);
});

describe('2.4 trajectory fields', () => {
  test('2.4 the three keys of metadata set the three fields of the answer', async () => {
    const metadata = {
      trajectory_id: TRAJECTORY.toUpperCase(),
      parent_trajectory_id: PARENT,
      trajectory_goal: 'compare tides',
    };
    const { answer } = await search(server(), 'tidal energy', {}, { metadata });
    expect(answer).toMatchObject({
      trajectory_id: TRAJECTORY,
      parent_trajectory_id: PARENT,
      trajectory_goal: 'compare tides',
    });
  });

  test('2.4 without them trajectory_id is generated, and the other two are absent', async () => {
    const first = await search(server(), 'tidal energy');
    const second = await search(server(), 'tidal energy');
    expect(first.answer.trajectory_id).not.toBe(second.answer.trajectory_id);
    expect(first.answer).not.toHaveProperty('parent_trajectory_id');
    expect(first.answer).not.toHaveProperty('trajectory_goal');
  });

  test.each([
    { trajectory_id: 7, parent_trajectory_id: 'x', trajectory_goal: ['a'] },
    { trajectory_id: null, parent_trajectory_id: null, trajectory_goal: null },
    { trajectory_id: `{${TRAJECTORY}}`, parent_trajectory_id: {}, trajectory_goal: 12 },
  ])('2.4 values of another form are plain metadata: %j', async (metadata) => {
    const { answer } = await search(server(), 'tidal energy', {}, { metadata });
    expect(answer.trajectory_id).not.toBe(TRAJECTORY);
    expect(answer).not.toHaveProperty('parent_trajectory_id');
    expect(answer).not.toHaveProperty('trajectory_goal');
    expect((await readBack(answer)).metadata).toEqual(metadata);
  });
});

test('2.4 one run per query and provider, in batch_index order, then in the order of the providers', async () => {
  const include = ['brave', 'exa'];
  const batch = ['tides [[brave:latency=80]]', 'waves', 'wind [[exa:status=400]]'];
  const { runs } = await search(server(), batch, { providers: { include } });
  expect(runs.map((run) => [run.batch_index, run.preprocessor_name, run.query])).toEqual(
    batch.flatMap((query, index) => include.map((slug) => [index, slug, query])),
  );
  expect(new Set(runs.map((run) => run.id)).size).toBe(6);
});

test('2.4 batch_index is 0 and query is given also for a single query', async () => {
  const { runs } = await search(server(), 'tidal energy');
  expect(runs.map((run) => [run.preprocessor_name, run.batch_index, run.query])).toEqual([
    ['exa', 0, 'tidal energy'],
    ['brave', 0, 'tidal energy'],
  ]);
});

test.each(['  tidal \t energy\n', 'Wie tief ist der Bodensee? 湖 🌊', 'a "b" \\ <c> &amp; %20+#'])(
  '2.4 the query of a run is the one that was given: %j',
  async (query) => {
    const { runs } = await search(server(), query);
    expect(runs.map((run) => run.query)).toEqual([query, query]);
    expect(bodiesTo(server(), 'exa')).toMatchObject([{ query }]);
    expect(callsTo(server(), 'brave')[0]?.query).toContainEqual(['q', query]);
  },
);

test('2.4 U+0000 and lone surrogates of a query become U+FFFD, in the run and in the request sent', async () => {
  const rawBody = '{"user_input":{"query":"a\\u0000b\\ud800c"}}';
  const { status, json } = await server().search(undefined, { rawBody });
  expect(status).toBe(200);
  const query = 'a\ufffdb\ufffdc';
  expect(json.preprocessor_runs.map((run: Run) => run.query)).toEqual([query, query]);
  expect(bodiesTo(server(), 'exa')).toMatchObject([{ query }]);
  expect((await readBack(json)).user_input).toEqual({ query });
});

test('2.4 postprocessor_runs is a list, empty when none was asked for', async () => {
  expect((await search(server(), 'tidal energy')).answer.postprocessor_runs).toEqual([]);
});

test('2.4 a PostprocessorRunResult has exactly the fields of the table', async () => {
  const body = {
    user_input: [{ query: 'tides' }, { query: 'waves [[exa:status=400]]' }],
    postprocessor_names: ['rank_fusion', 'citations'],
    search: { num_results: 2 },
  };
  const { status, json } = await server().call('POST', '/v1/interactions', { body });
  expect(status).toBe(200);
  const runs = PostprocessorRun.strict().array().parse(json.postprocessor_runs);
  expect(runs.map((run) => [run.postprocessor_name, run.batch_index, run.query]).sort()).toEqual([
    ['citations', 0, 'tides'],
    ['citations', 1, 'waves [[exa:status=400]]'],
    ['rank_fusion', 0, 'tides'],
    ['rank_fusion', 1, 'waves [[exa:status=400]]'],
  ]);
  const ofQuery = (index: number) =>
    json.preprocessor_runs
      .filter((run: Run) => run.batch_index === index)
      .map((run: Run) => run.id);
  for (const run of runs) {
    expect(Object.keys(run)).toEqual([
      ...['id', 'postprocessor_name', 'status', 'batch_index', 'query', 'preprocessor_run_ids'],
      ...['output_payload', 'error', 'latency_ms'],
    ]);
    expect(run).toMatchObject({ status: 'succeeded', error: null });
    expect(run.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(ofQuery(run.batch_index)).toEqual(expect.arrayContaining(run.preprocessor_run_ids));
    expect(run.preprocessor_run_ids.length).toBeGreaterThan(0);
    expect(run.latency_ms).toBeGreaterThanOrEqual(0);
  }
  const { user_input, metadata, ...same } = await readBack(json);
  expect(same).toEqual(json);
});

describe('2.4 GET answers what POST answered', () => {
  // every search of these files is read back and compared in full; these tests cover the two
  // members that GET adds
  test.each([
    ['a query object with its own keys', { query: 'tides', lang: 'de', deep: { n: [1, null] } }],
    ['a batch as {queries}', [{ query: 'tides' }, { query: 'waves', note: '2nd' }]],
  ])('2.4 user_input is read back as an object: %s', async (_name, userInput) => {
    const { answer } = await search(server(), userInput);
    const { user_input } = await readBack(answer);
    expect(user_input).toEqual(Array.isArray(userInput) ? { queries: userInput } : userInput);
  });

  test('2.4 metadata is read back as sent, absent as {}', async () => {
    const metadata = { a: [1.5, -0.25, true, null, { b: 'ü"\\' }], __proto__2: {}, '': 'empty' };
    const { answer } = await search(server(), 'tides', {}, { metadata });
    expect((await readBack(answer)).metadata).toEqual(metadata);
    const without = await search(server(), 'tides');
    expect((await readBack(without.answer)).metadata).toEqual({});
  });

  test('2.4 odd rows, raw answers and failures are read back value for value', async () => {
    const query = 'tides [[brave:odd-rows]] [[exa:status=400]]';
    const { runs } = await search(server(), [query, 'waves'], {
      tier: 'max',
      num_results: 20,
      include_raw: true,
    });
    expect(runs.map((run: Run) => run.status)).toEqual([
      ...['failed', 'succeeded', 'succeeded', 'succeeded'],
    ]);
  });
});

test('2.4 an interaction without a query has no runs and has succeeded', async () => {
  const { status, json } = await server().call('POST', '/v1/interactions', { body: {} });
  expect(status).toBe(200);
  expect(json).toMatchObject({
    status: 'succeeded',
    preprocessor_runs: [],
    postprocessor_runs: [],
    normalized_schema_version: 2,
    routing: null,
  });
  expect(await readBack(json)).toEqual({ ...json, user_input: null, metadata: {} });
});

async function readBack(answer: { session_id: string; interaction_id: string }) {
  const { session_id, interaction_id } = answer;
  const path = `/v1/interactions?session_id=${session_id}&interaction_id=${interaction_id}`;
  return (await server().call('GET', path)).json;
}
