import { getEventListeners, once } from 'node:events';
import https from 'node:https';
import net from 'node:net';
import {
  type Loopback,
  listen,
  sendJson,
  serveHttp,
  serveTcp,
  until,
} from '@trawl/test-support/loopback';
import { TEST_TLS } from '@trawl/test-support/tls';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createRunner, failureOf, fakeClock, requestTo, targetAt } from './support/calls.ts';

interface Stall extends Loopback {
  isAsked(): boolean;
}

/** Servers that never finish, each in its own way. */
const STALLS: Readonly<Record<string, () => Promise<Stall>>> = {
  'that accepts and sends nothing': async () => {
    let isAsked = false;
    const server = await serveTcp((socket) => {
      socket.on('data', () => {
        isAsked = true;
      });
    });
    return { ...server, isAsked: () => isAsked };
  },
  'that sends its headers and hangs': async () => {
    const server = await serveHttp((response) => response.writeHead(200).flushHeaders());
    return { ...server, isAsked: () => server.received.length > 0 };
  },
  'that drips its body': async () => {
    const server = await serveHttp((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 5);
      response.on('close', () => clearInterval(timer));
    });
    return { ...server, isAsked: () => server.received.length > 0 };
  },
};

describe.each(Object.entries(STALLS))('a server %s', (_name, serve) => {
  test("ends with the provider's own timeout", async () => {
    const server = await serve();
    const target = targetAt(server.url, { timeoutMs: 60 });
    const result = await createRunner().run(requestTo(target));
    expect(failureOf(result).code).toBe('timeout');
    expect(failureOf(result).retryable).toBe(true);
    expect(failureOf(result).message).toMatch(/^acme did not answer .* its timeout of 60 ms/);
    expect(result.latencyMs).toBeGreaterThanOrEqual(50);
    await until(() => server.sockets.size === 0);
  });

  test('ends with the deadline of the request, which the message names', async () => {
    const server = await serve();
    const runner = createRunner();
    const deadlineAt = Date.now() + 250;
    const result = await runner.run(requestTo(targetAt(server.url), { deadlineAt }));
    expect(failureOf(result).code).toBe('timeout');
    expect(failureOf(result).message).toContain('before the deadline of the whole request');
    await until(() => server.sockets.size === 0);
  });

  test('ends at once when the caller gives up', async () => {
    const server = await serve();
    const controller = new AbortController();
    const run = createRunner().run(requestTo(targetAt(server.url), { signal: controller.signal }));
    await until(() => server.isAsked());
    controller.abort();
    const result = await run;
    expect(failureOf(result).code).toBe('cancelled');
    expect(result.calls).toBe(1);
    await until(() => server.sockets.size === 0);
  });
});

describe('a call whose time is over before it begins', () => {
  test.each([
    ['cancelled', { signal: AbortSignal.abort() }],
    ['timeout', { deadlineAt: Date.now() - 1 }],
  ])('is %s without a call', async (code, changes) => {
    const server = await serveHttp((response) => sendJson(response, {}));
    const result = await createRunner().run(requestTo(targetAt(server.url), changes));
    expect(failureOf(result).code).toBe(code);
    expect(result).toMatchObject({ calls: 0, raw: null });
    expect(server.received).toHaveLength(0);
  });
});

describe('a call that ends while it connects', () => {
  test('sends nothing when the connection opens later', async () => {
    const paths: (string | undefined)[] = [];
    const secure = https.createServer(TEST_TLS, ({ url }, response) => {
      paths.push(url);
      response.writeHead(200, { connection: 'close' }).end();
    });
    const behind = await listen(secure);
    let letThrough = () => {};
    const front = await serveTcp((socket) => {
      letThrough = () => socket.pipe(net.connect(behind.port, '127.0.0.1')).pipe(socket);
    });
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    const controller = new AbortController();
    const request = requestTo(targetAt(`https://127.0.0.1:${front.port}`), {
      signal: controller.signal,
    });
    const run = createRunner().run(request);
    await until(() => front.sockets.size === 1);
    controller.abort();
    expect(await run).toMatchObject({ status: 'failed', calls: 0 });

    const connected = once(secure, 'connection');
    letThrough();
    await connected;
    await until(() => behind.sockets.size === 0);
    expect(paths).toEqual([]);
  });

  test('ends at once, and its socket closes soon after', async () => {
    const sent: Buffer[] = [];
    const server = await serveTcp((socket) => socket.on('data', (data) => sent.push(data)));
    const controller = new AbortController();
    const request = requestTo(targetAt(`https://127.0.0.1:${server.port}`), {
      signal: controller.signal,
    });
    const run = createRunner({ connectTimeoutMs: 1_000 }).run(request);
    await until(() => server.sockets.size === 1);
    controller.abort();
    const result = await run;
    expect(failureOf(result).code).toBe('cancelled');
    expect(result.calls).toBe(0);
    await until(() => server.sockets.size === 0);
    expect(Buffer.concat(sent).toString('latin1')).not.toContain('/search');
  });
});

