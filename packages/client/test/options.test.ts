import { afterEach, describe, expect, test } from 'vitest';
import { Trawl } from '../src/index.ts';
import { clientOf, failureOf, KEY, SEARCH } from './support/client-of.ts';
import { answers } from './support/stub.ts';

describe('options', () => {
  test.each([
    [{ baseUrl: 'trawl.example.com' }, 'baseUrl'],
    [{ baseUrl: 'ftp://trawl.example.com' }, 'baseUrl'],
    [{ baseUrl: 'https://user:pass@trawl.example.com' }, 'baseUrl'],
    [{ timeoutMs: 0 }, 'timeoutMs'],
    [{ timeoutMs: Number.NaN }, 'timeoutMs'],
    [{ maxRetries: -1 }, 'maxRetries'],
  ])('%j is refused by name', (options, name) => {
    expect(() => new Trawl(options)).toThrow(name);
  });

  test('a base URL may have a path, and a slash at its end', async () => {
    const { server } = await clientOf({}, answers(200, {}));
    await new Trawl({ baseUrl: `${server.url}/search-router/` }).health();
    expect(server.received[0]?.path).toBe('/search-router/healthz');
  });

  test.each(['/v1', '/v1/', '//v1//'])('a trailing %s is removed', async (end) => {
    const { server } = await clientOf({}, answers(200, {}));
    const client = new Trawl({ baseUrl: `${server.url}/router${end}`, apiKey: KEY });
    await client.usage();
    expect(server.received[0]?.path).toBe('/router/v1/usage');
    expect(client.baseUrl).toBe(`${server.url}/router`);
  });

  test('what cannot be sent is refused before sending', async () => {
    const { client, server } = await clientOf({}, answers(200, {}));
    const circle: Record<string, unknown> = {};
    circle.again = circle;
    const wrong = [
      client.search({ ...SEARCH, metadata: circle }),
      client.search(SEARCH, { idempotencyKey: 'a\nb' }),
      client.search(SEARCH, { headers: { 'x-a': 'ü€' } }),
      client.search(SEARCH, { timeoutMs: -1 }),
    ];
    for (const call of wrong) expect(await failureOf(call)).toMatchObject({ kind: 'usage' });
    expect(server.received).toHaveLength(0);
  });

  test('a header of the caller does not duplicate one of the client', async () => {
    const { client, server } = await clientOf(
      { headers: { Authorization: 'Basic x' } },
      answers(200, {}),
    );
    await client.usage(undefined, { headers: { ACCEPT: 'text/plain' } });
    await client.health();
    expect(server.received.map(({ headers }) => [headers.authorization, headers.accept])).toEqual([
      [`Bearer ${KEY}`, 'application/json'],
      ['Basic x', 'application/json'],
    ]);
  });

  test('an error of a callback is thrown unchanged, without a retry', async () => {
    const { client, server } = await clientOf({}, answers(200, {}));
    const onResponse = () => {
      throw new RangeError('mine');
    };
    await expect(client.search(SEARCH, { onResponse })).rejects.toThrow(RangeError);
    expect(server.received).toHaveLength(1);
  });

  test('headers are sent, and onResponse gets the head of each answer', async () => {
    const { client, server } = await clientOf(
      { headers: { 'x-team': 'a' } },
      answers(500, {}, { 'x-request-id': 'r1' }),
      answers(200, {}, { 'x-request-id': 'r2' }),
    );
    const heads: unknown[] = [];
    await client.usage(undefined, {
      headers: { 'x-call': 'b' },
      onResponse: ({ status, requestId }) => heads.push([status, requestId]),
    });
    expect(heads).toEqual([
      [500, 'r1'],
      [200, 'r2'],
    ]);
    expect(server.received[1]?.headers).toMatchObject({
      'x-team': 'a',
      'x-call': 'b',
      'user-agent': 'trawl-client/0.1.0',
    });
  });
});

describe('in a browser', () => {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'window');
    if (before) Object.defineProperty(globalThis, 'navigator', before);
    else Reflect.deleteProperty(globalThis, 'navigator');
  });

  test('it refuses to run unless this is allowed', () => {
    Object.assign(globalThis, { window: { document: {} } });
    Object.defineProperty(globalThis, 'navigator', { value: {}, configurable: true });
    expect(() => new Trawl({ apiKey: KEY })).toThrow('dangerouslyAllowBrowser');
    expect(new Trawl({ apiKey: KEY, dangerouslyAllowBrowser: true }).baseUrl).toBe(
      'http://127.0.0.1:8080',
    );
  });
});
