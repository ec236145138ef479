import { sendJson, serveHttp } from '@trawl/test-support/loopback';
import { expect, test } from 'vitest';
import { createRunner, failureOf, KEY, requestTo, targetAt } from './support/calls.ts';

const NEW_KEY = 'sk-test-fedcba9876543210';

test('a refusal of the old key, still on its way, does not close the provider for the new one', async () => {
  const held: (() => void)[] = [];
  const server = await serveHttp((response, { headers }) => {
    if (headers['x-api-key'] === NEW_KEY) sendJson(response, { rows: [] });
    else held.push(() => sendJson(response, {}, 401));
  });
  const runner = createRunner({ breaker: 'on' });
  const request = requestTo(targetAt(server.url));
  const late = runner.run(request);
  await expect.poll(() => held.length).toBe(1);
  runner.replaceKeys('acme', [NEW_KEY]);
  held[0]?.();
  expect(failureOf(await late).code).toBe('invalid_credential');
  expect(runner.health(targetAt('')).state).toBe('closed');
  // planned with the old key, sent with the new one
  expect(await runner.run(request)).toMatchObject({ status: 'succeeded' });
});

test('answers are freed of both keys', async () => {
  const server = await serveHttp((response) => sendJson(response, { keys: [KEY, NEW_KEY] }));
  const runner = createRunner();
  const request = requestTo(targetAt(server.url));
  await runner.run(request);
  runner.replaceKeys('acme', [NEW_KEY]);
  expect((await runner.run(request)).raw).toEqual({ keys: ['[redacted]', '[redacted]'] });
});

test('a key that is taken away ends the calls of its provider', async () => {
  const server = await serveHttp((response) => sendJson(response, {}));
  const runner = createRunner();
  runner.replaceKeys('acme', []);
  const result = await runner.run(requestTo(targetAt(server.url)));
  expect(failureOf(result).code).toBe('missing_credential');
});

test('an outage stays an outage with another key', async () => {
  const server = await serveHttp((response) => sendJson(response, {}, 500));
  const runner = createRunner({ breaker: 'on' });
  const request = requestTo(targetAt(server.url));
  for (let calls = 0; calls < 5; calls += 1) await runner.run(request);
  runner.replaceKeys('acme', [NEW_KEY]);
  expect(runner.health(targetAt('')).state).toBe('open');
});