describe('after a call', () => {
  test('its signal has no listener left, and no timer runs', async () => {
    const server = await serveHttp((response, { url }) => {
      if (url === '/ok') sendJson(response, {});
      else if (url === '/busy') sendJson(response, {}, 503);
    });
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout');
    const before = timers().length;
    const { signal } = new AbortController();
    const runner = createRunner();
    const target = targetAt(server.url, { timeoutMs: 1_500, concurrency: 1 });
    const run = (path: `/${string}`, timeoutMs = 1_500) =>
      runner.run(
        requestTo({ ...target, timeoutMs }, { call: { method: 'GET', path }, signal, retry: true }),
      );
    await Promise.all([run('/ok'), run('/busy'), run('/ok'), run('/hang', 40), run('/ok', 20)]);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    expect(timers().length).toBeLessThanOrEqual(before);
  });

  test('the next calls use its connection', async () => {
    const server = await serveHttp((response) => sendJson(response, {}));
    const runner = createRunner();
    for (let call = 0; call < 9; call += 1) await runner.run(requestTo(targetAt(server.url)));
    expect(server.received).toHaveLength(9);
    // undici waits a turn of the event loop before it uses a socket again, so the next call may
    // open a second one
    expect(server.sockets.size).toBeLessThanOrEqual(2);
  });
});

