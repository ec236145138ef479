import { type Clock, systemClock } from '@trawl/base';
import { databasePath } from '@trawl/database';
import { openSqlite } from '@trawl/database/sqlite';
import { createIdempotency, RequestError, requestRepeat } from '@trawl/router';
import { repeatsOfOneServer } from '@trawl/router/testing';
import { type Answer, startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const search = (query: string) => ({
  user_input: { query },
  search: { providers: { include: ['exa', 'brave'] } },
});
const withKey = (key: string) => ({ headers: { 'idempotency-key': key } });
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** A search as the server distinguishes it from others. */
const repeatable = (key: string, body: unknown) => ({
  projectId: server.projectId,
  keyId: server.keyId,
  repeat: requestRepeat(key, 'search', body, 'detail'),
  signal: new AbortController().signal,
});
const idempotencyAt = (clock: Clock, ready = async () => {}) => {
  const { reader } = server.server.store;
  return createIdempotency({ reader, claims: repeatsOfOneServer(reader, { ready }, clock) });
};
const callsOf = (text: string) =>
  server.sandbox.calls.filter((call) => JSON.stringify(call).includes(text)).length;

describe('Idempotency-Key', () => {
  test('gives the same answer again without asking or paying twice', async () => {
    const body = search('repeated whale song');
    const first = await server.search(body, withKey('k-1'));
    const again = await server.search(body, withKey('k-1'));
    expect(first.status).toBe(200);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.text).toBe(first.text);
    expect(callsOf('repeated whale song') + callsOf('repeated+whale+song')).toBe(2);
  });

  test('makes concurrent equal requests wait for the first', async () => {
    const body = search('twin whale song [[exa:latency=200]]');
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => server.search(body, withKey('k-twins'))),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(new Set(answers.map(({ json }) => json.interaction_id)).size).toBe(1);
  });

  test('is free for another request when the refusal of the first is answered', async () => {
    let release = () => {};
    const claims = {
      claim: async () => ({
        kind: 'granted' as const,
        leaseId: 'lease',
        leave: () => {},
        release: () =>
          new Promise<void>((resolve) => {
            release = resolve;
          }),
      }),
    };
    const idempotency = createIdempotency({ reader: server.server.store.reader, claims });
    const refuse = () => Promise.reject(new RequestError(400, 'no such provider'));
    let isAnswered = false;
    const refused = idempotency
      .once(repeatable('k-refused', {}), 'detail', refuse, () => undefined)
      .catch(() => {
        isAnswered = true;
      });
    await new Promise(setImmediate);
    expect(isAnswered).toBe(false);
    release();
    await refused;
    expect(isAnswered).toBe(true);
  });

  test('refuses another body under the same key, in the style of the route', async () => {
    await server.search(search('one'), withKey('k-2'));
    const other = await server.search(search('two'), withKey('k-2'));
    expect([other.status, other.json.detail[0].type, other.json.detail[0].loc]).toEqual([
      422,
      'value_error',
      ['header', 'idempotency-key'],
    ]);
    const urls = { urls: ['https://news.example.com/page-of-k2'] };
    const fetched = await server.fetch(urls, withKey('k-2'));
    expect([fetched.status, fetched.json.error.code, fetched.json.error.param]).toEqual([
      422,
      'invalid_request',
      'Idempotency-Key',
    ]);
  });

  test('refuses the same body under the same key on another route', async () => {
    const body = search('one whale, two routes');
    expect((await server.search(body, withKey('k-route'))).status).toBe(200);
    const other = await server.call('POST', '/v1/interactions', { body, ...withKey('k-route') });
    expect([other.status, other.json.detail?.[0]?.loc]).toEqual([
      422,
      ['header', 'idempotency-key'],
    ]);
  });

  test('treats the same members in another order as the same body', async () => {
    const search = '"search":{"providers":{"include":["exa"]}}';
    const query = '"user_input":{"query":"ordered whale song"}';
    const send = (rawBody: string) =>
      server.call('POST', '/v1/search', { rawBody, ...withKey('k-order') });
    const first = await send(`{${query},${search},"metadata":{"a":1,"b":{"c":[1,2],"d":3}}}`);
    const again = await send(`{"metadata":{"b":{"d":3,"c":[1,2]},"a":1},${search},${query}}`);
    expect([first.status, again.text]).toEqual([200, first.text]);
    const other = await send(`{${query},${search},"metadata":{"a":1,"b":{"c":[2,1],"d":3}}}`);
    expect(other.status).toBe(422);
  });

  test.each([' ', 'with space', 'k'.repeat(256)])('refuses the key %j', async (key) => {
    const answer = await server.search(search('x'), { headers: { 'idempotency-key': key } });
    expect(answer.status).toBe(422);
  });

  test('a request that was refused before paying may be repeated with a fixed body', async () => {
    const refused = await server.search({ search: {} }, withKey('k-3'));
    expect(refused.status).toBe(422);
    const fixed = await server.search(search('fixed'), withKey('k-3'));
    expect(fixed.status).toBe(200);
  });

  test('can be used again after a request that was refused at its start, and after one that failed', async () => {
    const unknown = {
      user_input: { query: 'freed' },
      search: { providers: { include: ['nope'] } },
    };
    expect((await server.search(unknown, withKey('k-8'))).status).toBe(400);
    const body = search('freed whale song');
    const fixed = await server.search(body, withKey('k-8'));
    expect([fixed.status, fixed.headers.get('idempotency-replayed')]).toEqual([200, null]);
  });

  test('can be used again after a fault of the server: the same request is executed again', async () => {
    const { once } = idempotencyAt(systemClock);
    const request = repeatable('k-9', search('after a fault'));
    const fault = () => Promise.reject(new RequestError(503, 'the store does not answer'));
    await expect(once(request, 'detail', fault, () => 'replayed')).rejects.toThrow(RequestError);
    expect(
      await once(
        request,
        'detail',
        async () => 'executed',
        () => 'replayed',
      ),
    ).toEqual({
      answer: 'executed',
      isRepeat: false,
    });
  });

  test('while the store cannot be written, what was recorded is repeated, and nothing else executed', async () => {
    const body = search('before the fault');
    const first = await server.search(body, withKey('k-before'));
    const refused = new RequestError(503, 'nothing was sent');
    const { once } = idempotencyAt(systemClock, () => Promise.reject(refused));
    const again = (key: string) =>
      once(
        repeatable(key, body),
        'detail',
        async () => 'executed',
        ({ id }) => id,
      );
    expect(await again('k-before')).toEqual({ answer: first.json.interaction_id, isRepeat: true });
    await expect(again('k-after')).rejects.toBe(refused);
  });

  test.each([
    ['23 h 59 min later it is replayed', 24 * HOUR_MS - MINUTE_MS, true],
    ['after 24 hours it is executed again', 24 * HOUR_MS + MINUTE_MS, false],
  ])('is valid for 24 hours: %s', async (title, laterMs, isRepeat) => {
    const key = `k-${laterMs}`;
    const body = search(title);
    const first = await server.search(body, withKey(key));
    const answeredAt = Date.parse(first.json.created_at);
    const clock = { ...systemClock, now: () => answeredAt + laterMs };
    const { once } = idempotencyAt(clock);
    const again = await once(
      repeatable(key, body),
      'detail',
      async () => 'executed',
      ({ id }) => id,
    );
    const answer = isRepeat ? first.json.interaction_id : 'executed';
    expect(again).toEqual({ answer, isRepeat });
  });

  test('is separate for each API key', async () => {
    const other = await server.makeKey('elsewhere');
    const body = search('one key each');
    const mine = await server.search(body, withKey('k-4'));
    const theirs = await server.search(body, { ...withKey('k-4'), key: other.key });
    expect(theirs.json.interaction_id).not.toBe(mine.json.interaction_id);
  });

  test('repeats a fetch, even a failed one', async () => {
    const lost = {
      urls: [`https://news.example.com/lost?q=${encodeURIComponent('[[exa:status=500]]')}`],
      options: { providers: ['exa'] },
    };
    const first = await server.fetch(lost, withKey('k-5'));
    const again = await server.fetch(lost, withKey('k-5'));
    expect([first.status, again.status]).toEqual([502, 502]);
    expect(again.json).toEqual(first.json);
  });

  test('the work continues when its client leaves, and the repetition gets its answer', async () => {
    const body = search('left alone [[exa:latency=300]]');
    const controller = new AbortController();
    const asked = server
      .search(body, { ...withKey('k-6'), signal: controller.signal })
      .catch((error: unknown) => error);
    await expect.poll(() => callsOf('left alone')).toBeGreaterThan(0);
    controller.abort();
    await asked;
    const again: Answer = await server.search(body, withKey('k-6'));
    expect([again.status, again.json.status]).toEqual([200, 'succeeded']);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  test('replays as a stream too', async () => {
    const body = search('streamed again');
    await server.search(body, withKey('k-7'));
    const stream = await server.search(body, {
      headers: { ...withKey('k-7').headers, accept: 'text/event-stream' },
    });
    const names = [...stream.text.matchAll(/^event: (\w+)$/gm)].map(([, name]) => name);
    expect(names).toEqual(['run', 'run', 'done']);
    expect(stream.headers.get('idempotency-replayed')).toBe('true');
  });
});

describe.concurrent('work that takes two seconds', () => {
  let full: TestServer;
  let late: TestServer;
  beforeAll(async () => {
    full = await startTestServer({ env: { MAX_ACTIVE_REQUESTS: '1' } });
    late = await startTestServer({ env: { REQUEST_DEADLINE_MS: '2000' } });
  });
  afterAll(async () => {
    await full.stop();
    await late.stop();
  });

  test('keeps its place without its client until it ends', async ({ expect }) => {
    const controller = new AbortController();
    const body = search('still counted [[exa:latency=2000]]');
    const asked = full
      .search(body, { ...withKey('k-8'), signal: controller.signal })
      .catch((error: unknown) => error);
    await expect.poll(() => full.sandbox.calls.length).toBeGreaterThan(0);
    controller.abort();
    await asked;
    await expect
      .poll(async () => (await full.search(search('another'))).status, { timeout: 20_000 })
      .toBe(200);
    const { json } = await full.call('GET', '/v1/sessions');
    expect(json.sessions).toHaveLength(2);
  });

  test('that is not recorded in time is not done twice: a repeat waits for its record, and pays nothing', async ({
    onTestFinished,
  }) => {
    const writer = openSqlite(databasePath(late.database.location.dataDir));
    onTestFinished(() => writer.close());
    const body = { user_input: { query: 'late' }, search: { providers: { include: ['exa'] } } };
    writer.prepare('begin immediate').run([]);
    const first = await late.search(body, withKey('k-late'));
    expect([first.status, first.json.detail]).toEqual([
      503,
      expect.stringMatching(/did not record the answer in time.+Idempotency-Key/),
    ]);
    const repeating = late.search(body, withKey('k-late'));
    // it is answered after a while: the repeat has come, and waits
    expect((await late.call('GET', '/readyz')).status).toBe(503);
    writer.prepare('rollback').run([]);
    const repeated = await repeating;
    expect([repeated.status, repeated.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    expect(late.sandbox.calls).toHaveLength(1);
    const { json } = await late.call('GET', '/v1/sessions');
    expect(json.sessions).toHaveLength(1);
  });
});
