import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, startTestServer, type TestServer } from '../support/harness.ts';

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

  test('lets concurrent twins wait for the first', async () => {
    const body = search('twin whale song [[exa:latency=200]]');
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => server.search(body, withKey('k-twins'))),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(new Set(answers.map(({ json }) => json.interaction_id)).size).toBe(1);
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

  test('takes the same members in another order for the same body', async () => {
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

  test('a request that was refused before paying may be repeated, mended', async () => {
    const refused = await server.search({ search: {} }, withKey('k-3'));
    expect(refused.status).toBe(422);
    const mended = await server.search(search('mended'), withKey('k-3'));
    expect(mended.status).toBe(200);
  });

  test('is another one for each API key', async () => {
    const other = await server.makeKey('elsewhere');
    const body = search('one key each');
    const mine = await server.search(body, withKey('k-4'));
    const theirs = await server.search(body, { ...withKey('k-4'), key: other.key });
    expect(theirs.json.interaction_id).not.toBe(mine.json.interaction_id);
  });

  test('repeats a fetch, a failed one included', async () => {
    const lost = {
      urls: [`https://news.example.com/lost?q=${encodeURIComponent('[[exa:status=500]]')}`],
      options: { providers: ['exa'] },
    };
    const first = await server.fetch(lost, withKey('k-5'));
    const again = await server.fetch(lost, withKey('k-5'));
    expect([first.status, again.status]).toEqual([502, 502]);
    expect(again.json).toEqual(first.json);
  });

  test('the work goes on when its client leaves, and the repetition gets it', async () => {
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
  });
});
