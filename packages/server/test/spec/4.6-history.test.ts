import { randomUUID } from 'node:crypto';
import { describeOnDatabases, onlyOn } from '@trawl/test-support/databases';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { at, runRecord } from '@trawl/test-support/records';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  answered,
  badUuid,
  newProject,
  recordAll,
  refused,
  TIME,
  UNKNOWN,
  UUID,
} from '../support/recorded.ts';

describeOnDatabases('the history of a session', (database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ database });
  });
  afterAll(() => server.stop());

  const get = (sessionId: string, query = '', key = server.key) =>
    server.call('GET', `/v1/sessions/${sessionId}/history${query}`, { key });
  const read = async (sessionId: string, query = '') =>
    answered('sessionHistory', await get(sessionId, query));
  const idsOf = async (sessionId: string, query = ''): Promise<string[]> =>
    (await read(sessionId, query)).interactions.map(({ id }: { id: string }) => id);

  /** A session of this many interactions, five a second. */
  async function withInteractions(count: number) {
    const sessionId = randomUUID();
    const given = Array.from({ length: count }, (_, index) => ({
      id: randomUUID(),
      sessionId,
      createdAt: at(Math.floor(index / 5)),
    }));
    // one after another, since the order of recording decides within a second
    for (const one of given) await recordAll(server, [one]);
    return { sessionId, ids: given.map(({ id }) => id) };
  }

  it('2.12 SessionHistoryResponse has instance_id, session_id and interactions', async () => {
    const posted = (await server.call('POST', '/v1/interactions', { body: {} })).json;
    const history = await read(posted.session_id);
    expect(history).toEqual({
      instance_id: posted.instance_id,
      session_id: posted.session_id,
      interactions: [expect.any(Object)],
    });
    expect(history.session_id).toMatch(UUID);
  });

  it('2.12 a summary has id, session_id, user_input, status, outcome, created_at and completed_at', async () => {
    const user_input = { query: 'tidal power', note: { kept: [1, null] } };
    const posted = (await server.search({ user_input, metadata: { a: 1 } })).json;
    const { interactions } = await read(posted.session_id);
    expect(interactions).toEqual([
      {
        id: posted.interaction_id,
        session_id: posted.session_id,
        user_input,
        status: 'succeeded',
        outcome: 'succeeded',
        created_at: posted.created_at,
        completed_at: posted.completed_at,
      },
    ]);
    expect(interactions[0].created_at).toMatch(TIME);
    expect(interactions[0].completed_at).toMatch(TIME);
  });

  it('the outcome of a fetch is that of its pages', async () => {
    const posted = (await server.fetch({ urls: ['https://news.example.com/missing'] })).json;
    const { interactions } = await read(posted.session_id);
    expect(interactions).toMatchObject([{ status: 'succeeded', outcome: 'failed' }]);
  });

  it('2.12 user_input is the query object, {queries} of a batch, or null; status is that of the interaction', async () => {
    const session_id = randomUUID();
    const one = { query: 'one [[exa:status=400]]' };
    const batch = [{ query: 'two [[*:status=400]]' }, { query: 'three [[*:status=400]]', x: 1 }];
    await server.search({ session_id, user_input: one });
    await server.search({ session_id, user_input: batch });
    await server.call('POST', '/v1/interactions', { body: { session_id } });
    const { interactions } = await read(session_id);
    expect(
      interactions.map((one: Record<string, unknown>) => [one.user_input, one.status]),
    ).toEqual([
      [one, 'partially_succeeded'],
      [{ queries: batch }, 'failed'],
      [null, 'succeeded'],
    ]);
  });

  it('4.6 type is short by default, and then has no runs', async () => {
    const { json } = await server.search({ user_input: { query: 'heat pumps' } });
    const short = await get(json.session_id, '?type=short');
    expect((await get(json.session_id)).text).toBe(short.text);
    expect(short.text).not.toContain('_runs');
  });

  it('4.6 full adds the metadata and the runs, value for value', async () => {
    const metadata = { tag: 'x', deep: [{ a: null }] };
    const body = { user_input: [{ query: 'a' }, { query: 'b [[brave:status=500]]' }], metadata };
    const posted = (await server.search({ ...body, search: { include_raw: true } })).json;
    const full = (await read(posted.session_id, '?type=full')).interactions;
    const short = (await read(posted.session_id)).interactions;
    expect(full).toEqual([
      {
        ...short[0],
        metadata,
        preprocessor_runs: posted.preprocessor_runs,
        postprocessor_runs: posted.postprocessor_runs,
      },
    ]);
    expect(full[0].preprocessor_runs).toHaveLength(4);
  });

  it('4.6 full has empty lists and empty metadata for an interaction without runs and metadata', async () => {
    const { json } = await server.call('POST', '/v1/interactions', { body: {} });
    const { interactions } = await read(json.session_id, '?type=full');
    expect(interactions[0]).toMatchObject({
      metadata: {},
      preprocessor_runs: [],
      postprocessor_runs: [],
    });
  });

  it.each(['long', '', 'FULL', 'short,full', 'null'])(
    '4.6 type=%s is refused: 422 literal_error',
    async (type) => {
      expect(refused(await get(UNKNOWN, `?type=${type}`))).toEqual([
        {
          type: 'literal_error',
          loc: ['query', 'type'],
          msg: "Input should be 'short' or 'full'",
          input: type,
          ctx: { expected: "'short' or 'full'" },
        },
      ]);
    },
  );

  it.each(['x', '%20', 'null', UNKNOWN.replaceAll('-', ''), `{${UNKNOWN}}`, `${UNKNOWN}0`])(
    '4.6 session_id %s is not a uuid: 422 uuid_parsing',
    async (sent) => {
      const issues = refused(await get(encodeURIComponent(decodeURIComponent(sent))));
      expect(issues).toEqual([badUuid(['path', 'session_id'], decodeURIComponent(sent))]);
    },
  );

  it('4.6 session_id is accepted in any case and returned in lower case', async () => {
    const { json } = await server.call('POST', '/v1/interactions', { body: {} });
    const upper = await get(json.session_id.toUpperCase());
    expect(answered('sessionHistory', upper).session_id).toBe(json.session_id);
  });

  it('4.6 oldest first, and in the order of recording within a millisecond', async () => {
    const sessionId = randomUUID();
    const [a = '', b = '', c = '', d = ''] = Array.from({ length: 4 }, () => randomUUID());
    for (const [id, seconds] of [
      [c, 7],
      [d, 9],
      [a, 1],
      [b, 1],
    ] as const) {
      await recordAll(server, [{ id, sessionId, createdAt: at(seconds) }]);
    }
    expect(await idsOf(sessionId)).toEqual([a, b, c, d]);
  });

  it('4.6 limit: by default all of a short history; 1 and 1000 pass', async () => {
    const sessionId = randomUUID();
    await recordAll(server, Array(1_005).fill({ sessionId }));
    const all = await idsOf(sessionId);
    expect(new Set(all).size).toBe(1_005);
    expect(await idsOf(sessionId, '?limit=1')).toEqual(all.slice(0, 1));
    expect(await idsOf(sessionId, '?limit=1000')).toEqual(all.slice(0, 1_000));
    expect(await idsOf(sessionId, '?type=full&limit=1000')).toEqual(all.slice(0, 1_000));

    // a full one has at most 1,000 by default, and says where to continue
    const first = await read(sessionId, '?type=full');
    expect(first.interactions.map(({ id }: { id: string }) => id)).toEqual(all.slice(0, 1_000));
    expect(first.next_after).toBe(all[999]);
    const rest = await read(sessionId, `?type=full&after=${first.next_after}`);
    expect(rest.interactions.map(({ id }: { id: string }) => id)).toEqual(all.slice(1_000));
    expect(rest).not.toHaveProperty('next_after');
  });

  it.each([
    ['0', 'greater_than_equal'],
    ['-3', 'greater_than_equal'],
    ['1001', 'less_than_equal'],
    ['x', 'int_parsing'],
    ['', 'int_parsing'],
  ])('4.6 limit=%s is refused with %s', async (limit, type) => {
    expect(refused(await get(UNKNOWN, `?limit=${limit}`))).toEqual([
      expect.objectContaining({ type, loc: ['query', 'limit'], input: limit }),
    ]);
  });

  it('4.6 after and limit go through all interactions without loss or repetition', async () => {
    const { sessionId, ids } = await withInteractions(33);
    for (const type of ['', 'type=full&', 'type=short&']) {
      const seen: string[] = [];
      let page = await idsOf(sessionId, `?${type}limit=4`);
      while (page.length > 0) {
        seen.push(...page);
        page = await idsOf(sessionId, `?${type}limit=4&after=${page.at(-1)}`);
      }
      expect(seen).toEqual(ids);
    }
  });

  it('4.6 after without limit returns all the rest; the last has no successor', async () => {
    const { sessionId, ids } = await withInteractions(12);
    expect(await idsOf(sessionId, `?after=${ids[2]?.toUpperCase()}`)).toEqual(ids.slice(3));
    expect(await idsOf(sessionId, `?after=${ids.at(-1)}`)).toEqual([]);
  });

  it.each(['history', 'history?type=full', 'trajectory'])(
    '4.6 after with an unknown id, or one of another session or project, is a 404 (%s)',
    async (path) => {
      const { sessionId } = await withInteractions(2);
      const other = await withInteractions(2);
      const { key } = await server.makeKey('another');
      const foreign = await server.call('POST', '/v1/interactions', { body: {}, key });
      for (const after of [UNKNOWN, other.ids[0], foreign.json.interaction_id]) {
        const joint = path.includes('?') ? '&' : '?';
        const url = `/v1/sessions/${sessionId}/${path}${joint}after=${after}`;
        const answer = await server.call('GET', url);
        expect([answer.status, answer.json]).toEqual([
          404,
          { detail: 'after: this session has no interaction with this id' },
        ]);
      }
    },
  );

  it('4.6 next_after is there when more interactions follow, and names the last one shown', async () => {
    const { sessionId, ids } = await withInteractions(6);
    const next = async (query: string) => (await read(sessionId, query)).next_after;
    expect(await next('?limit=2')).toBe(ids[1]);
    expect(await next(`?limit=3&after=${ids[1]}`)).toBe(ids[4]);
    for (const query of ['', '?limit=6', `?after=${ids[1]}`, `?after=${ids[5]}`]) {
      expect(await read(sessionId, query)).not.toHaveProperty('next_after');
    }
  });

  // on SQLite: 4.6-long-sessions
  onlyOn(database, 'PostgreSQL')(
    '4.6 a history of many megabytes comes in parts of whole interactions',
    async () => {
      const sessionId = randomUUID();
      const run = (id: string) => ({
        id,
        preprocessor_name: 'exa',
        status: 'failed',
        batch_index: 0,
        query: 'x',
        request_payload: { text: 'harbour '.repeat(150_000) },
        output_payload: null,
        raw_payload: null,
        error: null,
        latency_ms: 1,
      });
      const ids = Array.from({ length: 30 }, () => randomUUID());
      await recordAll(
        server,
        ids.map((id, index) => ({
          id,
          sessionId,
          createdAt: at(index),
          runs: [runRecord(JSON.stringify(run(id)), { id })],
        })),
      );
      const seen: string[] = [];
      let page = await read(sessionId, '?type=full');
      expect(page.next_after).toBe(page.interactions.at(-1).id);
      for (;;) {
        for (const interaction of page.interactions) {
          seen.push(interaction.id);
          expect(interaction.preprocessor_runs).toEqual([run(interaction.id)]);
        }
        if (page.next_after === undefined) break;
        page = await read(sessionId, `?type=full&after=${page.next_after}`);
      }
      expect(seen).toEqual(ids);
      expect(await idsOf(sessionId)).toEqual(ids);
    },
  );

  it('4.6 an after that is not a uuid is refused, with all other faults in the same answer', async () => {
    const issues = refused(await get('x', '?type=y&limit=z&after=w'));
    expect(issues.map(({ loc, type }: { loc: unknown; type: unknown }) => [loc, type])).toEqual([
      [['path', 'session_id'], 'uuid_parsing'],
      [['query', 'type'], 'literal_error'],
      [['query', 'limit'], 'int_parsing'],
      [['query', 'after'], 'uuid_parsing'],
    ]);
  });

  it('4.6 an unknown session and one of another project are the same 404', async () => {
    const { json } = await server.call('POST', '/v1/interactions', { body: {} });
    const { key } = await newProject(server);
    const foreign = await get(json.session_id, '?type=full', key);
    const unknown = await get(UNKNOWN, '?type=full', key);
    expect([foreign.status, foreign.json]).toEqual([404, { detail: 'Session not found' }]);
    expect([unknown.status, unknown.text]).toEqual([foreign.status, foreign.text]);
  });

  it('4.6 needs a key with the permission read', async () => {
    const { key } = await server.makeKey('main', ['search', 'fetch']);
    expect((await get(UNKNOWN, '', key)).status).toBe(403);
    const path = `/v1/sessions/${UNKNOWN}/history`;
    expect((await server.call('GET', path, { key: null })).status).toBe(401);
  });
});
