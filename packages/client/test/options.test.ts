import { answers } from '@trawl/test-support/client-stub';
import { afterEach, describe, expect, test } from 'vitest';
import { webFetch, webSearch } from '../src/ai-sdk/index.ts';
import { createConversation, Trawl, type TrawlOptions, VERSION } from '../src/index.ts';
import {
  TrawlLoader,
  TrawlRetriever,
  webFetchTool,
  webSearchTool,
} from '../src/langchain/index.ts';
import { clientOf, failureOf, KEY, SEARCH } from './support/client-of.ts';

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
      'user-agent': `trawl-client/${VERSION}`,
    });
  });
});

describe('an unknown option is an error that names it and the nearest known one', () => {
  const client = new Trawl({ apiKey: KEY });
  /** As code without types gives them. */
  const options = (given: object): object => given;

  test.each([
    [{ baseURL: 'https://trawl.example.com' }, '"baseURL": write "baseUrl"'],
    [{ timeout: 5 }, '"timeout": write "timeoutMs"'],
    [{ throwOnFailures: true }, '"throwOnFailures": write "throwOnFailure"'],
    [
      { api_key: KEY, proxy: undefined },
      '"api_key": write "apiKey"; "proxy": write one of baseUrl,',
    ],
    ['https://trawl.example.com', 'a client has no option "0": write one of baseUrl, apiKey'],
  ])('of a client: %j', (given, expected) => {
    expect(() => new Trawl(given as TrawlOptions)).toThrow(expected);
    expect(() => Trawl.fromSettings(given as TrawlOptions)).toThrow(expected);
  });

  test.each([
    ['a client', () => new Trawl(options({ header: {} })), '"header": write "headers"'],
    [
      'a conversation',
      () => createConversation(options({ session_id: 's' })),
      'a conversation has no option "session_id": write "sessionId"',
    ],
    [
      'a search tool of the AI SDK',
      () => webSearch({ client, ...options({ serach: {} }) }),
      'the tool that searches has no option "serach": write "search"',
    ],
    [
      'a fetch tool of the AI SDK',
      () => webFetch({ client, ...options({ search: {} }) }),
      'the tool that fetches has no option "search": write one of client,',
    ],
    [
      'a search tool of LangChain',
      () => webSearchTool({ client, ...options({ maxChars: 9 }) }),
      '"maxChars": write one of client, sessionId, conversation, description, maxCharacters',
    ],
    [
      'a fetch tool of LangChain',
      () => webFetchTool({ client, ...options({ max_characters: 5000 }) }),
      '"max_characters": write "maxCharacters"',
    ],
    [
      'a retriever',
      () => new TrawlRetriever({ client, ...options({ serch: {} }) }),
      'the retriever has no option "serch": write "search"',
    ],
    [
      'a loader',
      () => new TrawlLoader({ client, urls: [], ...options({ url: 'x' }) }),
      'the loader has no option "url": write "urls"',
    ],
  ])('of %s', (_owner, make, expected) => {
    expect(make).toThrow(expected);
  });

  test('of a call, before anything is sent', async () => {
    const { client: own, server } = await clientOf({}, answers(200, {}));
    const wrong = [
      own.search(SEARCH, options({ timeout: 5 })),
      own.search('tides', options({ num_results: 2 })),
      own.searchDryRun(SEARCH, options({ idempotencyKey: 'k' })),
      own.fetch('https://a.example', options({ idempotency_key: 'k' })),
      own.createInteraction(SEARCH, options({ throwsOnFailure: true })),
      own.searchStream(SEARCH, options({ Signal: 1 })).next(),
      own.usage({}, options({ headres: {} })),
      own.sessions({}, options({ onresponse: 1 })).next(),
    ];
    const messages = await Promise.all(wrong.map(async (call) => (await failureOf(call)).message));
    expect(messages).toEqual([
      expect.stringContaining('this call has no option "timeout": write "timeoutMs"'),
      expect.stringMatching(
        /"num_results": write one of signal, timeoutMs, .*first argument, as in \{ query, search: /,
      ),
      expect.stringContaining('"idempotencyKey": write one of'),
      expect.stringContaining('"idempotency_key": write "idempotencyKey"'),
      expect.stringContaining('"throwsOnFailure": write "throwOnFailure"'),
      expect.stringContaining('"Signal": write "signal"'),
      expect.stringContaining('"headres": write "headers"'),
      expect.stringContaining('"onresponse": write "onResponse"'),
    ]);
    expect(server.received).toEqual([]);
  });
});

describe('address and key from the environment', () => {
  const before = process.env;
  afterEach(() => {
    process.env = before;
  });

  test('5.5 the key is read for each call, and the address when the client is created', async () => {
    const { server } = await clientOf({}, answers(200, {}));
    process.env = { SERVICE_BASE_URL: `${server.url}/v1`, SERVICE_API_KEY: 'tk_first' };
    const client = new Trawl();
    await client.usage();
    process.env.SERVICE_API_KEY = 'tk_second';
    process.env.SERVICE_BASE_URL = 'http://127.0.0.1:1';
    await client.usage();
    const sent = server.received.map(({ headers }) => headers.authorization);
    expect(sent).toEqual(['Bearer tk_first', 'Bearer tk_second']);
  });

  test('5.5 what the code says wins', async () => {
    const { server } = await clientOf({}, answers(200, {}));
    process.env = { SERVICE_BASE_URL: 'http://127.0.0.1:1', SERVICE_API_KEY: 'tk_variable' };
    await new Trawl({ baseUrl: server.url, apiKey: KEY }).usage();
    expect(server.received[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    // the key of someone who sent none is not that of this process
    for (const apiKey of ['', () => undefined]) {
      const keyless = new Trawl({ baseUrl: server.url, apiKey });
      expect(await failureOf(keyless.usage())).toMatchObject({ kind: 'usage' });
    }
    expect(server.received).toHaveLength(1);
  });

  test('5.5 without a key a call names the variable, and without an address it is the local server', async () => {
    process.env = { SERVICE_BASE_URL: '' };
    expect(new Trawl().baseUrl).toBe('http://127.0.0.1:8080');
    const error = await failureOf(new Trawl().usage());
    expect(error.message).toBe('no API key: pass apiKey, or set SERVICE_API_KEY');
  });

  test('5.5 a wrong address is an error that names the variable', () => {
    process.env = { SERVICE_BASE_URL: 'trawl.example.com' };
    expect(() => new Trawl()).toThrow(/^SERVICE_BASE_URL must be an absolute/);
  });

  test('a runtime without variables makes a client', async () => {
    const { server } = await clientOf({}, answers(200, {}));
    const here = Object.getOwnPropertyDescriptor(globalThis, 'process') ?? {};
    Reflect.deleteProperty(globalThis, 'process');
    try {
      const client = new Trawl({ baseUrl: server.url, apiKey: KEY });
      expect(new Trawl().baseUrl).toBe('http://127.0.0.1:8080');
      await client.usage();
    } finally {
      Object.defineProperty(globalThis, 'process', here);
    }
    expect(server.received).toHaveLength(1);
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
