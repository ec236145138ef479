import { randomUUID } from 'node:crypto';
import {
  type Browser,
  type ConsoleServer,
  startConsoleServer,
} from '@trawl/test-support/console-server';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

const SEARCH = {
  user_input: { query: 'tidal power' },
  search: { providers: { include: ['exa'] } },
};

let server: ConsoleServer;
let admin: Browser;
beforeAll(async () => {
  server = await startConsoleServer();
  admin = await server.person('admin');
});
afterAll(() => server.stop());
beforeEach(() => server.sandbox.clearCalls());

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  admin.call('POST', server.path(`/v1${path}`), { body, headers });

it('a search of the console that is sent again with its Idempotency-Key is paid once', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const first = await post('/search', SEARCH, headers);
  const again = await post('/search', SEARCH, headers);
  expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([200, null]);
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
  expect(again.json).toEqual(first.json);
  expect(server.sandbox.calls).toHaveLength(1);
  const other = await post('/search', { user_input: { query: 'rope walks' } }, headers);
  expect(other.status).toBe(422);
});

it('a replay of the console that is pressed again with one key is paid once', async () => {
  const first = await post('/search', SEARCH);
  server.sandbox.clearCalls();
  const path = `/interactions/${first.json.interaction_id}/replay`;
  const headers = { 'idempotency-key': randomUUID() };
  const replay = await post(path, undefined, headers);
  const again = await post(path, undefined, headers);
  expect([replay.status, again.status]).toEqual([200, 200]);
  expect(again.json.interaction_id).toBe(replay.json.interaction_id);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(server.sandbox.calls).toHaveLength(1);
  const third = await post(path, undefined, { 'idempotency-key': randomUUID() });
  expect(third.json.interaction_id).not.toBe(replay.json.interaction_id);
  expect(server.sandbox.calls).toHaveLength(2);
});

it('what a request of the console says in its headers, query and body reaches the API', async () => {
  const stream = await post('/search', SEARCH, { accept: 'text/event-stream' });
  expect(stream.headers.get('content-type')).toContain('text/event-stream');
  expect(stream.text).toMatch(/^event: done$/m);
  const dry = await post('/search?dry_run=true', SEARCH);
  expect(dry.json).toMatchObject({ dry_run: true });
  const form = await post('/search', SEARCH, { 'content-type': 'text/plain' });
  expect(form.status).toBe(415);
  const limited = await admin.call('GET', server.path('/v1/sessions?limit=1'));
  expect([limited.status, limited.json.sessions.length]).toEqual([200, 1]);
});

it('no key of another project, and nothing of the operators, is reached by it', async () => {
  const { key } = await server.makeKey('other');
  const authorization = `Bearer ${key}`;
  const { json } = await post('/search', SEARCH, { authorization });
  const path = `/v1/sessions/${json.session_id}/history`;
  expect((await server.call('GET', path)).status).toBe(200);
  expect((await server.call('GET', path, { key })).status).toBe(404);
  const { status } = await admin.call('GET', server.path('/v1/admin/projects'));
  expect(status).toBe(404);
});

it.each([
  ['viewer', 403, 403],
  ['member', 200, 403],
  ['admin', 200, 204],
] as const)('a %s reads, and gets %i for a search and %i for a delete', async (role, ...wanted) => {
  const person = await server.person(role);
  const { json } = await server.search(SEARCH);
  const session = `/v1/sessions/${json.session_id}`;
  const read = await person.call('GET', server.path(`${session}/history`));
  const searched = await person.call('POST', server.path('/v1/search'), { body: SEARCH });
  const deleted = await person.call('DELETE', server.path(session));
  expect([read.status, searched.status, deleted.status]).toEqual([200, ...wanted]);
});
