import { systemClock } from '@trawl/base';
import { describeMainlyOn } from '@trawl/test-support/databases';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { issueKey } from '../../src/admin/key-admin.ts';

const UNKNOWN = '01a21ddb-2f1d-779c-94fb-2f086c1956e6';
const MISSING_PAGE = 'https://atlas.example.org/missing/x';

describeMainlyOn('SQLite', 'errors have one shape', (database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ database });
  });
  afterAll(() => server.stop());

  const get = (path: string) => server.call('GET', path);
  const post = (path: string, body: unknown) => server.call('POST', path, { body });

  it.each(['after=zzz', 'after=1', 'after='])(
    '404 for a cursor that no list has: %s',
    async (query) => {
      const searched = await server.search({ user_input: { query: 'tides' } });
      const admin = await server.makeKey('main', ['admin']);
      for (const path of ['projects', 'keys', 'members']) {
        const answer = await server.call('GET', `/v1/admin/${path}?${query}`, { key: admin.key });
        expect([path, answer.status, answer.json.detail]).toEqual([
          ...[path, 404, 'after: this list has no such entry'],
        ]);
      }
      const session = `/v1/sessions/${searched.json.session_id}`;
      expect((await get(`/v1/watches?${query}`)).status).toBe(404);
      for (const path of ['history', 'trajectory']) {
        expect((await get(`${session}/${path}?after=${UNKNOWN}`)).status).toBe(404);
      }
    },
  );

  it('goes on by its order after an entry that is gone', async () => {
    const admin = await server.makeKey('main', ['admin']);
    const path = `/v1/admin/keys?after=${UNKNOWN.toUpperCase()}`;
    const { status, json } = await server.call('GET', path, { key: admin.key });
    expect([status, json.keys.every((key: { id: string }) => key.id > UNKNOWN)]).toEqual([
      200,
      true,
    ]);
  });

  it('lists a mistake in a list once', async () => {
    const quotes = { session_id: UNKNOWN, quotes: [{ text: 'a', foo: 1 }] };
    const verdicts = { results: [{ rank: 1, verdict: 'used', foo: 1 }] };
    for (const [path, body, list] of [
      ['/v1/verify', quotes, 'quotes'],
      [`/v1/interactions/${UNKNOWN}/feedback`, verdicts, 'results'],
    ] as const) {
      const { status, json } = await post(path, body);
      expect([status, json.detail]).toMatchObject([
        422,
        [{ type: 'extra_forbidden', loc: ['body', list, 0, 'foo'] }],
      ]);
      expect(json.detail).toHaveLength(1);
    }
  });

  it('says where the id of a session is found, and that none is needed only where that is so', async () => {
    const verify = await post('/v1/verify', { session_id: 'zzz', quotes: [{ text: 'a' }] });
    expect(verify.json.detail[0].hint).toBe('GET /v1/sessions lists the ids of sessions');
    const search = await post('/v1/search', { session_id: 'zzz', user_input: { query: 'tides' } });
    expect(search.json.detail[0].hint).toContain('leave session_id out');
  });

  it('names not_recorded to a program that searches with a replay key', async () => {
    const searched = await server.search({ user_input: { query: 'tides' } });
    const { key } = await issueKey(server.server.store.keys, systemClock, {
      projectId: server.projectId,
      name: 'offline',
      permissions: ['search'],
      expiresAt: null,
      replaySession: searched.json.session_id,
    });
    const answer = await server.call('POST', '/v1/search', {
      key,
      body: { user_input: { query: 'other' } },
    });
    expect([answer.status, answer.json]).toEqual([
      409,
      { detail: expect.stringContaining('no such request'), code: 'not_recorded' },
    ]);
  });

  it('counts a provider that could not be reached as failed, for a key with manage only', async () => {
    const env = { BRAVE_BASE_URL: 'http://127.0.0.1:1/x' };
    const own = await startTestServer({ database, env });
    onTestFinished(own.stop);
    const search = { providers: { include: ['brave'] }, fallback: 'off' };
    for (const query of ['a', 'b']) await own.search({ user_input: { query }, search });
    const braveFor = async (key: string) => {
      const { json } = await own.call('GET', '/v1/preprocessors', { key });
      return json.preprocessors.find(({ slug }: { slug: string }) => slug === 'brave');
    };
    expect((await braveFor(own.key)).figures).toEqual({
      ...{ hours: 24, asked: 2, not_sent: 0, failed: 2 },
    });
    await own.search({ user_input: { query: 'c' }, search: { providers: { include: ['exa'] } } });
    const { json } = await own.call('GET', '/v1/preprocessors', { key: own.key });
    const exa = json.preprocessors.find(({ slug }: { slug: string }) => slug === 'exa');
    expect(exa.figures).toMatchObject({ asked: 1, failed: 0, p50_ms: expect.any(Number) });
    const reading = await own.makeKey('main', ['read']);
    for (const key of [reading.key, 'tk_wrong']) {
      expect(await braveFor(key)).not.toHaveProperty('figures');
    }
  });

  it('shows what a vendor reports for a page that failed', async () => {
    const options = { providers: ['firecrawl'], tier: 'max' };
    const { json } = await server.fetch({ urls: [MISSING_PAGE], options });
    const [row] = json.preprocessor_runs[0].output_payload.fetched_results;
    expect(row).toMatchObject({
      status: 'failed',
      usage: { requests: 1, units: { credits: 5 }, cost_usd: 0.005 },
    });
    const usage = await get('/v1/usage?group_by=provider');
    const booked = usage.json.rows.find(
      (one: { provider: string }) => one.provider === 'firecrawl',
    );
    expect(booked.cost_usd).toBe(row.usage.cost_usd);
  });
});
