import { answers, staysSilent } from '@trawl/test-support/client-stub';
import { describe, expect, test } from 'vitest';
import { Trawl } from '../src/index.ts';
import { ANSWER, clientOf, failureOf, KEY, keysOf, SEARCH } from './support/client-of.ts';

describe('time', () => {
  test('a call ends after timeoutMs, is not retried and says what to do', async () => {
    const { client, server } = await clientOf({ timeoutMs: 600 }, staysSilent);
    const error = await failureOf(client.search(SEARCH));
    expect(error).toMatchObject({ kind: 'timeout', idempotencyKey: keysOf(server)[0] });
    expect(error.message).toMatch(/600 ms.*timeoutMs/);
    await server.hungUp();
    expect(server.received).toHaveLength(1);
  });

  test('the time limit covers the body', async () => {
    const { client } = await clientOf({}, (response) => {
      response.writeHead(200).write('{');
    });
    expect(await failureOf(client.search(SEARCH, { timeoutMs: 50 }))).toMatchObject({
      kind: 'timeout',
    });
  });

  test('a signal aborts the request, and its reason is kept', async () => {
    const controller = new AbortController();
    const { client, server } = await clientOf({}, () => controller.abort('enough'));
    const error = await failureOf(client.search(SEARCH, { signal: controller.signal }));
    expect(error).toMatchObject({ kind: 'aborted', cause: 'enough' });
    await server.hungUp();
    expect(server.received).toHaveLength(1);
  });

  test('a signal that is aborted already sends nothing', async () => {
    const { client, server } = await clientOf({}, answers(200, ANSWER));
    const error = await failureOf(client.search(SEARCH, { signal: AbortSignal.abort() }));
    expect(error.kind).toBe('aborted');
    expect(server.received).toHaveLength(0);
  });

  test('a signal ends the wait before a retry', async () => {
    const controller = new AbortController();
    const { client } = await clientOf({ retryDelayMs: 6_000 }, answers(500, {}));
    const options = {
      signal: controller.signal,
      onResponse: () => void setTimeout(() => controller.abort(), 100),
    };
    const startedAt = performance.now();
    expect(await failureOf(client.search(SEARCH, options))).toMatchObject({ kind: 'aborted' });
    expect(performance.now() - startedAt).toBeLessThan(2_500);
  });

  test('a long-lived signal does not collect listeners', async () => {
    const { client } = await clientOf({}, answers(200, ANSWER));
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...given: Parameters<typeof add>) => {
      listeners += 1;
      add(...given);
    };
    signal.removeEventListener = (...given: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...given);
    };
    await client.search(SEARCH, { signal });
    expect(listeners).toBe(0);
  });
});

describe('invalid answers', () => {
  test.each([
    ['text', answers(200, 'hello')],
    ['a page', answers(200, '<html>', { 'content-type': 'text/html' })],
  ])('%s instead of JSON', async (_name, fault) => {
    const { client, server } = await clientOf({}, fault);
    expect(await failureOf(client.search(SEARCH))).toMatchObject({ kind: 'response' });
    expect(server.received).toHaveLength(1);
  });

  test('more than maxResponseBytes, announced or not', async () => {
    const large = JSON.stringify('x'.repeat(5000));
    const { client, server } = await clientOf(
      { maxResponseBytes: 1000 },
      answers(200, large, { 'content-length': String(large.length) }),
      (response) => {
        response.writeHead(200);
        const more = () => {
          while (!response.destroyed && response.write('x'.repeat(500)));
        };
        response.on('drain', more);
        more();
      },
    );
    for (const n of [1, 2]) {
      const error = await failureOf(client.search(SEARCH));
      expect(error).toMatchObject({ kind: 'response' });
      expect(error.message).toContain('maxResponseBytes');
      expect(server.received).toHaveLength(n);
    }
    await server.hungUp(2);
  });

  test('a body that is too large is released, with any fetch function', async () => {
    let isCancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(500)),
      cancel: () => {
        isCancelled = true;
      },
    });
    const fetch = async () => new Response(endless);
    const client = new Trawl({ apiKey: KEY, maxResponseBytes: 1000, fetch });
    expect(await failureOf(client.search(SEARCH))).toMatchObject({ kind: 'response' });
    expect(isCancelled).toBe(true);
  });

  test('a redirect is reported, not followed', async () => {
    const { client, server } = await clientOf(
      {},
      answers(308, '', { location: 'https://trawl.example/v1/search' }),
    );
    const error = await failureOf(client.search(SEARCH));
    expect(error.message).toMatch(/308.*https:\/\/trawl\.example.*baseUrl/);
    expect(server.received).toHaveLength(1);
  });

  test('no server', async () => {
    const { client, server } = await clientOf({}, answers(200, {}));
    await server.stop();
    const error = await failureOf(client.search(SEARCH));
    expect(error.kind).toBe('connection');
    expect(error.message).toContain('ECONNREFUSED');
  });
});
