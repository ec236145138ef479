import { randomUUID } from 'node:crypto';
import { NODE_TYPES, type TrajectoryNode } from '@trawl/contract';
import { describeOnDatabases } from '@trawl/test-support/databases';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { at, runRecord } from '@trawl/test-support/records';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  answered,
  badUuid,
  newProject,
  recordAll,
  refused,
  UNKNOWN,
  UUID,
} from '../support/recorded.ts';

describeOnDatabases('the trajectory of a session', (database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ database });
  });
  afterAll(() => server.stop());

  const get = (sessionId: string, query = '', key = server.key) =>
    server.call('GET', `/v1/sessions/${sessionId}/trajectory${query}`, { key });
  const read = async (sessionId: string, query = ''): Promise<TrajectoryNode> =>
    answered('sessionTrajectory', await get(sessionId, query)).trajectory;

  function* below(node: TrajectoryNode): Generator<[TrajectoryNode, TrajectoryNode]> {
    for (const child of node.children) {
      yield [child, node];
      yield* below(child);
    }
  }

  it('2.12 SessionTrajectoryResponse has instance_id, session_id and the tree, nothing else', async () => {
    const { json } = await server.call('POST', '/v1/interactions', { body: {} });
    expect(answered('sessionTrajectory', await get(json.session_id))).toEqual({
      instance_id: json.instance_id,
      session_id: json.session_id,
      trajectory: expect.any(Object),
    });
  });

  it('2.12 every node has its members in their types; entity_id and parent_id are uuids if present', async () => {
    const body = { user_input: [{ query: 'a [[exa:status=500]]' }, { query: 'b' }] };
    const { json } = await server.search(body);
    const root = await read(json.session_id);
    const nodes = [root, ...[...below(root)].map(([node]) => node)];
    expect(new Set(nodes.map(({ node_id }) => node_id)).size).toBe(nodes.length);
    for (const {
      node_id,
      node_type,
      entity_id,
      parent_id,
      label,
      data,
      children,
      ...rest
    } of nodes) {
      expect(rest).toEqual({});
      expect(NODE_TYPES).toContain(node_type);
      expect([typeof node_id, typeof label, Array.isArray(children)]).toEqual([
        'string',
        'string',
        true,
      ]);
      expect(data).toEqual(expect.objectContaining({}));
      for (const id of [entity_id, parent_id]) if (id !== undefined) expect(id).toMatch(UUID);
    }
  });

  it('2.12 parent_id is the entity_id of the node above, and the root lacks it', async () => {
    const { json } = await server.search({ user_input: { query: 'harbour cranes' } });
    const root = await read(json.session_id);
    expect(root).not.toHaveProperty('parent_id');
    const pairs = [...below(root)];
    expect(pairs.length).toBeGreaterThan(10);
    for (const [node, parent] of pairs) expect(node.parent_id).toBe(parent.entity_id);
  });

  it('4.7 session, interaction, preprocessor_run and result are below one another, in the answer’s order', async () => {
    const body = { user_input: [{ query: 'one' }, { query: 'two' }], search: { num_results: 2 } };
    const { json } = await server.search(body);
    const root = await read(json.session_id);
    expect(root).toMatchObject({
      node_id: `session:${json.session_id}`,
      node_type: 'session',
      entity_id: json.session_id,
    });
    const [interaction, ...others] = root.children;
    expect(others).toEqual([]);
    expect(interaction).toMatchObject({
      node_id: `interaction:${json.interaction_id}`,
      node_type: 'interaction',
      entity_id: json.interaction_id,
    });
    expect(interaction?.children).toHaveLength(4);
    for (const [position, run] of json.preprocessor_runs.entries()) {
      const node = interaction?.children[position];
      expect(node).toMatchObject({
        node_id: `run:${run.id}`,
        node_type: 'preprocessor_run',
        entity_id: run.id,
      });
      expect(
        node?.children.map((row) => [row.node_id, row.node_type, row.data.url, row.label]),
      ).toEqual(
        run.output_payload.results.map((row: { url: string; title: string }, index: number) => [
          `${run.id}:${index}`,
          'result',
          row.url,
          row.title,
        ]),
      );
      expect(node?.children).toHaveLength(2);
    }
  });

  it('4.7 a postprocessor_run is next to the runs, and the rows of a fetch are documents', async () => {
    const sessionId = randomUUID();
    const fetched = {
      id: randomUUID(),
      preprocessor_name: 'web_fetch',
      status: 'succeeded',
      batch_index: 0,
      query: '',
      output_payload: {
        fetched_results: [{ url: 'https://example.com/', status: 'succeeded', title: 'Home' }],
      },
      error: null,
      latency_ms: 5,
    };
    const fused = {
      id: randomUUID(),
      postprocessor_name: 'rank_fusion',
      status: 'succeeded',
      batch_index: 0,
      query: '',
      output_payload: { results: [{ url: 'https://example.com/' }] },
      error: null,
      latency_ms: 1,
    };
    const runs = [
      runRecord(JSON.stringify(fetched), { id: fetched.id, name: 'web_fetch' }),
      runRecord(JSON.stringify(fused), {
        id: fused.id,
        name: 'rank_fusion',
        kind: 'postprocessor',
      }),
    ];
    await recordAll(server, [{ sessionId, runs }]);
    const [interaction] = (await read(sessionId)).children;
    const shown = interaction?.children.map(({ node_id, node_type, children }) => ({
      node_id,
      node_type,
      rows: children.map((row) => [row.node_id, row.node_type, row.label, row.data.url]),
    }));
    expect(shown).toEqual([
      {
        node_id: `run:${fetched.id}`,
        node_type: 'preprocessor_run',
        rows: [[`${fetched.id}:0`, 'document', 'Home', 'https://example.com/']],
      },
      { node_id: `run:${fused.id}`, node_type: 'postprocessor_run', rows: [] },
    ]);
  });

  it('4.7 data holds status, timings, counts, warnings and query or URL', async () => {
    const { json } = await server.search({
      user_input: { query: 'q [[brave:status=400]]' },
      search: { num_results: 12 },
    });
    const root = await read(json.session_id);
    expect(root.data).toEqual({
      created_at: json.created_at,
      updated_at: json.completed_at,
      interaction_count: 1,
    });
    const [interaction] = root.children;
    expect(interaction?.data).toMatchObject({
      status: 'partially_succeeded',
      created_at: json.created_at,
      completed_at: json.completed_at,
      user_input: { query: 'q [[brave:status=400]]' },
      preprocessor_run_count: 2,
      postprocessor_run_count: 0,
    });
    const [exa, brave] = interaction?.children ?? [];
    const [exaRun, braveRun] = json.preprocessor_runs;
    expect(exa?.data).toMatchObject({
      status: 'succeeded',
      query: 'q [[brave:status=400]]',
      latency_ms: exaRun.latency_ms,
      result_count: 10,
      warnings: exaRun.output_payload.warnings,
    });
    expect(exaRun.output_payload.warnings).toContainEqual(
      expect.objectContaining({ code: 'count_clamped' }),
    );
    expect(brave?.data).toMatchObject({ status: 'failed', result_count: 0, warnings: [] });
    expect(brave?.data.error_code).toBe(braveRun.error.code);
    expect(brave?.children).toEqual([]);
    const [row] = exaRun.output_payload.results;
    expect(exa?.children[0]?.data).toMatchObject({ url: row.url, rank: 1 });
  });

  it('4.7 an interaction without input is a node without children', async () => {
    const body = { metadata: { trajectory_goal: 'find a harbour' } };
    const { json } = await server.call('POST', '/v1/interactions', { body });
    const [node] = (await read(json.session_id)).children;
    expect(node).toMatchObject({
      label: 'find a harbour',
      data: { user_input: null },
      children: [],
    });
  });

  it('4.7 limit and after select a part of the session, oldest first', async () => {
    const sessionId = randomUUID();
    const given = Array.from({ length: 9 }, (_, index) => ({
      id: randomUUID(),
      sessionId,
      createdAt: at(index),
    }));
    await recordAll(server, given);
    const ids = given.map(({ id }) => id);
    const shown = async (query: string) =>
      (await read(sessionId, query)).children.map(({ entity_id }) => entity_id);
    expect(await shown('')).toEqual(ids);
    expect(await shown('?limit=4')).toEqual(ids.slice(0, 4));
    expect(await shown(`?limit=4&after=${ids[3]}`)).toEqual(ids.slice(4, 8));
    expect(await shown(`?after=${ids[7]}`)).toEqual(ids.slice(8));
    expect((await get(sessionId, '?limit=1000')).status).toBe(200);
    expect((await get(sessionId, '?limit=4')).json.next_after).toBe(ids[3]);
    expect((await get(sessionId, `?limit=4&after=${ids[4]}`)).json).not.toHaveProperty(
      'next_after',
    );
  });

  it.each([
    ['?limit=0', 'greater_than_equal', ['query', 'limit'], '0'],
    ['?limit=1001', 'less_than_equal', ['query', 'limit'], '1001'],
    ['?limit=x', 'int_parsing', ['query', 'limit'], 'x'],
    ['?after=x', 'uuid_parsing', ['query', 'after'], 'x'],
  ])('4.7 %s is refused with %s', async (query, type, loc, input) => {
    expect(refused(await get(UNKNOWN, query))).toEqual([
      expect.objectContaining({ type, loc, input }),
    ]);
  });

  it.each(['x', 'null', UNKNOWN.replaceAll('-', ''), `${UNKNOWN}0`, 'é'])(
    '4.7 session_id %s is not a uuid: 422 uuid_parsing',
    async (sent) => {
      const issues = refused(await get(encodeURIComponent(sent)));
      expect(issues).toEqual([badUuid(['path', 'session_id'], sent)]);
    },
  );

  it('4.7 session_id is accepted in any case and returned in lower case', async () => {
    const { json } = await server.call('POST', '/v1/interactions', { body: {} });
    const upper = answered('sessionTrajectory', await get(json.session_id.toUpperCase()));
    expect(upper.trajectory.node_id).toBe(`session:${json.session_id}`);
  });

  it('4.7 an unknown session and one of another project are the same 404', async () => {
    const { json } = await server.call('POST', '/v1/interactions', { body: {} });
    const { key } = await newProject(server);
    const foreign = await get(json.session_id, '', key);
    const unknown = await get(UNKNOWN, '', key);
    expect([foreign.status, foreign.json]).toEqual([404, { detail: 'Session not found' }]);
    expect([unknown.status, unknown.text]).toEqual([foreign.status, foreign.text]);
  });

  it('4.7 needs a key with the permission read', async () => {
    const { key } = await server.makeKey('main', ['search', 'fetch']);
    expect((await get(UNKNOWN, '', key)).status).toBe(403);
    const path = `/v1/sessions/${UNKNOWN}/trajectory`;
    expect((await server.call('GET', path, { key: null })).status).toBe(401);
  });
});
