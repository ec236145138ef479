import { randomUUID } from 'node:crypto';
import type { Tables } from '@trawl/database';
import { openDatabase } from '@trawl/database';
import { describeOnDatabases } from '@trawl/test-support/databases';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { answered, newProject, refused, UNKNOWN } from '../support/recorded.ts';

describeOnDatabases('the records of POST /v1/interactions', (database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ database });
  });
  afterAll(() => server.stop());

  const create = (body: unknown, key = server.key) =>
    server.call('POST', '/v1/interactions', { body, key });
  const readBack = ({ json }: { json: { session_id: string; interaction_id: string } }) =>
    server.call(
      'GET',
      `/v1/interactions?session_id=${json.session_id}&interaction_id=${json.interaction_id}`,
    );
  const sessionsOf = async (key: string) =>
    (await server.call('GET', '/v1/sessions?limit=200', { key })).json.sessions;

  /** The rows of a table that belong to one session. */
  async function rowsOf(table: 'interactions' | 'ledger', sessionId: string) {
    const { db } = openDatabase(server.database.location, { connections: 1 });
    const rows = await db
      .selectFrom(table)
      .selectAll()
      .where('session_id', '=', sessionId)
      .execute();
    await db.destroy();
    return rows as Tables['interactions' | 'ledger'][];
  }

  it('4.2 without user_input: no runs, succeeded, version 2, nothing sent and nothing billed', async () => {
    server.sandbox.clearCalls();
    for (const body of [{}, { user_input: null }, { search: { tier: 'max' }, user_id: 'u' }]) {
      const json = answered('createInteraction', await create(body));
      expect(json).toMatchObject({
        status: 'succeeded',
        preprocessor_runs: [],
        postprocessor_runs: [],
        normalized_schema_version: 2,
        routing: null,
      });
      expect(await rowsOf('ledger', json.session_id)).toEqual([]);
    }
    expect(server.sandbox.calls).toEqual([]);
  });

  it('4.2 with user_input it is a search, recorded with one ledger row for each run', async () => {
    const posted = await create({
      user_input: [{ query: 'a' }, { query: 'b [[brave:status=400]]' }],
      search: { num_results: 3 },
    });
    const json = answered('createInteraction', posted);
    expect((await readBack(posted)).json).toMatchObject(json);
    const ledger = await rowsOf('ledger', json.session_id);
    const runs = json.preprocessor_runs as {
      id: string;
      preprocessor_name: string;
      status: string;
    }[];
    expect(runs).toHaveLength(4);
    expect(ledger).toHaveLength(4);
    for (const run of runs) {
      expect(ledger).toContainEqual(
        expect.objectContaining({
          interaction_id: json.interaction_id,
          run_id: run.id,
          provider: run.preprocessor_name,
          outcome: run.status,
          project_id: server.projectId,
          created_at: json.created_at,
        }),
      );
    }
  });

  it('4.2 user_id is recorded with the interaction and in its ledger rows; null is absent', async () => {
    const user_input = { query: 'x' };
    const named = await create({ user_id: 'user 7', user_input });
    const unnamed = await create({ user_id: null, user_input });
    for (const table of ['interactions', 'ledger'] as const) {
      const ids = async (sessionId: string) =>
        new Set((await rowsOf(table, sessionId)).map((row) => row.user_id));
      expect(await ids(named.json.session_id)).toEqual(new Set(['user 7']));
      expect(await ids(unnamed.json.session_id)).toEqual(new Set([null]));
    }
  });

  it('4.2 user_id has at most 256 characters and is a string', async () => {
    expect((await create({ user_id: 'u'.repeat(256) })).status).toBe(200);
    expect(refused(await create({ user_id: 'u'.repeat(257) }))).toEqual([
      {
        type: 'string_too_long',
        loc: ['body', 'user_id'],
        msg: 'String should have at most 256 characters',
        input: 'u'.repeat(257),
        ctx: { max_length: 256 },
      },
    ]);
    expect(refused(await create({ user_id: 7 }))).toEqual([
      expect.objectContaining({ type: 'string_type', loc: ['body', 'user_id'], input: 7 }),
    ]);
  });

  it('4.2 user_id is ignored on POST /v1/search, with any value', async () => {
    for (const user_id of ['someone', 7, 'u'.repeat(300)]) {
      const { json } = await server.search({ user_id, user_input: { query: 'x' } });
      const [row] = await rowsOf('interactions', json.session_id);
      expect(row?.user_id).toBeNull();
    }
  });

  it('4.2 preprocessor_names decide the runs that are recorded', async () => {
    const posted = await create({ user_input: { query: 'x' }, preprocessor_names: ['brave'] });
    const { preprocessor_runs } = (await readBack(posted)).json;
    expect(preprocessor_runs).toHaveLength(1);
    expect(preprocessor_runs[0].preprocessor_name).toBe('brave');
  });

  it('4.2 an unknown session_id starts that session, in lower case', async () => {
    const session_id = randomUUID();
    const first = await create({ session_id: session_id.toUpperCase() });
    const second = await create({ session_id });
    expect([first.json.session_id, second.json.session_id]).toEqual([session_id, session_id]);
    const { json } = await server.call('GET', `/v1/sessions/${session_id}/history`);
    expect(json.interactions).toHaveLength(2);
  });

  it('4.2 a session of another project is 404 and nothing is sent, recorded or billed', async () => {
    const { session_id } = (await create({})).json;
    const { key } = await newProject(server);
    server.sandbox.clearCalls();
    const body = { session_id, user_input: { query: 'x' } };
    for (const path of ['/v1/interactions', '/v1/search']) {
      const answer = await server.call('POST', path, { body, key });
      expect([answer.status, answer.json]).toEqual([404, { detail: 'Session not found' }]);
    }
    expect(server.sandbox.calls).toEqual([]);
    expect(await rowsOf('interactions', session_id)).toHaveLength(1);
    expect(await rowsOf('ledger', session_id)).toEqual([]);
    expect(await sessionsOf(key)).toEqual([]);
  });

  it('4.2 when two projects start the same session at once, one gets it and the other a 404', async () => {
    const one = await newProject(server);
    const two = await newProject(server);
    const session_id = randomUUID();
    const body = { session_id, user_input: { query: 'x [[*:latency=150]]' } };
    const answers = await Promise.all([create(body, one.key), create(body, two.key)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    const loser = answers.find(({ status }) => status === 404);
    expect(loser?.json).toEqual({ detail: 'Session not found' });
    expect(await rowsOf('interactions', session_id)).toHaveLength(1);
    // both have called the providers, so both are booked
    const owners = (await rowsOf('ledger', session_id)).map((row) => row.project_id).sort();
    expect(owners).toEqual([one, one, two, two].map(({ projectId }) => projectId).sort());
    const lists = await Promise.all([sessionsOf(one.key), sessionsOf(two.key)]);
    expect(lists.map((list) => list.length).sort()).toEqual([0, 1]);
  });

  it.each<[string, number, object]>([
    ['422', 422, { user_input: { query: ' ' } }],
    ['400', 400, { user_input: { query: 'x' }, preprocessor_names: ['unknown'] }],
    ['volume', 422, { user_input: Array(9).fill({ query: 'x' }), search: { num_results: 20 } }],
  ])(
    '4.2 a refused request (%s) records nothing and starts no session',
    async (_name, status, body) => {
      const { key } = await newProject(server);
      const session_id = randomUUID();
      server.sandbox.clearCalls();
      expect((await create({ session_id, ...body }, key)).status).toBe(status);
      expect(await sessionsOf(key)).toEqual([]);
      expect(await rowsOf('ledger', session_id)).toEqual([]);
      expect(server.sandbox.calls).toEqual([]);
    },
  );

  it('4.2 DELETE of a session is 204 without a body; afterwards none of it can be read', async () => {
    const posted = await create({ user_input: { query: 'x' } });
    const { session_id } = posted.json;
    const path = `/v1/sessions/${session_id}`;
    const deleted = await server.call(
      'DELETE',
      path.toUpperCase().replace('/V1/SESSIONS', '/v1/sessions'),
    );
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    const notFound = { detail: 'Session not found' };
    for (const [method, below] of [
      ['GET', '/history'],
      ['GET', '/trajectory'],
      ['DELETE', ''],
    ] as const) {
      const answer = await server.call(method, `${path}${below}`);
      expect([answer.status, answer.json]).toEqual([404, notFound]);
    }
    const read = await readBack(posted);
    expect([read.status, read.json]).toEqual([404, { detail: 'Interaction not found' }]);
    const listed = (await sessionsOf(server.key)).map(({ id }: { id: string }) => id);
    expect(listed).not.toContain(session_id);
  });

  it('4.2 DELETE removes interactions and runs; the ledger rows stay and contain no text', async () => {
    const query = `secret ${randomUUID()}`;
    const posted = await create({ user_input: { query }, metadata: { query }, user_id: 'u' });
    const { session_id, preprocessor_runs } = posted.json;
    const before = await rowsOf('ledger', session_id);
    expect(before).toHaveLength(2);
    await server.call('DELETE', `/v1/sessions/${session_id}`);
    expect(await rowsOf('interactions', session_id)).toEqual([]);
    expect(await rowsOf('ledger', session_id)).toEqual(before);
    expect(JSON.stringify(before)).not.toContain(query);
    const { db } = openDatabase(server.database.location, { connections: 1 });
    const ids = preprocessor_runs.map(({ id }: { id: string }) => id);
    const runs = await db.selectFrom('runs').select('id').where('id', 'in', ids).execute();
    await db.destroy();
    expect(runs).toEqual([]);
  });

  it('4.2 a deleted session can be started again, even by another project', async () => {
    const { session_id } = (await create({})).json;
    await create({ session_id });
    await server.call('DELETE', `/v1/sessions/${session_id}`);
    const { key } = await newProject(server);
    expect((await create({ session_id }, key)).status).toBe(200);
    expect(await sessionsOf(key)).toMatchObject([{ id: session_id, interaction_count: 1 }]);
  });

  it('4.2 DELETE of an unknown session and of one of another project are the same 404', async () => {
    const { session_id } = (await create({})).json;
    const { key } = await newProject(server);
    const foreign = await server.call('DELETE', `/v1/sessions/${session_id}`, { key });
    const unknown = await server.call('DELETE', `/v1/sessions/${UNKNOWN}`, { key });
    expect([foreign.status, foreign.json]).toEqual([404, { detail: 'Session not found' }]);
    expect([unknown.status, unknown.text]).toEqual([foreign.status, foreign.text]);
    expect(await rowsOf('interactions', session_id)).toHaveLength(1);
  });

  it('4.2 DELETE needs the permission manage', async () => {
    const { session_id } = (await create({})).json;
    const path = `/v1/sessions/${session_id}`;
    const others = await server.makeKey('main', ['search', 'fetch', 'read']);
    expect((await server.call('DELETE', path, { key: others.key })).status).toBe(403);
    expect((await server.call('DELETE', path, { key: null })).status).toBe(401);
    const manager = await server.makeKey('main', ['manage']);
    expect((await server.call('DELETE', path, { key: manager.key })).status).toBe(204);
  });

  it('4.2 DELETE with an id that is not a uuid is a 422', async () => {
    expect(refused(await server.call('DELETE', '/v1/sessions/x'))).toEqual([
      expect.objectContaining({ type: 'uuid_parsing', loc: ['path', 'session_id'], input: 'x' }),
    ]);
  });
});
