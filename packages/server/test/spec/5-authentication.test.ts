import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '@trawl/base';
import {
  ADMIN_ROUTES,
  type KeyPermission,
  PERMISSIONS,
  ROUTES,
  type Route,
  type RouteId,
  WATCH_ROUTES,
} from '@trawl/contract';
import type { Answer, Request } from '@trawl/test-support/harness';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueKey } from '../../src/admin/key-admin.ts';
import { withoutHints } from '../support/without-hints.ts';
import { QUERY, type SpecServer, startSpecServer } from './support/server.ts';

let server: SpecServer;
beforeAll(async () => {
  server = await startSpecServer();
});
afterAll(() => server.stop());

const ID = 'a1b2c3d4-0000-4000-8000-00000000000f';
const targetOf = (id: RouteId) => {
  const { path } = ROUTES[id];
  if (id === 'readInteraction') return `${path}?session_id=${ID}&interaction_id=${ID}`;
  return path.replace(/\{\w+\}/, ID);
};
const BODIES: Partial<Record<RouteId, object>> = {
  search: { user_input: QUERY },
  fetch: { urls: ['https://a.example/'] },
  // with pages it needs the permission to fetch too
  context: { query: 'tides', max_pages: 0 },
};
const request = (id: RouteId, more: Request): [method: string, target: string, Request] => {
  const { method } = ROUTES[id];
  return [method, targetOf(id), method === 'POST' ? { body: BODIES[id] ?? {}, ...more } : more];
};

const all = Object.keys(ROUTES) as RouteId[];
const guarded = all.filter((id) => ROUTES[id].permission !== null);
const open = all.filter((id) => ROUTES[id].permission === null);
const rosters: RouteId[] = ['preprocessors', 'fetchProviders'];

/** The scheme, and the form of the header. */
const CHALLENGE = /^Bearer .*Authorization: Bearer <API key>"$/;

/** The refusal of a key, in the style of the route. */
function expectKeyRefused(id: RouteId, answer: Answer, status: number, detail: unknown): void {
  expect(answer.status).toBe(status);
  const code = status === 401 ? 'unauthorized' : 'forbidden';
  const typed = id === 'fetch' ? { error: { code, message: answer.json.detail } } : {};
  expect(withoutHints(answer.json)).toEqual({ detail, ...typed });
  const challenge = answer.headers.get('www-authenticate');
  if (status === 401) expect(challenge).toMatch(CHALLENGE);
  else expect(challenge).toBeNull();
}

describe('5.1 the header', () => {
  test('5.1 every endpoint of the contract except the two rosters needs a key', () => {
    const under = all.filter((id) => ROUTES[id].path.startsWith('/v1/'));
    expect(under.filter((id) => ROUTES[id].permission === null)).toEqual(rosters);
  });

  test.each(guarded)('5.1 %s: without the header it is refused', async (id) => {
    const answer = await server.refused(...request(id, { key: null }));
    expectKeyRefused(id, answer, 401, 'Missing API key');
  });

  test.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])(
    '5.1 Authorization: %s <API_KEY> is the only accepted form',
    async (scheme) => {
      const headers = { authorization: `${scheme} ${server.key}` };
      expect((await server.call('GET', '/v1/sessions', { key: null, headers })).status).toBe(200);
    },
  );

  test.each([
    ['X-Api-Key', { 'x-api-key': 'KEY' }],
    ['a cookie', { cookie: 'api_key=KEY; authorization=Bearer KEY' }],
    ['Proxy-Authorization', { 'proxy-authorization': 'Bearer KEY' }],
  ])('5.1 %s does not count as a key', async (_title, template) => {
    const headers = JSON.parse(JSON.stringify(template).replaceAll('KEY', server.key));
    const answer = await server.call('GET', '/v1/sessions', { key: null, headers });
    expectKeyRefused('listSessions', answer, 401, 'Missing API key');
  });

  test('5.1 a key in the query string is ignored', async () => {
    const target = `/v1/sessions?api_key=${server.key}&authorization=Bearer%20${server.key}`;
    const answer = await server.call('GET', target, { key: null });
    expectKeyRefused('listSessions', answer, 401, 'Missing API key');
  });

  test.each(open)('5.1 %s needs no key and ignores one', async (id) => {
    const plain = await server.call(...request(id, { key: null }));
    expect(plain.status).toBe(200);
    // one that may manage its project gets figures too
    const { key: own } = await server.makeKey('main', ['search', 'fetch', 'read']);
    for (const key of ['unknown', '', own, 'x'.repeat(4_000)]) {
      const answer = await server.call(...request(id, { key }));
      expect(answer.json).toEqual(plain.json);
    }
  });
});

