import { createBodyStream, jsonText } from '@trawl/base';
import { afterEach, describe, expect, it } from 'vitest';
import type { AnyReply } from '../../src/http/answer/reply.ts';
import { createAdmission } from '../../src/http/request/admission.ts';
import { type HttpListener, startHttpServer } from '../../src/http/socket/serve.ts';
import { type Api, addMount } from '../../src/sites/mount.ts';
import { apiKey } from '../auth/memory-key-store.ts';
import { AUTHORIZED, BARE_KEY, KEY, testApp } from './app.ts';
import { type RawClient, rawClient } from './raw-client.ts';

const OTHER_KEY = 'tk_other';
const BODY = '{"user_input":{"query":"q"}}';
const FETCH_BODY = '{"urls":["https://example.com/"]}';

let server: HttpListener | undefined;
const clients: RawClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.leave();
  await server?.stop(0);
  server = undefined;
});

/** A server with this many places, whose searches wait until the test releases them. */
async function heldServer(limit: number, options: Parameters<typeof testApp>[0] = {}) {
  let now = 1_000_000;
  const waiting: ((reply: AnyReply) => void)[] = [];
  let onWait = () => {};
  const { app, keys, lines } = testApp({
    ...options,
    admission: createAdmission({ limit, now: () => now }),
    handlers: {
      search: () =>
        new Promise((resolve) => {
          waiting.push(resolve);
          onWait();
        }),
      ...options.handlers,
    },
  });
  keys.put(OTHER_KEY, apiKey({ id: 'key-other' }));
  const running = await startHttpServer(app, { host: '127.0.0.1', port: 0 });
  server = running;
  const open = async (): Promise<RawClient> => {
    const client = await rawClient(running.port);
    clients.push(client);
    return client;
  };
  /** Sends a search and waits until its handler runs. */
  const hold = async (key = KEY): Promise<RawClient> => {
    const client = await open();
    const begun = new Promise<void>((resolve) => {
      onWait = resolve;
    });
    client.send(search(key));
    await begun;
    return client;
  };
  const ask = async (text: string) => {
    const client = await open();
    client.send(text);
    return client.answer();
  };
  return {
    lines,
    open,
    hold,
    ask,
    finishOne: () => waiting.shift()?.({ text: jsonText({}) }),
    advance: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

const post = (path: string, key: string, body: string, ...headers: string[]) =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: h',
    `Authorization: Bearer ${key}`,
    `Content-Length: ${body.length}`,
    ...headers,
    '',
    body,
  ].join('\r\n');
const search = (key = KEY) => post('/v1/search', key, BODY);
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`;

describe('a full server', () => {
  it('answers 503 with the limit, the setting and the time to wait', async () => {
    const { hold, ask } = await heldServer(2);
    await hold();
    await hold();
    const refused = await ask(search());
    expect([refused?.status, refused?.headers['retry-after']]).toEqual([503, '1']);
    expect(JSON.parse(refused?.body ?? '').detail).toMatch(
      /2 requests in progress .*MAX_ACTIVE_REQUESTS.* Nothing was sent or billed.*raise MAX_ACTIVE_REQUESTS/,
    );
    const typed = await ask(post('/v1/fetch', KEY, FETCH_BODY));
    expect(typed?.status).toBe(503);
    expect(JSON.parse(typed?.body ?? '').error).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('MAX_ACTIVE_REQUESTS'),
    });
  });

  it('still answers /healthz and /readyz, and also refuses other requests without a key', async () => {
    const { hold, ask } = await heldServer(1);
    await hold();
    expect((await ask(get('/healthz')))?.status).toBe(200);
    expect((await ask(get('/readyz')))?.status).toBe(200);
    expect((await ask(get('/v1/preprocessors')))?.status).toBe(503);
  });

  it('checks key and permission first, and the rate limit afterwards', async () => {
    let rateLimited = 0;
    const rateLimit = async () => {
      rateLimited += 1;
      return {};
    };
    const { hold, ask } = await heldServer(1, { rateLimit });
    await hold();
    expect((await ask(search('tk_unknown')))?.status).toBe(401);
    expect((await ask(search(BARE_KEY)))?.status).toBe(403);
    expect((await ask(search()))?.status).toBe(503);
    expect(rateLimited).toBe(1);
  });

  it('does not read the body', async () => {
    const { hold, open } = await heldServer(1);
    await hold();
    const client = await open();
    client.send(post('/v1/search', KEY, BODY, 'Expect: 100-continue').slice(0, -BODY.length));
    expect((await client.answer())?.status).toBe(503);
  });

  it('frees the place after an answer', async () => {
    const { hold, ask, finishOne } = await heldServer(1);
    const first = await hold();
    finishOne();
    expect((await first.answer())?.status).toBe(200);
    expect((await ask(get('/v1/preprocessors')))?.status).toBe(200);
  });

  it('frees the place after a refusal', async () => {
    const { ask } = await heldServer(1);
    for (const body of ['{', '{}']) {
      expect((await ask(post('/v1/search', KEY, body)))?.status).toBe(422);
    }
    expect((await ask(get('/v1/preprocessors')))?.status).toBe(200);
  });

  it('frees the place when a client leaves, and the places of requests that waited behind its first', async () => {
    const { open, ask } = await heldServer(3);
    const client = await open();
    client.send(search() + search() + search());
    await expect.poll(async () => (await ask(search(OTHER_KEY)))?.status).toBe(503);
    client.leave();
    await expect.poll(async () => (await ask(get('/v1/preprocessors')))?.status).toBe(200);
  });

  it('keeps the place of an event stream until its last event', async () => {
    const events = createBodyStream();
    events.push([': a\n\n']);
    const { open, ask } = await heldServer(1, { handlers: { fetch: async () => ({ events }) } });
    const client = await open();
    client.send(post('/v1/fetch', KEY, FETCH_BODY));
    expect((await client.answer())?.status).toBe(200);
    expect((await ask(get('/v1/preprocessors')))?.status).toBe(503);
    events.end();
    await expect.poll(async () => (await ask(get('/v1/preprocessors')))?.status).toBe(200);
  });
});

describe('one key', () => {
  it('may use every place while no other key sends', async () => {
    const { hold, ask } = await heldServer(4);
    for (let held = 0; held < 4; held += 1) await hold();
    expect((await ask(search()))?.status).toBe(503);
  });

  it('may use half of the places for 60 s after another key sent a request', async () => {
    const { hold, ask, advance, finishOne } = await heldServer(4);
    await hold(OTHER_KEY);
    finishOne();
    await hold();
    await hold();
    const refused = await ask(search());
    expect([refused?.status, refused?.headers['retry-after']]).toEqual([503, '1']);
    expect(JSON.parse(refused?.body ?? '').detail).toMatch(
      /This API key has 2 requests in progress.*half of the 4.*MAX_ACTIVE_REQUESTS/,
    );
    await hold(OTHER_KEY);
    advance(60_000);
    await hold();
  });

  it('that uses more than half gets no further place once another key sends', async () => {
    const { hold, ask } = await heldServer(4);
    for (let held = 0; held < 3; held += 1) await hold();
    const other = await hold(OTHER_KEY);
    other.leave();
    await expect
      .poll(async () => (await ask(search()))?.body)
      .toContain('This API key has 3 requests in progress');
  });

  it('can use a server with one place, even if others send', async () => {
    const { hold, ask, finishOne } = await heldServer(1);
    const first = await hold(OTHER_KEY);
    finishOne();
    await first.answer();
    await hold();
    expect((await ask(search(OTHER_KEY)))?.status).toBe(503);
  });
});

describe('one project', () => {
  it('has at most half of the places, by whichever keys, while others send requests', () => {
    let now = 0;
    const admission = createAdmission({ limit: 4, now: () => now });
    const enter = (id: string, projectId: string) => () => admission.enter({ id, projectId });
    // alone it may have all
    for (const id of ['a', 'b', 'c']) enter(id, 'one')();
    const leave = enter('d', 'one')();
    leave();
    enter('x', 'two')()();
    expect(enter('e', 'one')).toThrow(
      'This project has 3 requests in progress. While others send requests, one project may have at most half of the 4',
    );
    now = 61_000;
    enter('e', 'one')();
    expect(enter('x', 'two')).toThrow('The server has 4 requests in progress');
  });
});

describe('a mount', () => {
  /** Statuses of the calls that a mount makes to the API at once, in one request. */
  async function statuses(calls: number, limit: number): Promise<number[]> {
    const admission = createAdmission({ limit, now: () => 0 });
    const { app } = testApp({ admission });
    const sessions = () => new Request('http://localhost/v1/sessions', { headers: AUTHORIZED });
    const open = (api: Api) => ({
      fetch: async () => {
        const answers = await Promise.all(Array.from({ length: calls }, () => api(sessions())));
        return Response.json(answers.map(({ status }) => status));
      },
      close: async () => undefined,
    });
    const authenticate = async () => apiKey();
    const mount = { path: '/other', permissions: ['read'], open } as const;
    addMount(app, mount, { authenticate, admission, checkHost: () => undefined });
    return (await app.request('/other')).json() as Promise<number[]>;
  }

  it('and the call that it makes count as one request', async () => {
    expect(await statuses(1, 1)).toEqual([200]);
  });

  it('takes a place for each further call at the same time', async () => {
    expect(await statuses(3, 2)).toEqual([200, 200, 503]);
  });
});

describe('MAX_CONNECTIONS', () => {
  it('closes further connections and counts them', async () => {
    let dropped = 0;
    const running = await startHttpServer(testApp().app, {
      host: '127.0.0.1',
      port: 0,
      maxConnections: 1,
      onClose: (cause) => {
        if (cause === 'connections') dropped += 1;
      },
    });
    server = running;
    const first = await rawClient(running.port);
    clients.push(first);
    first.send(get('/healthz'));
    expect((await first.answer())?.status).toBe(200);
    const second = await rawClient(running.port);
    await second.closed;
    expect(dropped).toBe(1);
    first.send(get('/healthz'));
    expect((await first.answer())?.status).toBe(200);
  });
});
