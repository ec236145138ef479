import { ROUTES } from '@trawl/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withoutHints } from '../support/without-hints.ts';
import { QUERY, runOf, type SpecServer, startSpecServer } from './support/server.ts';

let server: SpecServer;
beforeAll(async () => {
  server = await startSpecServer();
});
afterAll(() => server.stop());

const ID = 'a1b2c3d4-0000-4000-8000-00000000000f';
const options = (search: object) => ({ user_input: QUERY, search });

describe('7.2 the table', () => {
  test.each<[title: string, search: object, detail: () => string]>([
    [
      'unknown search.providers entry (the message lists the available ones)',
      { providers: { include: ['nope'] } },
      () => `search.providers.include: unknown provider "nope"; ${server.available}`,
    ],
    [
      'same provider in include and exclude',
      { providers: { include: ['exa', 'brave', 'exa'], exclude: ['exa', 'brave'] } },
      () => 'search.providers: exa, brave in both include and exclude; name it in one',
    ],
    [
      'override for a provider not in the request',
      { providers: { include: ['exa'] }, provider_overrides: { brave: {} } },
      () =>
        'search.provider_overrides: brave does not run in this request; add it to search.providers.include or leave its overrides out',
    ],
    [
      'contradictory options',
      { tier: 'default', fields: ['url'] },
      () => 'search: tier and fields exclude each other; send one of them',
    ],
  ])('7.2 400: %s', async (_title, search, detail) => {
    for (const path of ['/v1/search', '/v1/interactions']) {
      await server.expectRefusal(path, options(search), 400, detail());
    }
  });

  test('7.2 401: Missing API key, Invalid API key', async () => {
    for (const [key, detail] of [
      [null, 'Missing API key'],
      ['unknown', 'Invalid API key'],
    ] as const) {
      const answer = await server.refused('POST', '/v1/search', { body: options({}), key });
      expect([answer.status, withoutHints(answer.json)]).toEqual([401, { detail }]);
    }
  });

  test('7.2 403: key valid but not permitted', async () => {
    const { key } = await server.makeKey('main', ['read', 'fetch', 'manage']);
    const answer = await server.refused('POST', '/v1/search', { body: options({}), key });
    expect([answer.status, answer.json]).toEqual([
      403,
      { detail: 'This API key may not run searches: it lacks the permission "search"' },
    ]);
  });

  test('7.2 422: loc points at the field, for example body, search, tier', () => {
    const expected = "'minimalist', 'default', 'extended' or 'max'";
    return server.expectRefusal('/v1/search', options({ tier: 'huge' }), 422, [
      {
        type: 'literal_error',
        loc: ['body', 'search', 'tier'],
        msg: `Input should be ${expected}`,
        input: 'huge',
        ctx: { expected },
      },
    ]);
  });

  test('7.2 422: ctx is only there where Pydantic gives one', async () => {
    const body = { user_input: { query: 5 }, search: { num_results: 0 } };
    const { json } = await server.refused('POST', '/v1/search', { body });
    expect(json.detail.map((issue: object) => Object.keys(issue).sort())).toEqual([
      ['input', 'loc', 'msg', 'type'],
      ['ctx', 'input', 'loc', 'msg', 'type'],
    ]);
  });

  test('7.2 422: in a query string and a path, too', async () => {
    const answer = await server.refused('GET', '/v1/sessions/x/history?type=all&limit=1.5');
    expect(answer.status).toBe(422);
    expect(answer.json.detail.map(({ loc, type }: Record<string, unknown>) => [loc, type])).toEqual(
      [
        [['path', 'session_id'], 'uuid_parsing'],
        [['query', 'type'], 'literal_error'],
        [['query', 'limit'], 'int_parsing'],
      ],
    );
  });

  test('7.2 5xx: a store that does not answer is a 503 that says when to try again', async () => {
    const broken = await startSpecServer();
    try {
      expect((await broken.search({ user_input: QUERY })).status).toBe(200);
      const sent = broken.sandbox.calls.length;
      await broken.server.store.close();
      for (const answer of [
        await broken.call('GET', '/v1/sessions'),
        await broken.search({ user_input: QUERY, session_id: ID }),
      ]) {
        expect(answer.status).toBe(503);
        expect(answer.json).toEqual({ detail: expect.any(String) });
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      }
      expect(broken.sandbox.calls.length).toBe(sent);
    } finally {
      await broken.stop().catch(() => {});
    }
  });

  test('7.2 per-provider failures are failed runs in a 200', async () => {
    const some = await server.search({ user_input: { query: 'q [[exa:status=503]]' } });
    expect([some.status, some.json.status]).toEqual([200, 'partially_succeeded']);
    expect(runOf(some, 'exa')).toMatchObject({ status: 'failed', output_payload: null });
    expect(runOf(some, 'brave').status).toBe('succeeded');
    for (const fault of ['status=401', 'status=429', 'cut', 'not-json', 'wrong-shape']) {
      const all = await server.search({ user_input: { query: `q [[*:${fault}]]` } });
      expect([all.status, all.json.status]).toEqual([200, 'failed']);
    }
  });
});