describe('5.2 keys', () => {
  test('5.2 a key belongs to a project and sees only that project', async () => {
    const [mine, theirs] = [await server.makeKey('mine'), await server.makeKey('others')];
    const same = await server.makeKey('mine');
    const { json } = await server.search({ user_input: QUERY }, { key: mine.key });
    const { session_id, interaction_id } = json;
    const targets = [
      `/v1/interactions?session_id=${session_id}&interaction_id=${interaction_id}`,
      `/v1/sessions/${session_id}/history`,
      `/v1/sessions/${session_id}/trajectory`,
    ];
    for (const target of targets) {
      expect((await server.call('GET', target, { key: same.key })).status).toBe(200);
      expect((await server.call('GET', target, { key: theirs.key })).status).toBe(404);
    }
    const list = await server.call('GET', '/v1/sessions', { key: theirs.key });
    expect(list.json).toEqual({ sessions: [] });
  });

  test('5.2 a key is tk_ and 32 bytes in base 62, and never stored in plain text', async () => {
    const { key } = await server.makeKey('stored');
    expect(key).toMatch(/^tk_[0-9A-Za-z]{43}$/);
    expect((await server.call('GET', '/v1/sessions', { key })).status).toBe(200);
    const { dataDir } = server.database.location;
    const files = readdirSync(dataDir).map((name) => readFileSync(join(dataDir, name), 'latin1'));
    expect(files.join('')).toContain(key.slice(-4));
    expect(files.join('')).not.toContain(key);
    expect(server.logged()).not.toContain(key);
  });

  test('5.2 not for browsers: no CORS headers, no preflight', async () => {
    const headers = { origin: 'https://a.example', 'access-control-request-method': 'POST' };
    const answers = [
      await server.call('OPTIONS', '/v1/search', { headers, key: null }),
      await server.search({ user_input: QUERY }, { headers }),
      await server.call('GET', '/v1/preprocessors', { headers }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([405, 200, 200]);
    for (const answer of answers) {
      const names = [...answer.headers.keys()];
      expect(names.filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });
});

describe('5.3 a wrong key', () => {
  test.each([
    ['an empty token', 'Bearer '],
    ['no token', 'Bearer'],
    ['blanks', 'Bearer  \t '],
    ['another scheme', 'Basic KEY'],
    ['only the key', 'KEY'],
    ['a scheme that only begins with Bearer', 'BearerKEY'],
    ['an empty header', ''],
  ])('5.3 %s: Missing API key', async (_title, template) => {
    const authorization = template.replace('KEY', server.key);
    const answer = await server.raw('/v1/sessions', { method: 'GET', headers: { authorization } });
    expect(answer.status).toBe(401);
    expect(withoutHints(JSON.parse(answer.text))).toEqual({ detail: 'Missing API key' });
    expect(answer.headers['www-authenticate']).toMatch(CHALLENGE);
  });

  test.each([
    ['unknown', 'tk_nobody'],
    ['cut', 'CUT'],
    ['in another case', 'LOWER'],
    ['twice', 'KEY KEY'],
    ['with a prefix', 'Bearer KEY'],
    ['in quotes', '"KEY"'],
    ['not ASCII', 'é'],
    ['of 8 KB', 'x'.repeat(8_192)],
    ['an SQL text', "' or 1=1 --"],
  ])('5.3 %s: Invalid API key', async (_title, template) => {
    const key = template
      .replace('CUT', server.key.slice(0, -1))
      .replace('LOWER', server.key.toLowerCase())
      .replaceAll('KEY', server.key);
    for (const id of ['search', 'fetch', 'listSessions'] as const) {
      const answer = await server.refused(...request(id, { key }));
      expectKeyRefused(id, answer, 401, 'Invalid API key');
    }
  });

  test('5.3 revoked: Invalid API key, within a second', async () => {
    // The second key is revoked just after the change of the first was noticed: it has the longest
    // wait.
    for (const _round of [1, 2]) {
      const { id, key } = await server.makeKey('revoked');
      const read = () => server.call('GET', '/v1/sessions', { key });
      expect((await read()).status).toBe(200);
      const revokedAt = performance.now();
      await server.server.store.keys.revokeKey(id, new Date().toISOString());
      await expect.poll(async () => (await read()).status, { interval: 10 }).toBe(401);
      expect(performance.now() - revokedAt).toBeLessThan(1_000);
      const body = { user_input: QUERY };
      const answer = await server.refused('POST', '/v1/search', { body, key });
      expectKeyRefused('search', answer, 401, 'Invalid API key');
    }
  });

  test('5.3 expired: Invalid API key, from its expiry on', async () => {
    const expiring = async (expiresAt: number) => {
      const wanted = { name: 'x', permissions: PERMISSIONS, projectId: server.projectId };
      const { key } = await issueKey(server.server.store.keys, systemClock, {
        ...wanted,
        expiresAt: new Date(expiresAt).toISOString(),
      });
      return () => server.call('GET', '/v1/sessions', { key });
    };
    const over = await expiring(Date.now() - 1);
    expectKeyRefused('listSessions', await over(), 401, 'Invalid API key');
    const end = Date.now() + 400;
    const soon = await expiring(end);
    expect((await soon()).status).toBe(200);
    await expect.poll(async () => (await soon()).status, { interval: 10 }).toBe(401);
    expect(Date.now()).toBeGreaterThanOrEqual(end);
    expect(Date.now() - end).toBeLessThan(1_000);
  });
});

describe('5.4 permissions', () => {
  const texts: Record<KeyPermission, string> = {
    search: 'This API key may not run searches: it lacks the permission "search"',
    fetch: 'This API key may not execute fetches: it lacks the permission "fetch"',
    read: 'This API key may not read interactions, sessions or usage: it lacks the permission "read"',
    manage: 'This API key may not manage this project: it lacks the permission "manage"',
    admin: 'This API key may not use the operator API: it lacks the permission "admin"',
  };
  const wanted: Record<string, KeyPermission> = {
    search: 'search',
    fetch: 'fetch',
    context: 'search',
    createInteraction: 'search',
    readInteraction: 'read',
    replay: 'search',
    diff: 'read',
    verify: 'read',
    giveFeedback: 'search',
    readFeedback: 'read',
    listSessions: 'read',
    sessionHistory: 'read',
    sessionTrajectory: 'read',
    usage: 'read',
    deleteSession: 'manage',
    probe: 'manage',
    providerHealth: 'manage',
    resetProviderHealth: 'manage',
    ...Object.fromEntries(Object.keys(WATCH_ROUTES).map((id) => [id, 'manage'])),
    ...Object.fromEntries(Object.keys(ADMIN_ROUTES).map((id) => [id, 'admin'])),
  };

  test('5.4 every endpoint needs its own permission', () => {
    expect(Object.fromEntries(guarded.map((id) => [id, ROUTES[id].permission]))).toEqual(wanted);
  });

  test.each(guarded)('5.4 %s: a key with all other permissions is a 403', async (id) => {
    const permission = wanted[id] ?? 'manage';
    // manage includes read
    const others = PERMISSIONS.filter(
      (one) => one !== permission && !(permission === 'read' && one === 'manage'),
    );
    const { key } = await server.makeKey('main', others);
    const answer = await server.refused(...request(id, { key }));
    expectKeyRefused(id, answer, 403, texts[permission]);
  });

  test('5.4 manage includes read', async () => {
    const { key } = await server.makeKey('main', ['manage']);
    for (const id of guarded.filter((one) => wanted[one] === 'read')) {
      const answer = await server.call(...request(id, { key }));
      expect([401, 403]).not.toContain(answer.status);
    }
    for (const id of ['search', 'fetch'] as const) {
      expectKeyRefused(id, await server.refused(...request(id, { key })), 403, texts[id]);
    }
  });

  test.each(guarded)('5.4 %s: a key without permissions is a 403', async (id) => {
    const { key } = await server.makeKey('main', []);
    const answer = await server.refused(...request(id, { key }));
    expectKeyRefused(id, answer, 403, texts[wanted[id] ?? 'manage']);
  });

  test.each(guarded)('5.4 %s: its own permission is enough', async (id) => {
    const route: Route = ROUTES[id];
    const needed = [wanted[id] ?? 'manage', route.alsoNeeds ?? []].flat();
    const { key } = await server.makeKey('main', needed);
    const answer = await server.call(...request(id, { key }));
    expect([401, 403]).not.toContain(answer.status);
  });
});
