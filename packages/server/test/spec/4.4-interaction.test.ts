import { randomUUID } from 'node:crypto';
import { describeMainlyOn } from '@trawl/test-support/databases';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  answered,
  badUuid,
  newProject,
  refused,
  TIME,
  UNKNOWN,
  UUID,
} from '../support/recorded.ts';

describeMainlyOn('SQLite', 'reading an interaction back', (database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ database });
  });
  afterAll(() => server.stop());

  const get = (query: string, key = server.key) =>
    server.call('GET', `/v1/interactions${query}`, { key });
  const path = (sessionId: string, interactionId: string) =>
    `?session_id=${sessionId}&interaction_id=${interactionId}`;
  const readBack = async (posted: { session_id: string; interaction_id: string }) =>
    answered('readInteraction', await get(path(posted.session_id, posted.interaction_id)));

  it.each<[string, object]>([
    ['one query', { user_input: { query: 'tidal power' } }],
    [
      'a batch',
      { user_input: [{ query: 'a' }, { query: 'b' }, { query: 'a' }], metadata: { tag: 1 } },
    ],
    ['one failed run', { user_input: { query: 'x [[brave:status=500]]' } }],
    ['all runs failed', { user_input: { query: 'x [[*:status=400]]' } }],
    ['no rows', { user_input: { query: 'x [[*:empty]]' } }],
    ['odd rows', { user_input: { query: 'x [[*:odd-rows]]' }, search: { tier: 'max' } }],
    [
      'tier max and raw answers',
      { user_input: { query: 'x' }, search: { tier: 'max', include_raw: true } },
    ],
    ['named fields', { user_input: { query: 'x' }, search: { fields: ['url', 'usage'] } }],
    ['routing', { user_input: { query: 'x' }, search: { auto_routing: 'accuracy' } }],
    ['nulls for absent', { user_input: { query: 'x' }, metadata: null, search: null }],
    ['a goal', { user_input: { query: 'x' }, metadata: { trajectory_goal: 'goal' } }],
  ])('4.4 GET answers what POST answered, and user_input and metadata: %s', async (_name, body) => {
    const posted = answered('search', await server.search(body));
    const { user_input, metadata } = body as { user_input: object; metadata?: object | null };
    expect(await readBack(posted)).toEqual({
      ...posted,
      user_input: Array.isArray(user_input) ? { queries: user_input } : user_input,
      metadata: metadata ?? {},
    });
  });

  it('4.4 the two texts are the same except for the members that GET adds', async () => {
    const posted = await server.search({ user_input: { query: 'x [[brave:odd-rows]]' } });
    const { session_id, interaction_id } = posted.json;
    const read = await get(path(session_id, interaction_id));
    expect(read.text.startsWith(posted.text.slice(0, -1))).toBe(true);
    expect((await get(path(session_id, interaction_id))).text).toBe(read.text);
  });

  it('4.4 nullable members are always there, empty optional ones are not', async () => {
    const { json } = await server.search({ user_input: { query: 'x [[brave:status=400]]' } });
    const read = await readBack(json);
    expect(Object.keys(read).sort()).toEqual(
      [
        'instance_id',
        'session_id',
        'interaction_id',
        'trajectory_id',
        'status',
        'preprocessor_runs',
        'postprocessor_runs',
        'created_at',
        'completed_at',
        'normalized_schema_version',
        'routing',
        'user_input',
        'metadata',
      ].sort(),
    );
    expect([read.routing, read.normalized_schema_version]).toEqual([null, 2]);
    const [exa, brave] = read.preprocessor_runs;
    expect([exa.error, exa.raw_payload, brave.output_payload]).toEqual([null, null, null]);
  });

  it('4.4 ids are uuids and times are UTC with milliseconds, in their order', async () => {
    const before = new Date().toISOString();
    const { json } = await server.search({ user_input: { query: 'x' } });
    const read = await readBack(json);
    const runIds = read.preprocessor_runs.map(({ id }: { id: string }) => id);
    for (const id of [read.session_id, read.interaction_id, read.trajectory_id, ...runIds]) {
      expect(id).toMatch(UUID);
    }
    expect(read.created_at).toMatch(TIME);
    expect(read.completed_at).toMatch(TIME);
    const inOrder = [before, read.created_at, read.completed_at, new Date().toISOString()];
    expect([...inOrder].sort()).toEqual(inOrder);
  });

  it('4.4 an interaction without input is read back with user_input null', async () => {
    const body = { metadata: { step: 1 }, user_id: 'someone' };
    const posted = answered(
      'createInteraction',
      await server.call('POST', '/v1/interactions', { body }),
    );
    expect(await readBack(posted)).toEqual({ ...posted, user_input: null, metadata: { step: 1 } });
  });

  it('4.4 keys next to query are kept in user_input, in each query of a batch', async () => {
    const batch = [
      { query: '  spaces stay  ', lang: 'de', nested: { a: [1, { b: null }] } },
      { note: 'first key', query: 'x' },
    ];
    const { json } = await server.search({ user_input: batch });
    const read = await readBack(json);
    expect(JSON.stringify(read.user_input)).toBe(JSON.stringify({ queries: batch }));
    expect(read.preprocessor_runs[0].query).toBe('  spaces stay  ');
  });

  it('4.4 session_id and interaction_id are required: 422 missing, both in one answer', async () => {
    const missing = (name: string) => ({
      type: 'missing',
      loc: ['query', name],
      msg: 'Field required',
      input: null,
    });
    expect(refused(await get(''))).toEqual([missing('session_id'), missing('interaction_id')]);
    expect(refused(await get(`?session_id=${UNKNOWN}`))).toEqual([missing('interaction_id')]);
    expect(refused(await get(`?interaction_id=${UNKNOWN}`))).toEqual([missing('session_id')]);
  });

  it.each(['x', '', 'null', UNKNOWN.replaceAll('-', ''), `${UNKNOWN} `, `urn:uuid:${UNKNOWN}`])(
    '4.4 "%s" is not a uuid: 422 uuid_parsing for either parameter',
    async (sent) => {
      const text = encodeURIComponent(sent);
      expect(refused(await get(`?session_id=${text}&interaction_id=${text}`))).toEqual([
        badUuid(['query', 'session_id'], sent),
        badUuid(['query', 'interaction_id'], sent),
      ]);
      expect(refused(await get(`?session_id=${UNKNOWN}&interaction_id=${text}`))).toEqual([
        badUuid(['query', 'interaction_id'], sent),
      ]);
    },
  );

  it('4.4 ids are accepted in any case and returned in lower case', async () => {
    const { json } = await server.search({ user_input: { query: 'x' } });
    const upper = path(json.session_id.toUpperCase(), json.interaction_id.toUpperCase());
    const read = answered('readInteraction', await get(upper));
    expect(read).toMatchObject(json);
  });

  it('4.4 unknown ids, an interaction of another session and one of another project are the same 404', async () => {
    const body = { user_input: { query: 'x' } };
    const mine = (await server.search(body)).json;
    const other = (await server.search(body)).json;
    const { key } = await newProject(server);
    const theirs = (await server.search(body, { key })).json;
    const answers = await Promise.all([
      get(path(UNKNOWN, UNKNOWN)),
      get(path(mine.session_id, UNKNOWN)),
      get(path(UNKNOWN, mine.interaction_id)),
      get(path(mine.session_id, other.interaction_id)),
      get(path(theirs.session_id, theirs.interaction_id)),
      get(path(mine.session_id, theirs.interaction_id)),
      get(path(mine.session_id, mine.interaction_id), key),
    ]);
    for (const { status, json } of answers) {
      expect([status, json]).toEqual([404, { detail: 'Interaction not found' }]);
    }
  });

  it('4.4 any key of the project with the permission read may read it, a key without it may not', async () => {
    const { json } = await server.search({ user_input: { query: 'x' } });
    const query = path(json.session_id, json.interaction_id);
    const reader = await server.makeKey('main', ['read']);
    expect((await get(query, reader.key)).status).toBe(200);
    const searcher = await server.makeKey('main', ['search', 'fetch']);
    expect((await get(query, searcher.key)).status).toBe(403);
    const withoutKey = await server.call('GET', `/v1/interactions${query}`, { key: null });
    expect(withoutKey.status).toBe(401);
  });

  it('4.4 interactions of one session stay separate', async () => {
    const session_id = randomUUID();
    const queries = Array.from({ length: 8 }, (_, index) => `marker${index}x harbour`);
    const posted = await Promise.all(
      queries.map((query) => server.search({ session_id, user_input: { query } })),
    );
    for (const [index, { json }] of posted.entries()) {
      const read = await readBack(json);
      expect(read.user_input).toEqual({ query: queries[index] });
      for (const run of read.preprocessor_runs) {
        expect(run.query).toBe(queries[index]);
        for (const row of run.output_payload.results) {
          expect(row.title.toLowerCase()).toContain(`marker${index}x`);
        }
      }
    }
  });
});
