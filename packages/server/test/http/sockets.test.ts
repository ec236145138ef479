import { jsonText } from '@trawl/base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnyReply } from '../../src/http/answer/reply.ts';
import type { RequestContext } from '../../src/http/handler.ts';
import { type HttpListener, startHttpServer } from '../../src/http/socket/serve.ts';
import { event, KEY, testApp } from './app.ts';
import { rawClient, rawRequest } from './raw-client.ts';

const AUTH = `Authorization: Bearer ${KEY}`;
const BODY = '{"user_input":{"query":"q"}}';
const ECHO = { route: 'search', input: { query: {}, body: { user_input: { query: 'q' } } } };

let server: HttpListener;
let onContext: (context: RequestContext) => Promise<AnyReply>;
const { app, lines } = testApp({
  handlers: { createInteraction: (_input, context) => onContext(context) },
});

beforeAll(async () => {
  server = await startHttpServer(app, { host: '127.0.0.1', port: 0 });
});
afterAll(() => server.stop(0));

const head = (...rest: string[]) => `${rest.join('\r\n')}\r\n\r\n`;
const search = (headers: string[], body: string) =>
  head('POST /v1/search HTTP/1.1', 'Host: h', AUTH, ...headers) + body;

describe('a body on the wire', () => {
  it.each([
    ['with a length', search([`Content-Length: ${BODY.length}`], BODY)],
    [
      'in chunks',
      search(
        ['Transfer-Encoding: chunked'],
        `5\r\n${BODY.slice(0, 5)}\r\n17\r\n${BODY.slice(5)}\r\n0\r\n\r\n`,
      ),
    ],
  ])('%s is read', async (_name, text) => {
    const answer = await rawRequest(server.port, text);
    expect(answer?.status).toBe(200);
    expect(JSON.parse(answer?.body ?? '')).toEqual(ECHO);
  });

  it('in pieces, split inside a character, is read', async () => {
    const bytes = Buffer.from('{"user_input":{"query":"é"}}');
    const client = await rawClient(server.port);
    client.send(search([`Content-Length: ${bytes.length}`], ''));
    client.send(bytes.subarray(0, 25));
    client.send(bytes.subarray(25));
    expect((await client.answer())?.status).toBe(200);
    client.leave();
  });

  it('that is absent counts as missing', async () => {
    const answer = await rawRequest(server.port, search([], ''));
    expect(answer?.status).toBe(422);
    expect(JSON.parse(answer?.body ?? '').detail[0].type).toBe('missing');
  });

  it('on a GET is ignored, and the connection stays usable', async () => {
    const client = await rawClient(server.port);
    const get = head('GET /healthz HTTP/1.1', 'Host: h', 'Content-Length: 5');
    client.send(`${get}{"a":${get}xxxxx`);
    expect((await client.answer())?.status).toBe(200);
    expect((await client.answer())?.status).toBe(200);
    client.leave();
  });

  it('with a content length over the limit is refused without being read', async () => {
    const answer = await rawRequest(server.port, search(['Content-Length: 1048577'], ''));
    expect(answer?.status).toBe(413);
  });

  it('sent without end is refused, and the connection closed', async () => {
    const client = await rawClient(server.port);
    client.send(search(['Transfer-Encoding: chunked'], ''));
    const chunk = `100000\r\n${'x'.repeat(0x100000)}\r\n`;
    client.send(chunk + chunk);
    expect((await client.answer())?.status).toBe(413);
    await client.closed;
  });

  it('is not read when the request is refused before; the answer still arrives', async () => {
    const client = await rawClient(server.port);
    client.send(
      head('POST /v1/search HTTP/1.1', 'Host: h', 'Content-Length: 2000000') +
        'x'.repeat(2_000_000),
    );
    expect((await client.answer())?.status).toBe(401);
    // The rest was drained: the connection can be used again.
    client.send(head('GET /healthz HTTP/1.1', 'Host: h'));
    expect((await client.answer())?.status).toBe(200);
    client.leave();
  });

  it('cut off by the client does not affect others', async () => {
    const before = lines.length;
    const client = await rawClient(server.port);
    client.send(search(['Content-Length: 100'], '{"user'));
    client.leave();
    await expect.poll(() => lines.slice(before).map((line) => line.status)).toEqual([499]);
    expect(lines.some((line) => Number(line.level) >= 40)).toBe(false);
  });
});

describe('Expect: 100-continue', () => {
  it('is answered when the body is wanted', async () => {
    const client = await rawClient(server.port);
    client.send(search(['Expect: 100-continue', `Content-Length: ${BODY.length}`], ''));
    expect((await client.answer())?.status).toBe(100);
    client.send(BODY);
    expect((await client.answer())?.status).toBe(200);
    await client.closed;
  });

  it('is answered with the refusal when the body is not wanted', async () => {
    const client = await rawClient(server.port);
    client.send(
      head('POST /v1/search HTTP/1.1', 'Host: h', 'Expect: 100-continue', 'Content-Length: 5'),
    );
    const answer = await client.answer();
    expect([answer?.status, answer?.headers.connection]).toEqual([401, 'close']);
    await client.closed;
  });

  it('with another expectation is a 417', async () => {
    const answer = await rawRequest(server.port, search(['Expect: tea', 'Content-Length: 0'], ''));
    expect(answer?.status).toBe(417);
  });
});

