import { systemClock } from '@trawl/base';
import { describeMainlyOn } from '@trawl/test-support/databases';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { issueKey } from '../../src/admin/key-admin.ts';

const PAGE = 'https://www.example.com/guides/rope-walks';
const SEARCH = {
  user_input: { query: 'tidal power' },
  search: { providers: { include: ['exa', 'brave'] }, tier: 'extended' },
};

describeMainlyOn('SQLite', 'a key that replays a session', (database) => {
  let server: TestServer;
  let key: string;
  let sessionId: string;
  beforeAll(async () => {
    server = await startTestServer({ database });
    const first = await server.search(SEARCH);
    sessionId = first.json.session_id;
    const made = await issueKey(server.server.store.keys, systemClock, {
      projectId: server.projectId,
      name: 'offline',
      permissions: ['search', 'fetch', 'read'],
      expiresAt: null,
      replaySession: sessionId,
    });
    key = made.key;
  });
  afterAll(() => server.stop());
  beforeEach(() => server.sandbox.clearCalls());

  const recordedFirst = async () => {
    const path = `/v1/sessions/${sessionId}/history?include=runs`;
    return (await server.call('GET', path)).json;
  };
  const spent = async () => JSON.stringify((await server.call('GET', '/v1/usage')).json.rows);

  it('gets what was recorded, asks no provider, and costs nothing', async () => {
    const before = await recordedFirst();
    const calls = await spent();
    const again = await server.search(SEARCH, { key });
    expect([again.status, again.json.detail]).toEqual([200, undefined]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const reordered = {
      search: { tier: 'extended', providers: { include: ['exa', 'brave'] } },
      user_input: SEARCH.user_input,
      metadata: { step: 'another' },
    };
    const other = await server.search(reordered, { key });
    expect(other.json).toEqual(again.json);
    const { json: read } = await server.call(
      'GET',
      `/v1/interactions?session_id=${sessionId}&interaction_id=${again.json.interaction_id}`,
    );
    expect(again.json.preprocessor_runs).toEqual(read.preprocessor_runs);
    expect(server.sandbox.calls).toEqual([]);
    expect(await recordedFirst()).toEqual(before);
    expect(await spent()).toBe(calls);
  });

  it('gets recorded pages, and the events of a stream', async () => {
    const urls = [PAGE, 'https://nowhere.example.com/'];
    const body = { session_id: sessionId, urls, options: { tier: 'extended' } };
    const first = await server.fetch(body);
    server.sandbox.clearCalls();
    const again = await server.fetch({ urls, options: { tier: 'extended' } }, { key });
    expect(again.json).toEqual(first.json);
    const { text } = await server.fetch(
      { urls, options: { tier: 'extended' } },
      { key, headers: { accept: 'text/event-stream' } },
    );
    expect(text.match(/^event: page$/gm)).toHaveLength(2);
    expect(text).toMatch(/^event: done$/m);
    expect(server.sandbox.calls).toEqual([]);
  });

  it('finds a request whatever the order of its members', async () => {
    const ask = (user_input: object, search: object, request: object = {}) =>
      server.search({ session_id: sessionId, user_input, search }, request);
    const input = { query: 'rope walks', reason: 'a report', tags: { b: 1, a: [2, 'ü'] } };
    const first = await ask(input, { providers: { include: ['exa'] }, num_results: 3 });
    expect([first.status, first.json.detail]).toEqual([200, undefined]);
    server.sandbox.clearCalls();
    const other = { tags: { a: [2, 'ü'], b: 1 }, reason: 'a report', query: 'rope walks' };
    const again = await ask(other, { num_results: 3, providers: { include: ['exa'] } }, { key });
    expect([again.status, again.json.interaction_id]).toEqual([200, first.json.interaction_id]);
    const changed = { ...other, tags: { a: [1, 'ü'], b: 2 } };
    const search = { providers: { include: ['exa'] }, num_results: 3 };
    expect((await ask(changed, search, { key })).status).toBe(409);
    expect(server.sandbox.calls).toEqual([]);
  });

  it('reads its session, and nothing else of the project', async () => {
    const { json: own } = await server.search(SEARCH, { key });
    const { json: elsewhere } = await server.search({ user_input: { query: 'heat pumps' } });
    const quotes = [{ text: 'tidal power' }];
    const reads = (session_id: string, id: string) =>
      [
        ['GET', `/v1/sessions/${session_id}/history`],
        ['GET', `/v1/sessions/${session_id}/trajectory`],
        ['GET', `/v1/sessions?session_id=${session_id}`],
        ['GET', `/v1/interactions?session_id=${session_id}&interaction_id=${id}`],
        ['GET', `/v1/interactions/${id}/feedback`],
        ['GET', `/v1/interactions/${id}/diff?with=${id}`],
        ['POST', '/v1/verify', { session_id, quotes }],
      ] as const;
    for (const [method, path, body] of reads(sessionId, own.interaction_id)) {
      expect([path, (await server.call(method, path, { key, body })).status]).toEqual([path, 200]);
    }
    const { session_id: other, interaction_id: id } = elsewhere;
    const refused = [
      ...reads(other, id),
      ['GET', `/v1/interactions/${own.interaction_id}/diff?with=${id}`],
      ['POST', `/v1/interactions/${id}/replay`],
      ['POST', `/v1/interactions/${id}/feedback`, { verdict: 'useful' }],
    ] as const;
    for (const [method, path, body] of refused) {
      const { status } = await server.call(method, path, { key, body });
      expect([path, status === 404 || status === 422]).toEqual([path, true]);
    }
    for (const path of ['/v1/sessions', '/v1/usage']) {
      const { status, json } = await server.call('GET', path, { key });
      expect([status, json.detail]).toMatchObject([403, expect.stringContaining(sessionId)]);
    }
  });

  it('gives feedback that is checked, and changes nothing', async () => {
    const { json } = await server.search(SEARCH, { key });
    const [run] = json.preprocessor_runs;
    const path = `/v1/interactions/${json.interaction_id}/feedback`;
    const give = (own: string, verdict: string, runId: string = run.id) =>
      server.call('POST', path, {
        key: own,
        body: { results: [{ run_id: runId, rank: 1, verdict }] },
      });
    expect((await give(server.key, 'right')).status).toBe(200);
    const offline = await give(key, 'wrong');
    expect([offline.status, offline.json.results[0].verdict]).toEqual([200, 'wrong']);
    expect((await give(key, 'wrong', sessionId)).status).toBe(422);
    const kept = await server.call('GET', path);
    expect(kept.json.results).toMatchObject([{ verdict: 'right' }]);
  });

  it('gets the price of nothing for a dry run', async () => {
    const { json } = await server.call('POST', '/v1/search?dry_run=true', { key, body: SEARCH });
    expect(json).toEqual({ dry_run: true, calls: [], total_usd: 0 });
  });

  it('is refused for what the session does not have', async () => {
    const other = { ...SEARCH, search: { ...SEARCH.search, num_results: 4 } };
    const elsewhere = await server.search({ user_input: { query: 'rope walks' } });
    const cases = [
      await server.search(other, { key }),
      await server.search({ user_input: { query: 'rope walks' } }, { key }),
      await server.call('POST', '/v1/search?dry_run=true', { key, body: other }),
      await server.call('POST', '/v1/interactions', { key, body: { metadata: { step: 'x' } } }),
    ];
    for (const { status, json } of cases) {
      expect(status).toBe(409);
      expect(json.detail).toMatch(/answers from the records of one session alone/);
    }
    const page = await server.fetch({ urls: [`${PAGE}?other`] }, { key });
    expect([page.status, page.json.error.code]).toEqual([409, 'not_recorded']);
    expect(elsewhere.status).toBe(200);
  });

  it('never asks a provider for a replay or a drop-in', async () => {
    server.sandbox.clearCalls();
    const again = await server.call(
      'POST',
      `/v1/interactions/${(await server.search(SEARCH, { key })).json.interaction_id}/replay`,
      { key },
    );
    expect(again.status).toBe(200);
    expect(server.sandbox.calls).toEqual([]);
    const unknown = await server.call('POST', '/compat/tavily/search', {
      key,
      body: { query: 'x' },
    });
    expect(unknown.status).toBe(409);
    expect(server.sandbox.calls).toEqual([]);
  });
});
