import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { jsonText } from '@trawl/base';
import { describeOnDatabases } from '@trawl/test-support/databases';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { sendJson } from '@trawl/test-support/loopback';
import { at, ledgerRecord } from '@trawl/test-support/records';
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

interface Session {
  readonly id: string;
  readonly latest_interaction_at: string;
}

describeOnDatabases('sessions', (database) => {
  let server: TestServer;
  /** The calls that tavily has not answered yet. */
  const owed: http.ServerResponse[] = [];
  const tavily = http.createServer((request, response) => {
    request.resume();
    owed.push(response);
  });
  beforeAll(async () => {
    await once(tavily.listen(0, '127.0.0.1'), 'listening');
    const { port } = tavily.address() as AddressInfo;
    const env = { TAVILY_BASE_URL: `http://127.0.0.1:${port}` };
    server = await startTestServer({ database, env });
  });
  afterAll(async () => {
    await server.stop();
    tavily.closeAllConnections();
    tavily.close();
  });

  async function list(query = '', key = server.key) {
    const answer = await server.call('GET', `/v1/sessions${query}`, { key });
    return answered('listSessions', answer).sessions as (Session & Record<string, unknown>)[];
  }

  /** A project with one session a second, newest first. */
  async function withSessions(count: number) {
    const project = await newProject(server);
    const sessions = Array.from({ length: count }, (_, index) => ({
      sessionId: randomUUID(),
      projectId: project.projectId,
      createdAt: at(index),
    }));
    await recordAll(server, sessions);
    return { ...project, ids: sessions.map(({ sessionId }) => sessionId).reverse() };
  }

  it('2.12 SessionsResponse: sessions is required, and empty without sessions', async () => {
    const { key } = await newProject(server);
    const { json } = await server.call('GET', '/v1/sessions', { key });
    expect(json).toEqual({ sessions: [] });
  });

  it('2.12 a session has a uuid, three times in UTC and an integer count, and nothing else', async () => {
    const { key } = await newProject(server);
    const { json } = await server.search({ user_input: { query: 'tidal power' } }, { key });
    expect(await list('', key)).toEqual([
      {
        id: json.session_id,
        created_at: json.created_at,
        updated_at: json.completed_at,
        interaction_count: 1,
        latest_interaction_at: json.created_at,
      },
    ]);
    expect(json.session_id).toMatch(UUID);
    expect([json.created_at, json.completed_at]).toEqual([
      expect.stringMatching(TIME),
      expect.stringMatching(TIME),
    ]);
  });

  it('4.5 created_at is the time of the first interaction, latest_interaction_at of the newest, and all are counted', async () => {
    const { key } = await newProject(server);
    const body = { session_id: randomUUID() };
    const answers = [];
    for (let turn = 0; turn < 3; turn += 1) {
      answers.push((await server.call('POST', '/v1/interactions', { body, key })).json);
    }
    expect(await list('', key)).toEqual([
      {
        id: body.session_id,
        created_at: answers[0].created_at,
        updated_at: answers[2].completed_at,
        interaction_count: 3,
        latest_interaction_at: answers[2].created_at,
      },
    ]);
  });

  it('4.5 updated_at is completed_at of the newest interaction, even if an older one ends after it', async () => {
    const { key } = await newProject(server);
    const session_id = randomUUID();
    const slow = server.search(
      {
        session_id,
        user_input: { query: 'slow' },
        search: { providers: { include: ['tavily'] } },
      },
      { key },
    );
    await expect.poll(() => owed).toHaveLength(1);
    const newest = await server.call('POST', '/v1/interactions', { body: { session_id }, key });
    // the clock has another millisecond before the older one can end
    await expect.poll(() => new Date().toISOString() > newest.json.completed_at).toBe(true);
    for (const response of owed) sendJson(response, { query: 'slow', results: [] });
    const oldest = await slow;
    expect(oldest.json.status).toBe('succeeded');
    expect(oldest.json.completed_at > newest.json.completed_at).toBe(true);
    expect(await list('', key)).toEqual([
      {
        id: session_id,
        created_at: oldest.json.created_at,
        updated_at: newest.json.completed_at,
        interaction_count: 2,
        latest_interaction_at: newest.json.created_at,
      },
    ]);
  });

  it('4.5 include=summary adds the first input, runs and cost of each session, and nothing else', async () => {
    const { key } = await newProject(server);
    const body = { session_id: randomUUID() };
    await server.call('POST', '/v1/interactions', { body, key });
    const queries = [{ query: 'tidal power' }, { query: 'wave power' }];
    const include = ['exa', 'brave'];
    const found = { ...body, user_input: queries, search: { providers: { include } } };
    await server.search(found, { key });
    await server.search({ ...body, user_input: { query: 'later' } }, { key });
    const other = await server.call('POST', '/v1/fetch', {
      body: { urls: ['https://news.example.com/a-page'], options: { providers: ['jina'] } },
      key,
    });
    await server.call('POST', '/v1/interactions', { body: {}, key });

    const plain = await list('', key);
    const [empty, fetched, searched] = await list('?include=summary', key);
    expect(plain.map((session) => 'summary' in session)).toEqual([false, false, false]);
    const usage = await server.call('GET', '/v1/usage?group_by=provider', { key });
    const spent = usage.json.rows
      .filter(({ provider }: { provider: string }) => provider !== 'jina')
      .reduce((sum: number, { cost_usd }: { cost_usd: number }) => sum + cost_usd, 0);
    expect(searched).toEqual({
      ...plain[2],
      summary: {
        first_input: 'tidal power',
        run_count: 6,
        outcomes: { succeeded: 3, partial: 0, failed: 0 },
        cost_usd: expect.closeTo(spent, 6),
        unpriced_calls: 0,
        deleted_interactions: 0,
      },
    });
    expect(fetched?.summary).toMatchObject({
      first_input: 'https://news.example.com/a-page',
      run_count: 1,
    });
    expect(empty?.summary).toEqual({
      first_input: null,
      run_count: 0,
      outcomes: expect.any(Object),
      cost_usd: null,
      unpriced_calls: 0,
      deleted_interactions: 0,
    });

    const only = `?session_id=${other.json.session_id}&include=summary`;
    expect(await list(only, key)).toEqual([fetched]);
    expect(await list(`?session_id=${UNKNOWN}`, key)).toEqual([]);
    expect(await list(only)).toEqual([]);
    const wrong = await server.call('GET', '/v1/sessions?include=runs', { key });
    expect(refused(wrong)).toMatchObject([{ type: 'literal_error', loc: ['query', 'include'] }]);
  });

  it('4.5 calls of unknown price are counted, and a long first query is cut', async () => {
    const { key, projectId } = await newProject(server);
    const record = { id: randomUUID(), projectId, sessionId: randomUUID(), createdAt: at(3) };
    const row = (costMicros: number | null, calls: number) =>
      ledgerRecord(record, { createdAt: at(3), costMicros, calls });
    await recordAll(server, [
      {
        ...record,
        userInput: jsonText({ query: '🛟'.repeat(600) }),
        ledger: [row(1500, 1), row(null, 2), row(2500, 1)],
      },
    ]);
    const [session] = await list('?include=summary', key);
    expect(session?.summary).toEqual({
      first_input: '🛟'.repeat(500),
      run_count: 0,
      outcomes: { succeeded: 1, partial: 0, failed: 0 },
      cost_usd: 0.004,
      unpriced_calls: 2,
      deleted_interactions: 0,
    });
  });

  it('4.5 newest activity first, then by id', async () => {
    const { key, projectId } = await newProject(server);
    const [first = '', second = '', third = '', old = ''] = Array.from({ length: 4 }, () =>
      randomUUID(),
    ).sort();
    await recordAll(server, [
      { projectId, sessionId: third, createdAt: at(5) },
      { projectId, sessionId: first, createdAt: at(5) },
      { projectId, sessionId: second, createdAt: at(5) },
      { projectId, sessionId: old, createdAt: at(1) },
    ]);
    expect((await list('', key)).map(({ id }) => id)).toEqual([first, second, third, old]);
    await recordAll(server, [{ projectId, sessionId: old, createdAt: at(9) }]);
    expect((await list('', key)).map(({ id }) => id)).toEqual([old, first, second, third]);
  });

  it('4.5 limit is optional and 50 by default; 1 and 200 pass', async () => {
    const { key, ids } = await withSessions(203);
    const idsOf = async (query: string) => (await list(query, key)).map(({ id }) => id);
    expect(await idsOf('')).toEqual(ids.slice(0, 50));
    expect(await idsOf('?limit=1')).toEqual(ids.slice(0, 1));
    expect(await idsOf('?limit=200')).toEqual(ids.slice(0, 200));
  });

  it.each([
    ['0', 'greater_than_equal', { ge: 1 }],
    ['-1', 'greater_than_equal', { ge: 1 }],
    ['201', 'less_than_equal', { le: 200 }],
    ['99999999999999999999', 'less_than_equal', { le: 200 }],
  ])('4.5 limit=%s is refused with %s', async (limit, type, ctx) => {
    expect(refused(await server.call('GET', `/v1/sessions?limit=${limit}`))).toEqual([
      { type, loc: ['query', 'limit'], msg: expect.any(String), input: limit, ctx },
    ]);
  });

  it.each(['x', '', '5.5', '1e2', 'null', 'true', '0x10', '٣'])(
    '4.5 limit=%s is not an integer: 422 int_parsing',
    async (limit) => {
      const path = `/v1/sessions?limit=${encodeURIComponent(limit)}`;
      expect(refused(await server.call('GET', path))).toEqual([
        { type: 'int_parsing', loc: ['query', 'limit'], msg: expect.any(String), input: limit },
      ]);
    },
  );

  it('4.5 before and limit go through all sessions without loss or repetition', async () => {
    const { key, ids } = await withSessions(30);
    const seen: string[] = [];
    let query = '?limit=7';
    for (let page = await list(query, key); page.length > 0; page = await list(query, key)) {
      seen.push(...page.map(({ id }) => id));
      query = `?limit=7&before=${page.at(-1)?.latest_interaction_at}`;
    }
    expect(seen).toEqual(ids);
  });

  it('4.5 before is a moment in any time zone, and selects only older sessions', async () => {
    const { key, ids } = await withSessions(3);
    const before = async (time: string) =>
      (await list(`?before=${encodeURIComponent(time)}`, key)).map(({ id }) => id);
    expect(await before(at(2))).toEqual(ids.slice(1));
    expect(await before('2026-01-01T01:00:02+01:00')).toEqual(ids.slice(1));
    expect(await before('2025-12-31T23:00:02.001-01:00')).toEqual(ids);
    expect(await before(at(0))).toEqual([]);
    expect(await before('0000-01-01T00:00:00Z')).toEqual([]);
    expect(await before('0000-01-01T00:00:00+23:59')).toEqual([]);
    expect(await before('9999-12-31T23:59:59Z')).toEqual(ids);
    expect(await before('9999-12-31T23:59:59-23:59')).toEqual(ids);
  });

  it('4.5 before_id with before continues within the sessions of one millisecond, without loss or repetition', async () => {
    const { key, projectId } = await newProject(server);
    const sessions = Array.from({ length: 23 }, (_, index) => ({
      sessionId: randomUUID(),
      projectId,
      createdAt: at(Math.floor(index / 9)),
    }));
    await recordAll(server, sessions);
    const all = (await list('', key)).map(({ id }) => id);
    expect(new Set(all)).toEqual(new Set(sessions.map(({ sessionId }) => sessionId)));
    for (const limit of [1, 2, 5, 9]) {
      const seen: string[] = [];
      let page = await list(`?limit=${limit}`, key);
      while (page.length > 0) {
        expect(page.length).toBeLessThanOrEqual(limit);
        seen.push(...page.map(({ id }) => id));
        const last = page.at(-1);
        const next = `&before=${last?.latest_interaction_at}&before_id=${last?.id.toUpperCase()}`;
        page = await list(`?limit=${limit}${next}`, key);
      }
      expect(seen).toEqual(all);
    }
  });

  it('4.5 before_id needs before and is a uuid', async () => {
    const alone = refused(await server.call('GET', `/v1/sessions?before_id=${UNKNOWN}`));
    expect(alone).toEqual([
      expect.objectContaining({ type: 'value_error', loc: ['query', 'before_id'], input: UNKNOWN }),
    ]);
    const path = `/v1/sessions?before=${at(0)}&before_id=x`;
    expect(refused(await server.call('GET', path))).toEqual([badUuid(['query', 'before_id'], 'x')]);
  });

  it.each(['', 'yesterday', '2026-01-01', '2026-01-01T00:00:00', '2026-02-30T00:00:00Z', '5'])(
    '4.5 before=%s is not a date-time: 422',
    async (before) => {
      expect(refused(await server.call('GET', `/v1/sessions?before=${before}`))).toEqual([
        {
          type: 'datetime_from_date_parsing',
          loc: ['query', 'before'],
          msg: expect.any(String),
          input: before,
          ctx: { error: expect.any(String) },
        },
      ]);
    },
  );

  it('4.5 a 422 lists all faults, and unknown parameters do not count as faults', async () => {
    const issues = refused(await server.call('GET', '/v1/sessions?limit=x&before=y&type=z'));
    expect(issues.map(({ loc }: { loc: unknown }) => loc)).toEqual([
      ['query', 'limit'],
      ['query', 'before'],
    ]);
    expect((await server.call('GET', '/v1/sessions?offset=x')).status).toBe(200);
  });

  it('4.5 lists only the sessions of the key’s project', async () => {
    const mine = await withSessions(2);
    const theirs = await withSessions(3);
    expect((await list('', mine.key)).map(({ id }) => id)).toEqual(mine.ids);
    expect((await list('', theirs.key)).map(({ id }) => id)).toEqual(theirs.ids);
  });

  it('4.5 needs a key with the permission read', async () => {
    const { key } = await server.makeKey('main', ['search', 'fetch']);
    expect((await server.call('GET', '/v1/sessions', { key })).status).toBe(403);
    expect((await server.call('GET', '/v1/sessions', { key: null })).status).toBe(401);
  });
});
