import { createOutageLog, jsonText } from '@trawl/base';
import { RequestError } from '@trawl/router';
import { collectingLog } from '@trawl/test-support/collecting-log';
import { describe, expect, it } from 'vitest';
import { AUTHORIZED, get, KEY, post, testApp } from './app.ts';

const SEARCH = { user_input: { query: 'q' } };
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
          return { text: jsonText({}) };
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

describe('repeated failures', () => {
  const failures: [name: string, make: () => Error, cause: RegExp][] = [
    [
      'a store that does not answer',
      () => new RequestError(503, 'The store cannot be read.', { cause: new Error('refused') }),
      /^503 Error$/,
    ],
    ['an internal error', () => new TypeError('unexpected'), /^500 search TypeError at /],
  ];

  it.each(failures)(
    '%s: logged once with its stack, then as a count',
    async (_name, make, cause) => {
      const { app, lines, outages } = countedApp(make);
      for (let sent = 0; sent < 50; sent += 1) await post(app, '/v1/search', SEARCH);
      outages.flush();
      const warnings = lines.filter(({ msg }) => msg !== 'request');
      expect(warnings).toHaveLength(2);
      const [first, counted] = warnings;
      expect(first).toMatchObject({ cause: expect.stringMatching(cause), route: 'search' });
      expect(JSON.stringify(first)).toContain('"stack"');
      expect(counted).toMatchObject({ cause: expect.stringMatching(cause), count: 49 });
      expect(JSON.stringify(counted)).not.toContain('"stack"');
    },
  );

  it('a refusal with numbers in its text is one cause, without a stack', async () => {
    let active = 0;
    const make = () => {
      active += 1;
      return new RequestError(503, `This API key has ${active} requests in progress`);
    };
    const { app, lines, outages } = countedApp(make);
    for (let sent = 0; sent < 5; sent += 1) await post(app, '/v1/search', SEARCH);
    outages.flush();
    const warnings = lines.filter(({ msg }) => msg !== 'request');
    expect(warnings.map(({ count }) => count)).toEqual([undefined, 4]);
    expect(JSON.stringify(warnings)).not.toContain('stack');
  });

  it('a pinned fetch whose providers failed is one short line', async () => {
    const { app, lines } = countedApp(() => new RequestError(502, 'no page was reached'));
    await post(app, '/v1/fetch', { urls: ['https://example.com/'] });
    const [warning] = lines.filter(({ msg }) => msg !== 'request');
    expect(warning).toMatchObject({ level: 40, cause: '502 provider_unavailable', route: 'fetch' });
    expect(JSON.stringify(warning).length).toBeLessThan(300);
  });

  it('an error that ends events is counted too', async () => {
    const make = () => new RequestError(503, 'cannot be recorded', { cause: new Error('full') });
    const { log, lines } = collectingLog();
    const outages = createOutageLog({ log, now: () => 0 });
    const { app } = testApp({
      log,
      outages,
      handlers: {
        search: async (_input, { reportFailure }) => {
          reportFailure(make());
          return { text: jsonText({}) };
        },
      },
    });
    for (let sent = 0; sent < 9; sent += 1) await post(app, '/v1/search', SEARCH);
    outages.flush();
    const warnings = lines.filter(({ msg }) => msg !== 'request');
    expect(warnings.map(({ count }) => count)).toEqual([undefined, 8]);
  });
});

/** Search and fetch fail; the clock does not move. */
function countedApp(make: () => Error) {
  const { log, lines } = collectingLog();
  const outages = createOutageLog({ log, now: () => 0 });
  const fail = async () => {
    throw make();
  };
  const { app } = testApp({ log, outages, handlers: { search: fail, fetch: fail } });
  return { app, lines, outages };
}
