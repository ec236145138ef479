import { sendJson, serveHttp } from '@trawl/test-support/loopback';
import { expect, test } from 'vitest';
import { createRunner, failureOf, fakeClock, requestTo, targetAt } from './support/calls.ts';

/** An instance that answers with this status, and counts what it was asked. */
async function instance(initial = 200) {
  const own = { status: initial, asked: 0 };
  const server = await serveHttp((response) => {
    own.asked += 1;
    sendJson(response, own.status === 200 ? { rows: [] } : {}, own.status);
  });
  return { url: server.url, own };
}

function setUp(addresses: readonly string[]) {
  const clock = fakeClock();
  const runner = createRunner({ breaker: 'on', elapsed: clock.elapsed });
  const [baseUrl = '', ...otherBaseUrls] = addresses;
  const target = targetAt(baseUrl, {
    credentials: [],
    authentication: { in: 'none' },
    otherBaseUrls,
  });
  return { clock, runner, target, ask: () => runner.run(requestTo(target, { retry: true })) };
}

const UNREACHABLE = 'http://127.0.0.1:9';

test('the second address answers while the first fails, and the first again when it works', async () => {
  const [first, second] = [await instance(503), await instance()];
  const { ask, clock, runner, target } = setUp([first.url, second.url]);
  for (let calls = 0; calls < 6; calls += 1) {
    expect(await ask()).toMatchObject({ status: 'succeeded', baseUrl: second.url, keyTail: null });
  }
  // five failures in a row opened the circuit of the first
  expect([first.own.asked, second.own.asked]).toEqual([5, 6]);
  expect(runner.accesses(target)).toMatchObject([
    { address: first.url, state: 'open', cause: 'upstream_error' },
    { address: second.url, state: 'closed' },
  ]);
  expect(runner.health(target).state).toBe('closed');
  first.own.status = 200;
  clock.advance(15_000);
  expect((await ask()).baseUrl).toBe(first.url);
  expect((await ask()).baseUrl).toBe(first.url);
});

test('one that cannot be reached costs a call nothing but the attempt', async () => {
  const second = await instance();
  const { ask } = setUp([UNREACHABLE, second.url]);
  expect(await ask()).toMatchObject({ status: 'succeeded', calls: 1, baseUrl: second.url });
});

test('a request that the instance refuses is not sent to the next', async () => {
  const [first, second] = [await instance(400), await instance()];
  const { ask } = setUp([first.url, second.url]);
  expect(failureOf(await ask()).code).toBe('bad_request');
  expect(second.own.asked).toBe(0);
});

test('the circuit opens when all addresses cool down', async () => {
  const [first, second] = [await instance(500), await instance(500)];
  const { ask, runner, target } = setUp([first.url, second.url]);
  for (let calls = 0; calls < 5; calls += 1) expect((await ask()).status).toBe('failed');
  expect(runner.health(target)).toMatchObject({ state: 'open', cause: 'upstream_error' });
  expect(failureOf(await ask()).code).toBe('circuit_open');
});
