import { describe, expect, it } from 'vitest';
import { AUTHORIZED, get, KEY, post, testApp } from './app.ts';

const ID = 'a1b2c3d4-0000-4000-8000-00000000000f';

describe('each request is one log line', () => {
  it('of id, method, route, status, latency, key and project', async () => {
    let now = 1_000;
    const clock = { now: () => now, newId: () => 'new' };
    const { app, lines } = testApp({
      clock,
      handlers: {
        search: async () => {
          now += 250;
          return { json: {} };
        },
      },
    });
    await post(app, '/v1/search', { user_input: { query: 'q' } }, { 'x-request-id': 'mine' });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toEqual({
      level: 30,
      time: expect.any(Number),
      msg: 'request',
      request_id: 'mine',
      method: 'POST',
      route: 'search',
      status: 200,
      latency_ms: 250,
      key_id: 'key-1',
      project_id: 'project-1',
    });
  });

  it.each<[string, RequestInit, object]>([
    ['/nothing', {}, { route: null, status: 404, key_id: null, project_id: null }],
    ['/v1/search', { method: 'PUT' }, { route: null, method: 'PUT', status: 405 }],
    ['/v1/sessions', {}, { route: 'listSessions', status: 401, key_id: null }],
    ['/v1/preprocessors', { method: 'HEAD' }, { route: 'preprocessors', method: 'HEAD' }],
    [
      `/v1/sessions/${ID}/history?type=x`,
      { headers: AUTHORIZED },
      { route: 'sessionHistory', status: 422, key_id: 'key-1' },
    ],
  ])('also for %s', async (path, init, line) => {
    const { app, lines } = testApp();
    await app.request(path, init);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject(line);
  });

  it('without queries, paths, headers, bodies or keys', async () => {
    const { app, lines } = testApp({
      handlers: {
        createInteraction: async () => {
          throw new Error('unexpected');
        },
      },
    });
    const secret = 'sEcReT';
    await get(app, `/v1/sessions/${ID}/history?after=${secret}`, { ...AUTHORIZED, cookie: secret });
    await get(app, `/${secret}`);
    await get(app, '/v1/sessions', { authorization: `Bearer ${secret}` });
    await post(app, '/v1/search', { user_input: { query: secret }, search: { [secret]: secret } });
    await post(app, '/v1/interactions', { user_input: { query: secret } });
    const text = JSON.stringify(lines);
    expect(lines.length).toBeGreaterThan(5);
    expect(text).not.toContain(secret);
    expect(text).not.toContain(KEY);
    expect(text).not.toContain(ID);
  });
});
