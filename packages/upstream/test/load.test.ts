import { sendJson, serveHttp, until } from '@trawl/test-support/loopback';
import { describe, expect, test } from 'vitest';
import { createRunner, failureOf, requestTo, targetAt } from './support/calls.ts';

const KINDS = ['ok', 'busy', 'cut', 'hang', 'cancelled'] as const;

test('200 calls at once, of every kind, each get their own answer', async () => {
  const server = await serveHttp((response, { url }) => {
    if (url.startsWith('/ok')) sendJson(response, { url });
    else if (url.startsWith('/busy')) sendJson(response, { url }, 400);
    else if (url.startsWith('/cut')) {
      response.writeHead(200, { 'content-length': 100 }).write(`{"url":"${url}`);
      setImmediate(() => response.destroy());
    }
  });
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => warnings.push(warning);
  process.on('warning', onWarning);
  const runner = createRunner();
  const shared = new AbortController();
  const giveUp = new AbortController();
  const runs = Array.from({ length: 200 }, async (_, index) => {
    const kind = KINDS[index % KINDS.length] ?? 'ok';
    const path = `/${kind}-${index}` as const;
    const target = targetAt(server.url, {
      slug: `acme${index % 3}`,
      concurrency: 80,
      timeoutMs: kind === 'hang' ? 100 : 10_000,
    });
    const signal = kind === 'cancelled' ? giveUp.signal : shared.signal;
    const call = { method: 'GET', path } as const;
    return { kind, path, result: await runner.run(requestTo(target, { call, signal })) };
  });
  const isGivenUp = ({ url }: { readonly url: string }) => url.startsWith('/cancelled');
  await until(() => server.received.filter(isGivenUp).length === 40);
  giveUp.abort();

  for (const { kind, path, result } of await Promise.all(runs)) {
    if (kind === 'ok') expect(result).toMatchObject({ status: 'succeeded', value: { url: path } });
    else {
      const codes = {
        busy: 'bad_request',
        cut: 'network_error',
        hang: 'timeout',
        cancelled: 'cancelled',
      };
      expect(failureOf(result).code).toBe(codes[kind]);
      expect(result.raw).toEqual(kind === 'busy' ? { url: path } : null);
    }
  }
  process.off('warning', onWarning);
  expect(warnings).toEqual([]);
});

describe('close', () => {
  test('leaves no socket open', async () => {
    const server = await serveHttp((response, { url }) => {
      if (url !== '/hang') sendJson(response, {});
    });
    const runner = createRunner();
    const run = (path: `/${string}`, timeoutMs: number) =>
      runner.run(requestTo(targetAt(server.url, { timeoutMs }), { call: { method: 'GET', path } }));
    await Promise.all([run('/a', 5_000), run('/b', 5_000), run('/hang', 30)]);
    expect(server.sockets.size).toBeGreaterThan(0);
    await runner.close();
    await until(() => server.sockets.size === 0);
  });

  test('waits for the calls in progress and accepts no new ones', async () => {
    const server = await serveHttp((response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{');
      setImmediate(() => response.end('}'));
    });
    let isClosed = false;
    const runner = createRunner();
    const request = requestTo(targetAt(server.url));
    const underWay = runner.run(request);
    const closing = runner.close().then(() => {
      isClosed = true;
    });
    const late = await runner.run(request);
    expect(failureOf(late).code).toBe('cancelled');
    expect(late).toMatchObject({ calls: 0, latencyMs: null });
    expect(isClosed).toBe(false);
    expect((await underWay).status).toBe('succeeded');
    await closing;
    expect(server.received).toHaveLength(1);
  });

  test('may be called twice', async () => {
    const runner = createRunner();
    await Promise.all([runner.close(), runner.close()]);
    await runner.close();
    const late = await runner.run(requestTo(targetAt('http://127.0.0.1:9')));
    expect(failureOf(late).code).toBe('cancelled');
  });
});
