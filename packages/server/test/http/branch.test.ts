import { RequestError } from '@trawl/router';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { ServerBranch } from '../../src/app/listen.ts';
import type { BranchRequest } from '../../src/http/branch.ts';

let server: TestServer;
let inputsRead = 0;

const admit = ({ request }: BranchRequest): void => {
  if (request.headers.get('cookie') !== 'session=1') throw new RequestError(401, 'Sign in first');
};

const COOKIES = ['a=1; Path=/club', 'b=2; Path=/club'];

/** Members of a club: one route that says what was sent, and the API below `as`. */
const branch: ServerBranch = {
  prefix: '/club/api',
  routes: {
    greet: {
      method: 'POST',
      path: '/club/api/members/{member}',
      status: 200,
      params: z.object({ member: z.string().max(5) }),
      query: z.object({ times: z.int().optional() }),
      body: z.object({ greeting: z.string() }),
    },
    leave: { method: 'DELETE', path: '/club/api/members/{member}', status: 204 },
  },
  passThrough: '/club/api/as/{project}',
  page: '/club/join',
  open: ({ store }, api) => ({
    answer: async (id, request, readInput) => {
      admit(request);
      if (id === 'leave') return { empty: true, cookies: COOKIES };
      const input = await readInput();
      inputsRead += 1;
      return { text: JSON.stringify(input), cookies: COOKIES };
    },
    pass: async (rest, request) => {
      admit(request);
      const key = (await store.keys.listKeys(request.params.project)).find(
        ({ name }) => name === 'main',
      );
      if (!key) throw new RequestError(404, 'Project not found');
      return api(new Request(`http://localhost${rest}`, request.request), {
        ...key,
        permissions: ['read'],
      });
    },
    page: async ({ request: { method } }, readBody) => {
      const body = method === 'POST' ? new TextDecoder().decode(await readBody()) : '';
      return new Response(`<p>${method} ${body}</p>`, { headers: { 'x-frame-options': 'DENY' } });
    },
    close: async () => {},
  }),
};

beforeAll(async () => {
  server = await startTestServer({ branches: [branch] });
});
afterAll(() => server.stop());

const SIGNED_IN = { cookie: 'session=1' };

test('a branch validates like the API, and says all faults at once', async () => {
  const good = await server.call('POST', '/club/api/members/ada?times=2', {
    headers: SIGNED_IN,
    body: { greeting: 'hello' },
  });
  expect(good.json).toEqual({
    params: { member: 'ada' },
    query: { times: 2 },
    body: { greeting: 'hello' },
  });
  const bad = await server.call('POST', '/club/api/members/robert?times=x', {
    headers: SIGNED_IN,
    body: { greeting: 5 },
  });
  expect(bad.status).toBe(422);
  expect(bad.json.detail.map(({ loc }: { loc: unknown }) => loc)).toEqual([
    ['path', 'member'],
    ['query', 'times'],
    ['body', 'greeting'],
  ]);
});

test('an API key does not open a branch, and what a stranger sends is not read', async () => {
  const before = inputsRead;
  const refused = await server.call('POST', '/club/api/members/ada', { body: { greeting: 5 } });
  expect([refused.status, refused.json]).toEqual([401, { detail: 'Sign in first' }]);
  expect(inputsRead).toBe(before);
});

test.each([
  ['without a body', 'DELETE', undefined, 204],
  ['with a body', 'POST', { greeting: 'hello' }, 200],
  ['with a body that is too large for one piece', 'POST', { greeting: 'x'.repeat(100_000) }, 200],
])('every cookie of an answer %s is set', async (_name, method, body, status) => {
  const headers = SIGNED_IN;
  const answer = await server.call(method, '/club/api/members/ada', { headers, body });
  expect(answer.status).toBe(status);
  expect(answer.json?.body).toEqual(body);
  expect(answer.headers.getSetCookie()).toEqual(COOKIES);
});

test('a request that is passed on has the permissions that the branch gives it, and its own id', async () => {
  const path = `/club/api/as/${server.projectId}/v1/sessions`;
  const headers = { ...SIGNED_IN, 'x-request-id': 'seen-twice' };
  const read = await server.call('GET', path, { key: null, headers });
  expect([read.status, read.json]).toEqual([200, { sessions: [] }]);
  expect(read.headers.get('x-request-id')).toBe('seen-twice');
  const searched = await server.call('POST', `/club/api/as/${server.projectId}/v1/search`, {
    key: null,
    headers,
    body: { user_input: { query: 'tides' } },
  });
  expect([searched.status, searched.json.detail]).toEqual([
    403,
    expect.stringContaining('"search"'),
  ]);
});

test('what is not in the table is refused in the form of every error', async () => {
  const unknown = await server.call('GET', '/club/api/nothing', { headers: SIGNED_IN });
  expect([unknown.status, unknown.json.detail]).toEqual([404, 'Not Found']);
  const method = await server.call('GET', '/club/api/members/ada', { headers: SIGNED_IN });
  expect([method.status, method.headers.get('allow')]).toEqual([405, 'POST, DELETE']);
  const foreign = await server.call('DELETE', '/club/api/members/ada', {
    headers: { ...SIGNED_IN, origin: 'https://evil.example' },
  });
  expect(foreign.status).toBe(403);
});

test('serves its page with the headers of every answer, and takes its form', async () => {
  const shown = await server.call('GET', '/club/join', { key: null });
  expect([shown.status, shown.text]).toEqual([200, '<p>GET </p>']);
  expect(shown.headers.get('x-content-type-options')).toBe('nosniff');
  const sent = await server.call('POST', '/club/join', { key: null, rawBody: 'name=Ada' });
  expect(sent.text).toBe('<p>POST name=Ada</p>');
  const foreign = await server.call('POST', '/club/join', {
    key: null,
    rawBody: 'x',
    headers: { origin: 'https://evil.example' },
  });
  expect(foreign.status).toBe(403);
});