describe('7.2 other refusals are in the same shape', () => {
  test.each([
    '/',
    '/v1',
    '/v1/',
    '/v1/search/',
    '/v1/Search',
    '/v2/search',
    '/v1/search/x',
    '//v1/search',
  ])('7.2 404: %s does not exist, with a key or without', async (path) => {
    for (const key of [server.key, null]) {
      const answer = await server.refused('POST', path, { body: options({}), key });
      expect([answer.status, withoutHints(answer.json)]).toEqual([404, { detail: 'Not Found' }]);
    }
  });

  test.each(Object.values(ROUTES).filter(({ errors }) => errors === 'detail'))(
    '7.2 405: $path only accepts its own methods',
    async ({ path }) => {
      const own = Object.values(ROUTES).filter((route) => route.path === path);
      const allowed = own.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        if (allowed.includes(method)) continue;
        const answer = await server.refused(method, path.replace('{session_id}', ID), {
          key: null,
        });
        const hint = `this path takes ${answer.headers.get('allow')}`;
        expect([answer.status, answer.json]).toEqual([405, { detail: 'Method Not Allowed', hint }]);
        expect(answer.headers.get('allow')?.split(', ').sort()).toEqual([...allowed].sort());
      }
    },
  );

  test.each([
    ['GET', `/v1/interactions?session_id=${ID}&interaction_id=${ID}`, 'Interaction not found'],
    ['GET', `/v1/sessions/${ID}/history`, 'Session not found'],
    ['GET', `/v1/sessions/${ID}/trajectory`, 'Session not found'],
    ['DELETE', `/v1/sessions/${ID}`, 'Session not found'],
  ])('7.2 404: %s %s with unknown ids', async (method, path, detail) => {
    const answer = await server.refused(method, path);
    expect([answer.status, answer.json]).toEqual([404, { detail }]);
  });

  test('7.2 404: a session of another project gets the same answer as an unknown one', async () => {
    const { key } = await server.makeKey('theirs');
    const { json } = await server.search({ user_input: QUERY }, { key });
    const target = `/v1/sessions/${json.session_id}`;
    for (const [method, path] of [
      ['GET', `${target}/history`],
      ['GET', `${target}/trajectory`],
      ['DELETE', target],
    ] as const) {
      const answer = await server.refused(method, path);
      expect([answer.status, answer.json]).toEqual([404, { detail: 'Session not found' }]);
    }
    expect((await server.call('GET', `${target}/history`, { key })).status).toBe(200);
  });

  test('7.2 every refusal is JSON, and may not be cached', async () => {
    for (const answer of [
      await server.refused('POST', '/v1/nothing'),
      await server.refused('GET', '/v1/search'),
      await server.refused('GET', '/v1/sessions', { key: null }),
      await server.refused('POST', '/v1/search', { body: {} }),
      await server.refused('POST', '/v1/search', { rawBody: 'x'.repeat(1_048_577) }),
    ]) {
      expect(answer.headers.get('content-type')).toBe('application/json');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('x-request-id')).toBeTruthy();
    }
  });
});