describe('the concurrency of a provider', () => {
  /** Answers only when the test says so. */
  async function heldServer() {
    const held: (() => void)[] = [];
    const server = await serveHttp((response, { url }) => {
      held.push(() => sendJson(response, { url }));
    });
    return { server, held };
  }

  test('is never exceeded, and all get their turn in order', async () => {
    const { server, held } = await heldServer();
    const runner = createRunner();
    const target = targetAt(server.url, { concurrency: 3 });
    const paths = Array.from({ length: 12 }, (_, at) => `/${at}` as const);
    const runs = paths.map((path) =>
      runner.run(requestTo(target, { call: { method: 'GET', path } })),
    );
    for (let answered = 0; answered < paths.length; answered += 1) {
      const expected = Math.min(answered + 3, paths.length);
      await until(() => server.received.length === expected);
      held.shift()?.();
    }
    for (const run of runs) expect((await run).status).toBe('succeeded');
    const order = server.received.map(({ url }) => url);
    expect(order.slice(0, 3).sort()).toEqual(paths.slice(0, 3));
    expect(order.slice(3)).toEqual(paths.slice(3));
  });

  test('keeps the order of the calls, even if it has room for more', async () => {
    const { server, held } = await heldServer();
    const runner = createRunner();
    const run = (path: `/${string}`, concurrency: number) =>
      runner.run(
        requestTo(targetAt(server.url, { concurrency }), { call: { method: 'GET', path } }),
      );
    const runs = [run('/first', 1), run('/second', 1), run('/third', 2)];
    for (let answered = 0; answered < 3; answered += 1) {
      await until(() => held.length > 0);
      held.shift()?.();
    }
    await Promise.all(runs);
    expect(server.received.map(({ url }) => url)).toEqual(['/first', '/second', '/third']);
  });

  test('callers take turns, each in the order of its own calls', async () => {
    const { server, held } = await heldServer();
    const runner = createRunner();
    const target = targetAt(server.url, { concurrency: 1 });
    const run = (path: `/${string}`, callerId: string) =>
      runner.run(requestTo(target, { callerId, call: { method: 'GET', path } }));
    const runs = ['/a1', '/a2', '/a3', '/a4', '/b1', '/b2', '/c1'].map((path) =>
      run(path as `/${string}`, path.slice(1, 2)),
    );
    for (const _run of runs) {
      await until(() => held.length === 1);
      held.shift()?.();
    }
    await Promise.all(runs);
    expect(server.received.map(({ url }) => url)).toEqual([
      ...['/a1', '/a2', '/b1', '/c1', '/a3', '/b2', '/a4'],
    ]);
  });

  test('a caller that leaves the queue leaves the turns of the others as they are', async () => {
    const { server, held } = await heldServer();
    const runner = createRunner();
    const target = targetAt(server.url, { concurrency: 1 });
    const leaving = new AbortController();
    const run = (path: `/${string}`, signal = new AbortController().signal) =>
      runner.run(requestTo(target, { callerId: path, signal, call: { method: 'GET', path } }));
    const first = run('/first');
    await until(() => held.length === 1);
    const left = run('/left', leaving.signal);
    const runs = [first, run('/second'), run('/third')];
    leaving.abort();
    expect(failureOf(await left).code).toBe('cancelled');
    for (const _run of runs) {
      await until(() => held.length === 1);
      held.shift()?.();
    }
    await Promise.all(runs);
    expect(server.received.map(({ url }) => url)).toEqual(['/first', '/second', '/third']);
  });

  test('applies to each operation of each provider separately', async () => {
    const { server, held } = await heldServer();
    const runner = createRunner();
    const lanes = [{ slug: 'one' }, { slug: 'two' }, { slug: 'one', operation: 'fetch' }] as const;
    const runs = lanes.map((lane) =>
      runner.run(requestTo(targetAt(server.url, { ...lane, concurrency: 1 }))),
    );
    await until(() => held.length === 3);
    for (const answer of held) answer();
    const ended = (await Promise.all(runs)).map(({ status }) => status);
    expect(ended).toEqual(['succeeded', 'succeeded', 'succeeded']);
  });

  test.each([
    [{ waitMs: 30, withinMs: 60_000 }, 'for as long as one attempt may take'],
    [{ waitMs: 60_000, withinMs: 30 }, 'until the deadline of the whole request'],
  ])(
    'a waiting call leaves the queue %j, which says so, and takes no slot',
    async ({ waitMs, withinMs }, words) => {
      const { server, held } = await heldServer();
      const runner = createRunner();
      const target = targetAt(server.url, { concurrency: 1 });
      const first = runner.run(requestTo(target));
      await until(() => held.length === 1);
      const deadlineAt = Date.now() + withinMs;
      const late = await runner.run(requestTo(target, { waitMs, deadlineAt }));
      expect(failureOf(late)).toMatchObject({ code: 'timeout', retryable: true, httpStatus: null });
      expect(failureOf(late).message).toContain(
        `acme was not asked: all 1 slots of this server for its search were taken ${words} (`,
      );
      expect(late.calls).toBe(0);

      const third = runner.run(requestTo(target));
      held.shift()?.();
      await until(() => held.length === 1);
      held.shift()?.();
      expect((await first).status).toBe('succeeded');
      expect((await third).status).toBe('succeeded');
      expect(server.received).toHaveLength(2);
    },
  );

  test('the wait for a slot does not count as time of the call', async () => {
    const { server, held } = await heldServer();
    const clock = fakeClock();
    const runner = createRunner({ clock });
    const deadlineAt = clock.now() + 60_000;
    const target = targetAt(server.url, { concurrency: 1, timeoutMs: 5_000 });
    const first = runner.run(requestTo(target, { deadlineAt }));
    await until(() => held.length === 1);
    const second = runner.run(requestTo(target, { deadlineAt }));
    clock.advance(20_000);
    held.shift()?.();
    await until(() => held.length === 1);
    held.shift()?.();
    await first;
    expect(await second).toMatchObject({ status: 'succeeded', waitedMs: 20_000 });
  });

  test('a slot that comes too late for a useful call: nothing is sent', async () => {
    const { server, held } = await heldServer();
    const clock = fakeClock();
    const runner = createRunner({ clock });
    const target = targetAt(server.url, { concurrency: 1 });
    const run = (deadlineAt: number) => runner.run(requestTo(target, { deadlineAt }));
    const startsAt = clock.now();
    // its answers take 8 s, so 4 s is the least time that is useful
    const first = run(startsAt + 60_000);
    await until(() => held.length === 1);
    const [late, inTime] = [run(startsAt + 11_999), run(startsAt + 12_001)];
    clock.advance(8_000);
    held.shift()?.();
    await until(() => held.length === 1);
    held.shift()?.();
    await first;
    expect(await late).toMatchObject({ calls: 0, latencyMs: 8_000, failure: { code: 'timeout' } });
    expect(await inTime).toMatchObject({ status: 'succeeded' });
    expect(server.received).toHaveLength(2);
  });

  describe('room for answers', () => {
    /** Room that is free once the test gives it. */
    function roomToGive() {
      let isFree = false;
      let give = () => {};
      const given = new Promise<void>((resolve) => {
        give = () => {
          isFree = true;
          resolve();
        };
      });
      return { give, answerMemory: { hasRoom: () => isFree, whenRoom: () => given } };
    }

    test('no call is sent without it, and the wait does not count as its time', async () => {
      const { server, held } = await heldServer();
      const clock = fakeClock();
      const { give, answerMemory } = roomToGive();
      const runner = createRunner({ clock, answerMemory });
      const target = targetAt(server.url, { timeoutMs: 5_000 });
      const call = runner.run(requestTo(target, { deadlineAt: clock.now() + 60_000 }));
      clock.advance(20_000);
      expect(server.received).toHaveLength(0);
      give();
      await until(() => held.length === 1);
      held.shift()?.();
      expect(await call).toMatchObject({ status: 'succeeded', waitedMs: 20_000 });
    });

    test('a call that gets none in time reports it and frees its slot', async () => {
      const { server, held } = await heldServer();
      const { give, answerMemory } = roomToGive();
      const runner = createRunner({ answerMemory });
      const target = targetAt(server.url, { concurrency: 1 });
      const late = await runner.run(requestTo(target, { deadlineAt: Date.now() + 30 }));
      expect(late).toMatchObject({ calls: 0, failure: { code: 'timeout', retryable: true } });
      expect(failureOf(late).message).toContain('acme was not asked: the answers that wait');
      const controller = new AbortController();
      const left = runner.run(requestTo(target, { signal: controller.signal }));
      controller.abort();
      expect(failureOf(await left).code).toBe('cancelled');
      give();
      const next = runner.run(requestTo(target));
      await until(() => held.length === 1);
      held.shift()?.();
      expect((await next).status).toBe('succeeded');
      expect(server.received).toHaveLength(1);
    });
  });

  test('a waiting call leaves the queue when its caller gives up', async () => {
    const { server, held } = await heldServer();
    const runner = createRunner();
    const target = targetAt(server.url, { concurrency: 1 });
    const first = runner.run(requestTo(target));
    const controller = new AbortController();
    const second = runner.run(requestTo(target, { signal: controller.signal }));
    controller.abort();
    expect(failureOf(await second).code).toBe('cancelled');
    await until(() => held.length === 1);
    held.shift()?.();
    await first;
    expect(server.received).toHaveLength(1);
  });

  test('a slot is free again after every kind of end', async () => {
    const server = await serveHttp((response, { url }) => {
      if (url === '/ok') sendJson(response, {});
      else if (url === '/cut') response.destroy();
      else if (url === '/fault') sendJson(response, {}, 500);
    });
    const runner = createRunner();
    const target = targetAt(server.url, { concurrency: 1 });
    const run = (path: `/${string}`, timeoutMs = 10_000) =>
      runner.run(requestTo({ ...target, timeoutMs }, { call: { method: 'GET', path } }));
    const throwing = requestTo(target, {
      call: { method: 'GET', path: '/ok' },
      read: () => {
        throw new Error('no');
      },
    });
    await Promise.all([run('/hang', 30), run('/cut'), run('/fault'), runner.run(throwing)]);
    expect((await run('/ok')).status).toBe('succeeded');
  });
});
