import { systemClock } from '@trawl/base';
import {
  ADMIN_API,
  DetailError,
  openApiDocument,
  ROUTES,
  type Route,
  type RouteId,
  readExamples,
  TypedError,
  ValidationError,
} from '@trawl/contract';
import { type Answer, startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import { issueKey } from '../../src/admin/key-admin.ts';

let server: TestServer;
let admin: string;
let session: string;
let interaction: string;
let watch: string;
let offline: string;
beforeAll(async () => {
  server = await startTestServer();
  admin = (await server.makeKey('operators', ['admin'])).key;
  const { json } = await server.search(SEARCH);
  session = json.session_id;
  interaction = json.interaction_id;
  const made = await server.call('POST', '/v1/watches', {
    body: { interval_minutes: 60, search: SEARCH },
  });
  watch = made.json.id;
  const other = await server.search({ user_input: { query: 'wave power' } });
  offline = (
    await issueKey(server.server.store.keys, systemClock, {
      projectId: server.projectId,
      name: 'offline',
      permissions: ['search', 'fetch', 'read'],
      expiresAt: null,
      replaySession: other.json.session_id,
    })
  ).key;
});
afterAll(() => server.stop());

const SEARCH = { user_input: { query: 'tidal power' } };
const EXAMPLES = await readExamples();
const UNKNOWN = '01a21ddb-2f1d-779c-94fb-2f086c1956e6';
const SCHEMAS: Readonly<Record<string, z.ZodType>> = { DetailError, TypedError, ValidationError };
const { paths, components } = (await openApiDocument('0')) as {
  paths: Record<string, Record<string, { responses: Record<string, { $ref?: string }> }>>;
  components: {
    responses: Record<string, { content: { 'application/json': { schema: { $ref: string } } } }>;
  };
};

const lastOf = (reference = ''): string => reference.replace(/.*\//, '');

/** The schema that the document declares for an error of a route; undefined = it declares none. */
function declared({ path, method }: Route, status: number): z.ZodType | undefined {
  const response = paths[path]?.[method.toLowerCase()]?.responses[status];
  const { content } = components.responses[lastOf(response?.$ref)] ?? {};
  return SCHEMAS[lastOf(content?.['application/json'].schema.$ref)];
}

interface Ask {
  readonly key?: string | null;
  readonly path?: string;
  readonly body?: unknown;
  readonly rawBody?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The path with ids of what exists. */
const pathOf = ({ path }: Route): string =>
  path
    .replace('{session_id}', session)
    .replace('{interaction_id}', interaction)
    .replace('{watch_id}', watch)
    .replace('{project_id}', server.projectId)
    .replace('{name}', 'exa')
    .replace('{key_id}', UNKNOWN);

const withIds = ({ path }: Route, id: string): string => path.replaceAll(/\{\w+\}/g, id);
const queryOf = ({ query }: Route): readonly string[] => Object.keys(query?.shape ?? {});

/** The smallest body that is right. */
const bodyOf = (id: RouteId): unknown => Object.values(EXAMPLES[id].request ?? {})[0]?.value;

async function limitedKey(limits: { rateLimit?: number; monthlyBudgetMicros?: number }) {
  const { id, key } = await server.makeKey('main', ['search', 'fetch', 'read', 'manage']);
  await server.server.store.keys.changeKey(id, limits);
  if (limits.rateLimit) await server.call('GET', '/v1/sessions', { key });
  return key;
}

/** Mistakes of clients, by what they do; those that a route does not know are left out. */
async function mistakesOf(id: RouteId): Promise<readonly (readonly [string, Ask])[]> {
  const route: Route = ROUTES[id];
  const path = pathOf(route);
  const own = path.startsWith(ADMIN_API) ? admin : server.key;
  const body = bodyOf(id);
  const all: (readonly [string, Ask])[] = [
    ['no key', { key: null, body }],
    ['a wrong key', { key: 'tk_wrong', body }],
    ['a key of another kind', { key: own === admin ? server.key : admin, body }],
    ['ids that are none', { path: withIds(route, 'zzz'), body }],
    ['ids that nobody has', { path: withIds(route, UNKNOWN), body }],
    ['a parameter that is nearly one', { path: `${path}?dryrun=1&grup_by=1&Limit=1`, body }],
    ['dry_run', { path: `${path}?dry_run=maybe`, body }],
    ...queryOf(route).map(
      (name) => [`${name} that is none`, { path: `${path}?${name}=%00zzz`, body }] as const,
    ),
    ['a key of repetition that is none', { body, headers: { 'idempotency-key': 'ä b' } }],
    ['a key of repetition', { body, headers: { 'idempotency-key': 'one' } }],
  ];
  if (route.permission !== null && own !== admin) {
    all.push(['a rate limit', { key: await limitedKey({ rateLimit: 1 }), body }]);
    all.push(['no budget', { key: await limitedKey({ monthlyBudgetMicros: 0 }), body }]);
    all.push(['a key that replays another session', { key: offline, body }]);
  }
  if (route.body) {
    all.push(
      ...[null, [], 'text', 1, {}, { x: 1 }, { session_id: 'zzz' }, { session_id: UNKNOWN }].map(
        (sent) => [`the body ${JSON.stringify(sent)}`, { body: sent }] as const,
      ),
      ['that key with another body', { body: { x: 1 }, headers: { 'idempotency-key': 'one' } }],
      ['a body that is no JSON', { rawBody: '{bad' }],
      ['a body of text', { rawBody: 'x', headers: { 'content-type': 'text/plain' } }],
      ['a body that is too large', { body: { text: 'x'.repeat(1_100_000) } }],
    );
  }
  return all.map(([what, ask]) => [what, { key: own, path, ...ask }]);
}

const seen = new Set<string>();

test.each(Object.keys(ROUTES) as RouteId[])(
  'each error of %s is declared, and has the shape that is',
  async (id) => {
    const route: Route = ROUTES[id];
    const wrong: unknown[] = [];
    for (const [what, { path = '', ...ask }] of await mistakesOf(id)) {
      const answer: Answer = await server.call(route.method, path, ask);
      const { status, json } = answer;
      if (status < 400) continue;
      const read = declared(route, status)?.safeParse(json);
      seen.add(`${route.errors} ${status}`);
      // the schema drops fields that it does not know
      if (read?.success && JSON.stringify(read.data) === JSON.stringify(json)) continue;
      wrong.push([what, status, json, read?.success ? 'has more' : (read?.error.issues ?? 'none')]);
    }
    expect(wrong).toEqual([]);
  },
);

test('the mistakes lead to every kind of refusal', () => {
  for (const status of [400, 401, 402, 403, 404, 409, 413, 415, 422, 429]) {
    expect([...seen]).toContain(`detail ${status}`);
  }
});
