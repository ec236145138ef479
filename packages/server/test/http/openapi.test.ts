import { randomUUID } from 'node:crypto';
import {
  ADMIN_API,
  isJsonObject,
  type JsonObject,
  openApiDocument,
  ROUTES,
  type Route,
  type RouteId,
  readExamples,
} from '@trawl/contract';
import { openDatabase } from '@trawl/database';
import { type Answer, startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

interface Response {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly content: Readonly<
    Record<string, { readonly examples: Readonly<Record<string, { readonly value: unknown }>> }>
  >;
}

const EXAMPLES = await readExamples();
const DOCUMENT = await openApiDocument('0.0.0-test');

/** The description of an error of a route. */
function described(path: string, method: string, status: number): Response {
  const { paths, components } = DOCUMENT as {
    paths: Record<string, Record<string, { responses: Record<string, { $ref: string }> }>>;
    components: { responses: Record<string, Response> };
  };
  const reference = paths[path]?.[method.toLowerCase()]?.responses[status]?.$ref ?? '';
  const response = components.responses[reference.replace(/.*\//, '')];
  if (!response) throw new Error(`the document lacks ${status} of ${method} ${path}`);
  return response;
}

/** Names and types, without values. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]));
}

test('GET /openapi.json serves the document of the running version', async () => {
  const { status, json } = await server.call('GET', '/openapi.json', { key: null });
  expect(status).toBe(200);
  expect(json).toEqual(JSON.parse(JSON.stringify(DOCUMENT)));
});

test('GET /openapi.json is prepared once, with an ETag for each encoding, 304 for a current copy, and HEAD', async () => {
  const ask = (headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${server.url}/openapi.json`, { method, headers });
  const plain = await ask({ 'accept-encoding': 'identity' });
  const etag = plain.headers.get('etag') ?? '';
  expect(etag).toMatch(/^"[0-9a-f]{16}"$/);
  const headers = Object.fromEntries(plain.headers);
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'cache-control': 'no-cache',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  });
  const text = await plain.text();
  const packed = await ask({ 'accept-encoding': 'gzip' });
  expect(packed.headers.get('content-encoding')).toBe('gzip');
  expect(packed.headers.get('etag')).toBe(etag.replace(/"$/, '-gzip"'));
  expect(await packed.text()).toBe(text);

  const known = await ask({ 'accept-encoding': 'identity', 'if-none-match': `"x", ${etag}` });
  expect([known.status, await known.text(), known.headers.get('etag')]).toEqual([304, '', etag]);
  const outdated = await ask({ 'accept-encoding': 'identity', 'if-none-match': '"x"' });
  expect([outdated.status, await outdated.text()]).toEqual([200, text]);

  const head = await ask({ 'accept-encoding': 'identity' }, 'HEAD');
  expect([head.status, await head.text(), head.headers.get('etag')]).toEqual([200, '', etag]);
  expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
});

/** The one that the example of feedback is about. */
const PAGE = /"url":"([^"]+)"/.exec(JSON.stringify(EXAMPLES.giveFeedback))?.[1] ?? '';

const REQUESTS = Object.entries(ROUTES as Record<string, Route>).flatMap(([id, route]) =>
  Object.entries(EXAMPLES[id as RouteId].request ?? {}).map(
    ([name, { value }]): [string, Route, unknown] => [`${id}: ${name}`, route, value],
  ),
);

/**
 * The path of a route with a provider, with a watch, or with an interaction that has the URL of the
 * body in its first row.
 */
async function pathFor({ path }: Route): Promise<string> {
  if (!path.includes('{')) return path;
  if (path.includes('_id}') && path.startsWith(ADMIN_API)) {
    const { id, projectId } = await server.makeKey(`of ${path} ${Math.random()}`);
    return path.replace('{project_id}', projectId).replace('{key_id}', id);
  }
  if (path.includes('{name}')) return path.replace('{name}', 'exa');
  if (path.includes('{watch_id}')) {
    const watch = { interval_minutes: 60, search: SEARCH };
    const { json } = await server.call('POST', '/v1/watches', { body: watch });
    return path.replace('{watch_id}', json.id);
  }
  const { json } = path.endsWith('/replay')
    ? await server.search(SEARCH)
    : await server.fetch({ urls: [PAGE] });
  return path.replace('{interaction_id}', json.interaction_id);
}

/** Ids of what exists, for those that the body has. */
async function placesOf(body: JsonObject): Promise<JsonObject> {
  if ('project_id' in body) return { project_id: server.projectId };
  if (!('session_id' in body)) return {};
  const { json } = await server.search(SEARCH);
  return { session_id: json.session_id };
}

describe('a request of an example', () => {
  test.each(REQUESTS)('%s is answered as described', async (_name, route, body) => {
    const path = await pathFor(route);
    const isAdmin = route.permission === 'admin';
    const own = isAdmin ? { key: (await server.makeKey('operators', ['admin'])).key } : {};
    const sent = isJsonObject(body) ? { ...body, ...(await placesOf(body)) } : body;
    const { status, json } = await server.call(route.method, path, { body: sent, ...own });
    expect([status, json]).toEqual([route.status, expect.anything()]);
    // the schema drops fields that it does not know
    expect(route.response.parse(json)).toEqual(json);
    if (!route.dryRun) return;
    const dry = await server.call(route.method, `${path}?dry_run=true`, { body });
    expect(route.dryRun.parse(dry.json)).toEqual(dry.json);
  });
});

const SEARCH = { user_input: { query: 'tidal power' } };
const FETCH = { urls: [PAGE] };
const TEXT = { rawBody: 'tidal power', headers: { 'content-type': 'text/plain' } };

/** A key whose next request exceeds its rate limit or its budget. */
async function usedUp(limits: { rateLimit?: number; monthlyBudgetMicros?: number }) {
  const { id, key } = await server.makeKey(`limited ${JSON.stringify(limits)}`);
  await server.server.store.keys.changeKey(id, limits);
  if (limits.rateLimit) await server.call('GET', '/v1/sessions', { key });
  return key;
}

/** A session of another project. */
async function foreignSession(): Promise<string> {
  const { key } = await server.makeKey('neighbours');
  const { json } = await server.call('POST', '/v1/interactions', { key, body: {} });
  return json.session_id;
}

const PROVOKED: [status: number, path: '/v1/search' | '/v1/fetch', ask: () => Promise<Answer>][] = [
  [
    400,
    '/v1/search',
    () => server.search({ ...SEARCH, search: { providers: { include: ['x'] } } }),
  ],
  [400, '/v1/fetch', () => server.fetch({ ...FETCH, options: { providers: ['x'] } })],
  [401, '/v1/search', () => server.search(SEARCH, { key: null })],
  [401, '/v1/fetch', () => server.fetch(FETCH, { key: null })],
  [
    402,
    '/v1/search',
    async () => server.search(SEARCH, { key: await usedUp({ monthlyBudgetMicros: 0 }) }),
  ],
  [
    402,
    '/v1/fetch',
    async () =>
      server.fetch(
        { ...FETCH, options: { providers: ['exa'] } },
        { key: await usedUp({ monthlyBudgetMicros: 0 }) },
      ),
  ],
  [403, '/v1/search', async () => server.search(SEARCH, await server.makeKey('a', ['read']))],
  [403, '/v1/fetch', async () => server.fetch(FETCH, await server.makeKey('a', ['read']))],
  [404, '/v1/search', async () => server.search({ ...SEARCH, session_id: await foreignSession() })],
  [404, '/v1/fetch', async () => server.fetch({ ...FETCH, session_id: await foreignSession() })],
  [413, '/v1/search', () => server.search({ user_input: { query: 'x'.repeat(1_100_000) } })],
  [413, '/v1/fetch', () => server.fetch({ urls: ['x'.repeat(1_100_000)] })],
  [415, '/v1/search', () => server.search(undefined, TEXT)],
  [415, '/v1/fetch', () => server.fetch(undefined, TEXT)],
  [422, '/v1/search', () => server.search({ ...SEARCH, search: { num_results: 50 } })],
  [422, '/v1/fetch', () => server.fetch({ urls: ['x'] })],
  [429, '/v1/search', async () => server.search(SEARCH, { key: await usedUp({ rateLimit: 1 }) })],
  [429, '/v1/fetch', async () => server.fetch(FETCH, { key: await usedUp({ rateLimit: 1 }) })],
  [
    502,
    '/v1/fetch',
    () =>
      server.fetch({
        urls: [`${PAGE}?${encodeURIComponent('[[exa:status=503]]')}`],
        options: { providers: ['exa'] },
      }),
  ],
];

/** Errors that do not depend on the request. */
const SAID_ALIKE = new Set([401, 413, 415]);

/**
 * The error that the document describes: its fields, their types, and the headers that go with it.
 */
function expectLike(answer: Answer, status: number, path: string): void {
  expect([answer.status, answer.json]).toEqual([status, expect.anything()]);
  const { headers, content } = described(path, 'POST', status);
  const [example] = Object.values(content['application/json']?.examples ?? {});
  if (SAID_ALIKE.has(status)) expect(answer.json).toEqual(example?.value);
  else expect(shapeOf(answer.json)).toEqual(shapeOf(example?.value));
  for (const name of Object.keys(headers)) {
    expect(answer.headers.get(name), name).toBeTruthy();
  }
}

describe('an error', () => {
  test.each(PROVOKED)('%i of %s looks like its example', async (status, path, ask) => {
    expectLike(await ask(), status, path);
  });

  test('503 looks like its example where the store does not answer', async () => {
    const { db } = openDatabase(server.database.location, { connections: 1 });
    const session_id = randomUUID();
    await db.schema.alterTable('sessions').renameTo('elsewhere').execute();
    try {
      expectLike(await server.search({ ...SEARCH, session_id }), 503, '/v1/search');
      expectLike(await server.fetch({ ...FETCH, session_id }), 503, '/v1/fetch');
      const { status, json } = await server.call('GET', '/readyz', { key: null });
      const [example] = Object.values(EXAMPLES.readiness.unavailable ?? {});
      expect([status, shapeOf(json)]).toEqual([503, shapeOf(example?.value)]);
    } finally {
      await db.schema.alterTable('elsewhere').renameTo('sessions').execute();
      await db.destroy();
    }
  });
});
