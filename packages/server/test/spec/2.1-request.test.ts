import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { batchOf, QUERY, type SpecServer, sentTo, startSpecServer } from './support/server.ts';

let server: SpecServer;
beforeAll(async () => {
  server = await startSpecServer();
});
afterAll(() => server.stop());

const interact = (body: unknown) => server.call('POST', '/v1/interactions', { body });
const read = async ({ json }: { json: { session_id: string; interaction_id: string } }) => {
  const { session_id, interaction_id } = json;
  const query = new URLSearchParams({ session_id, interaction_id });
  const answer = await server.call('GET', `/v1/interactions?${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
};
const both = ['/v1/search', '/v1/interactions'] as const;
const NIL = '00000000-0000-0000-0000-000000000000';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describe('2.1 session_id', () => {
  test.each(both)('2.1 session_id: groups the interactions of %s', async (path) => {
    const session_id = crypto.randomUUID();
    const first = await server.call('POST', path, { body: { session_id, user_input: QUERY } });
    const second = await server.call('POST', path, { body: { session_id, user_input: QUERY } });
    expect([first.json.session_id, second.json.session_id]).toEqual([session_id, session_id]);
    const history = await server.call('GET', `/v1/sessions/${session_id}/history`);
    expect(history.json.interactions.map(({ id }: { id: string }) => id)).toEqual([
      first.json.interaction_id,
      second.json.interaction_id,
    ]);
  });

  test.each([
    ['omitted', {}],
    ['null', { session_id: null }],
  ])('2.1 session_id: %s, a new one is generated', async (_title, more) => {
    const first = await server.search({ user_input: QUERY, ...more });
    const second = await server.search({ user_input: QUERY, ...more });
    expect(first.json.session_id).toMatch(UUID);
    expect(second.json.session_id).not.toBe(first.json.session_id);
  });

  test.each([
    ['nil', NIL],
    ['all ones, upper case', 'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF'],
    ['version 1', 'C232AB00-9414-11EC-B3C8-9F6BDECED846'],
    ['version 4, mixed case', '919108F7-52D1-4320-9bac-f847db4148a8'],
    ['version 7', '017F22E2-79B0-7CC3-98C4-DC0C0C07398F'],
    ['no version at all', 'a1b2c3d4-0000-0000-0000-00000000000f'],
  ])('2.1 session_id: %s is a uuid, answered in lower case', async (_title, session_id) => {
    const answer = await interact({ session_id });
    expect(answer.json.session_id).toBe(session_id.toLowerCase());
    const again = await interact({ session_id: session_id.toLowerCase() });
    const list = await server.call('GET', '/v1/sessions?limit=200');
    const listed = list.json.sessions.filter(
      ({ id }: { id: string }) => id === again.json.session_id,
    );
    expect(listed).toMatchObject([{ interaction_count: 2 }]);
  });

  test.each(both)('2.1 session_id: of another project is a 404 of %s', async (path) => {
    const theirs = await server.makeKey('theirs');
    const { json } = await server.call('POST', '/v1/search', {
      body: { user_input: QUERY },
      key: theirs.key,
    });
    const body = { session_id: json.session_id.toUpperCase(), user_input: QUERY };
    await server.expectRefusal(path, body, 404, 'Session not found');
    const history = await server.call('GET', `/v1/sessions/${json.session_id}/history`, {
      key: theirs.key,
    });
    expect(history.json.interactions).toHaveLength(1);
  });
});

describe('2.1 user_id', () => {
  const labelOf = async (body: object) => {
    const answer = await interact({ user_input: QUERY, ...body });
    expect(answer.status, answer.text).toBe(200);
    const rows = await server.server.store.reader.ledger(
      server.projectId,
      answer.json.interaction_id,
    );
    expect(rows).toHaveLength(2);
    return rows.map(({ userId }) => userId);
  };

  test('2.1 user_id: a label of the calls that an interaction is billed for', async () => {
    expect(await labelOf({ user_id: 'u-1 ü' })).toEqual(['u-1 ü', 'u-1 ü']);
  });

  test.each([{ user_id: null }, {}])('2.1 user_id: %j counts as no label', async (body) => {
    expect(await labelOf(body)).toEqual([null, null]);
  });

  test.each([
    ['256 characters', 'x'.repeat(256)],
    ['256 characters of 4 bytes', '😀'.repeat(256)],
  ])('2.1 user_id: %s pass', async (_title, user_id) => {
    expect(await labelOf({ user_id })).toEqual([user_id, user_id]);
  });

  test('2.1 user_id: only on /v1/interactions; /v1/search ignores it', async () => {
    for (const user_id of ['u', 5, 'x'.repeat(300)]) {
      const answer = await server.search({ user_input: QUERY, user_id });
      expect(answer.status, answer.text).toBe(200);
      const rows = await server.server.store.reader.ledger(
        server.projectId,
        answer.json.interaction_id,
      );
      expect(rows.map(({ userId }) => userId)).toEqual([null, null]);
    }
  });
});

describe('2.1 user_input', () => {
  test('2.1 user_input: one query object is one query', async () => {
    const answer = await server.search({ user_input: QUERY });
    expect(
      answer.json.preprocessor_runs.map((run: { batch_index: number; query: string }) => [
        run.batch_index,
        run.query,
      ]),
    ).toEqual([
      [0, QUERY.query],
      [0, QUERY.query],
    ]);
    expect((await read(answer)).user_input).toEqual(QUERY);
  });

  test.each([1, 2, 3])('2.1 user_input: a list of %i is a batch', async (count) => {
    const queries = batchOf(count);
    const answer = await server.search({ user_input: queries });
    expect(
      answer.json.preprocessor_runs.map((run: Record<string, unknown>) => [
        run.batch_index,
        run.query,
        run.preprocessor_name,
      ]),
    ).toEqual(
      queries.flatMap(({ query }, index) => [
        [index, query, 'exa'],
        [index, query, 'brave'],
      ]),
    );
    expect((await read(answer)).user_input).toEqual({ queries });
  });

  test('2.1 user_input: the same query twice in a batch runs twice', async () => {
    const before = server.sandbox.calls.length;
    const answer = await server.search({ user_input: [QUERY, QUERY] });
    expect(answer.json.preprocessor_runs).toHaveLength(4);
    expect(server.sandbox.calls.length - before).toBe(4);
  });

  test('2.1 user_input: further keys are kept and read back, and not sent', async () => {
    const one = { query: 'q', lang: 'de', nested: { a: [1, null, { b: 'é😀' }] }, '': false };
    expect((await read(await server.search({ user_input: one }))).user_input).toEqual(one);
    expect(Object.keys(sentTo(server, 'exa')).sort()).toEqual([
      'contents',
      'numResults',
      'query',
      'type',
    ]);
    const list = [one, { query: 'r', x: 1 }];
    expect((await read(await server.search({ user_input: list }))).user_input).toEqual({
      queries: list,
    });
  });

  test('2.1 user_input: a query is sent and returned as given, with the blanks around it', async () => {
    const query = '  two  words\n\t ';
    const answer = await server.search({ user_input: { query } });
    expect(sentTo(server, 'exa').query).toBe(query);
    expect(Object.fromEntries(sentTo(server, 'brave')).q).toBe(query);
    expect(answer.json.preprocessor_runs.map((run: { query: string }) => run.query)).toEqual([
      query,
      query,
    ]);
  });

  test.each([{}, { user_input: null }])(
    '2.1 user_input: %j makes an interaction without runs on /v1/interactions',
    async (body) => {
      const before = server.sandbox.calls.length;
      const answer = await interact(body);
      expect(answer.json).toMatchObject({
        status: 'succeeded',
        preprocessor_runs: [],
        postprocessor_runs: [],
        normalized_schema_version: 2,
        routing: null,
      });
      expect((await read(answer)).user_input).toBeNull();
      expect(server.sandbox.calls.length).toBe(before);
    },
  );
});