describe('a malformed or unusual request', () => {
  const get = (target: string, ...headers: string[]) =>
    head(`GET ${target} HTTP/1.1`, ...(headers.length > 0 ? headers : ['Host: h']));

  it.each<[name: string, text: string, status: number]>([
    ['an absolute target', get('http://other.example/healthz'), 200],
    ['an absolute target of another kind', get('ftp://h/healthz'), 400],
    ['an absolute target that is not a URL', get('http://[/healthz'), 400],
    ['a target without a slash', get('healthz'), 400],
    ['OPTIONS *', head('OPTIONS * HTTP/1.1', 'Host: h'), 400],
    ['two slashes', get('//v1/search'), 404],
    ['dot segments', get('/v1/../healthz'), 200],
    ['a backslash', get('/v1\\search'), 400],
    ['a fragment', get('/healthz#x'), 200],
    ['a percent sign', get('/healthz?%'), 200],
    ['a percent sign in the path', get('/%'), 404],
    ['bytes that are not UTF-8', get('/%ff%fe?%ff'), 404],
    ['raw bytes beyond ASCII', get('/\u00ff'), 400],
    ['a Host with spaces', get('/healthz', 'Host: a b'), 400],
    ['a Host with a path', get('/healthz', 'Host: a/b'), 400],
    ['a Host with user info', get('/healthz', 'Host: u@a'), 400],
    ['a Host with a bad port', get('/healthz', 'Host: a:99999'), 400],
    ['an IPv6 Host', get('/healthz', 'Host: [::1]:80'), 200],
    ['no Host in HTTP/1.0', head('GET /healthz HTTP/1.0'), 200],
    ['an empty Host', get('/healthz', 'Host:'), 200],
    ['TRACE', head('TRACE /healthz HTTP/1.1', 'Host: h'), 405],
    ['an upgrade', get('/healthz', 'Host: h', 'Connection: Upgrade', 'Upgrade: websocket'), 200],
    ['an unknown method', head('BREW /healthz HTTP/1.1', 'Host: h'), 400],
    ['not HTTP at all', 'hello\r\n\r\n', 400],
    ['TLS', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003', 400],
    ['a header without a name', get('/healthz', 'Host: h', ': x'), 400],
    ['a NUL in a header', get('/healthz', 'Host: h', 'X: a\u0000b'), 400],
    ['two lengths', get('/healthz', 'Host: h', 'Content-Length: 1', 'Content-Length: 2'), 400],
    ['a negative length', get('/healthz', 'Host: h', 'Content-Length: -1'), 400],
    [
      'a length and chunks',
      get('/healthz', 'Host: h', 'Content-Length: 5', 'Transfer-Encoding: chunked'),
      400,
    ],
    ['a target over 16 KB', get(`/${'a'.repeat(20_000)}`), 431],
    ['headers over 16 KB', get('/healthz', 'Host: h', `X: ${'a'.repeat(20_000)}`), 431],
    ['a target just below', get(`/healthz?${'a'.repeat(15_000)}`), 200],
    ['two keys', get('/v1/sessions', 'Host: h', AUTH, AUTH), 401],
    ['a key with bytes', get('/v1/sessions', 'Host: h', 'Authorization: Bearer \u00ff'), 401],
  ])('%s', async (_name, text, status) => {
    const answer = await rawRequest(server.port, text);
    expect(answer?.status).toBe(status);
    expect(answer?.headers['x-content-type-options']).toBe('nosniff');
    expect(answer?.headers['content-type']).toBe('application/json');
    expect(() => JSON.parse(answer?.body ?? '')).not.toThrow();
  });

  it('no Host is a 400', async () => {
    expect((await rawRequest(server.port, get('/healthz', 'X: y')))?.status).toBe(400);
  });

  it('CONNECT is not served', async () => {
    const client = await rawClient(server.port);
    client.send(head('CONNECT a:443 HTTP/1.1', 'Host: a:443'));
    expect(await client.answer()).toBeUndefined();
  });

  it('a broken chunk is a 400', async () => {
    const answer = await rawRequest(
      server.port,
      search(['Transfer-Encoding: chunked'], 'zz\r\n{}\r\n0\r\n\r\n'),
    );
    expect(answer?.status).toBe(400);
  });

  it('leaves the server serving', async () => {
    const answer = await rawRequest(server.port, get('/healthz'));
    expect(answer?.status).toBe(200);
  });
});

describe('a client that disconnects', () => {
  const text = head('POST /v1/interactions HTTP/1.1', 'Host: h', AUTH, 'Content-Length: 2');

  it('aborts the signal of its request', async () => {
    const started = event();
    const aborted = event();
    onContext = async ({ signal }) => {
      signal().addEventListener('abort', () => aborted.happen());
      started.happen();
      await aborted.happened;
      throw new Error('stopped because of the abort');
    };
    const before = lines.length;
    const client = await rawClient(server.port);
    client.send(`${text}{}`);
    await started.happened;
    client.leave();
    await aborted.happened;
    await expect.poll(() => lines.slice(before).map((line) => line.status)).toEqual([499]);
  });

  it('does not abort it while it stays', async () => {
    let seen: AbortSignal | undefined;
    onContext = async ({ signal }) => {
      seen = signal();
      return { text: jsonText({}) };
    };
    expect((await rawRequest(server.port, `${text}{}`))?.status).toBe(200);
    expect(seen?.aborted).toBe(false);
  });
});
