import { DROP_INS, type DropIn, type DropInRoute } from '@trawl/drop-ins';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RawAnswer, rawClient } from '../http/raw-client.ts';

const SERVING_KEY = 'tk_serves-keyless-calls';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    env: { COMPAT_SEARXNG_KEY: SERVING_KEY, BOOTSTRAP_API_KEY: SERVING_KEY },
  });
});
afterAll(() => server.stop());

/** The header in which a client of the vendor sends its key. */
function keyHeader({ keys }: DropIn, key: string): string {
  const place = keys.find((one) => one.in !== 'body');
  return place?.in === 'header' ? `${place.name}: ${key}` : `authorization: Bearer ${key}`;
}

/** The answer to a request whose body is announced and never sent. */
async function answeredBeforeBody(path: string, headers: string): Promise<RawAnswer | undefined> {
  const client = await rawClient(server.server.port);
  const type = 'content-type: application/json\r\ncontent-length: 1000';
  client.send(`POST ${path} HTTP/1.1\r\nhost: localhost\r\n${headers}\r\n${type}\r\n\r\n`);
  const answer = await client.answer();
  client.leave();
  return answer;
}

const POSTED = DROP_INS.flatMap((dropIn) =>
  dropIn.routes.flatMap((route): [string, DropIn, DropInRoute][] =>
    route.method === 'POST' ? [[`/compat/${dropIn.slug}${route.path}`, dropIn, route]] : [],
  ),
);

const refusal = (dropIn: DropIn, status: number, message: RegExp) => {
  const shown = dropIn.fault({ status, message: 'x', requestId: 'x' });
  return [shown.status ?? status, expect.stringMatching(message)];
};
const answered = async (path: string, dropIn: DropIn, key: string) => {
  const answer = await answeredBeforeBody(path, keyHeader(dropIn, key));
  return [answer?.status, answer?.body];
};

describe.each(POSTED)('POST %s answers before the body has come', (path, dropIn) => {
  test('a wrong key', async () => {
    expect(await answered(path, dropIn, 'tk_wrong')).toEqual(
      refusal(dropIn, 401, /Invalid API key|Unauthorized\./),
    );
  });

  test('a key whose rate limit is used up', async () => {
    const { key, id } = await server.makeKey(`slow-${path}`);
    await server.server.store.keys.changeKey(id, { rateLimit: 1 });
    await server.call('GET', '/v1/sessions', { key });
    expect(await answered(path, dropIn, key)).toEqual(refusal(dropIn, 429, /Too many requests/));
  });
});

/** Without routes that are refused for every key. */
const PERMITTED = POSTED.filter(([, , { permission }]) => permission !== null);

test.each(PERMITTED)(
  'POST %s refuses a key without its permission before the body has come',
  async (path, dropIn, { permission }) => {
    const other = permission === 'search' ? 'fetch' : 'search';
    const { key } = await server.makeKey(`other-${path}`, ['read', 'manage', other]);
    const message = new RegExp(`lacks the permission .{0,2}${permission}`);
    expect(await answered(path, dropIn, key)).toEqual(refusal(dropIn, 403, message));
  },
);

test.each(DROP_INS)(
  '$slug: an unknown path or method is refused first, whatever the key',
  async (dropIn) => {
    const status = async (path: string) =>
      (await answeredBeforeBody(`/compat/${dropIn.slug}${path}`, keyHeader(dropIn, 'tk_wrong')))
        ?.status;
    const isReader = dropIn.routes.some(({ path }) => path === '/*');
    expect(await status('/nowhere')).toBe(isReader ? 405 : 404);
  },
);

test('a key in the body is checked after the body, with the same refusals', async () => {
  const ask = (key: string) =>
    server.call('POST', '/compat/tavily/search', {
      key: null,
      body: { query: 'tides', api_key: key },
    });
  const { key: reading } = await server.makeKey('reads-only', ['read']);
  const { key: slow, id } = await server.makeKey('slow-body');
  await server.server.store.keys.changeKey(id, { rateLimit: 1 });
  expect((await ask('tk_wrong')).status).toBe(401);
  expect((await ask(reading)).status).toBe(403);
  const first = await ask(slow);
  expect([first.status, first.headers.get('ratelimit-remaining')]).toEqual([200, '0']);
  expect((await ask(slow)).status).toBe(429);
});

test('a request counts once towards the rate limit', async () => {
  const { key, id } = await server.makeKey('counts');
  await server.server.store.keys.changeKey(id, { rateLimit: 3 });
  const left: (string | null)[] = [];
  for (const body of [{ query: 'tides' }, { query: 5 }, { query: 'tides' }, { query: 'tides' }]) {
    const { status, headers } = await server.call('POST', '/compat/exa/search', { key, body });
    left.push(`${status} ${headers.get('ratelimit-remaining')}`);
  }
  expect(left).toEqual(['200 2', '400 1', '200 0', '429 0']);
});

test('a page of another host is refused before its body has come, where no key is sent', async () => {
  const client = await rawClient(server.server.port);
  const head = ['POST /compat/searxng/search HTTP/1.1', 'host: evil.example', 'content-length: 9'];
  client.send(`${head.join('\r\n')}\r\n\r\n`);
  expect((await client.answer())?.status).toBe(403);
  client.leave();
});
