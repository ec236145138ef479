import type { OptionalPart } from '@trawl/providers';
import { sendJson, serveHttp } from '@trawl/test-support/loopback';
import { expect, test } from 'vitest';
import { createRunner, KEY, requestTo, targetAt } from './support/calls.ts';

const NEW_KEY = 'sk-test-fedcba9876543210';

/** A vendor whose plan for the old key lacks `dates`. */
const vendor = () =>
  serveHttp((response, { headers, body }) => {
    const isRefused = headers['x-api-key'] === KEY && body.includes('dates');
    sendJson(response, {}, isRefused ? 400 : 200);
  });

const DATES: OptionalPart = {
  in: 'body',
  name: 'dates',
  isRefused: ({ status }) => status === 400,
};

test('a part that the plan of one key lacks is sent again with another key', async () => {
  const server = await vendor();
  const runner = createRunner();
  const call = { method: 'POST', path: '/search', body: { query: 'owls', dates: true } } as const;
  const runWith = (credential: string) =>
    runner.run(
      requestTo(targetAt(server.url, { credentials: [credential] }), {
        call,
        optionalParts: [DATES],
      }),
    );
  for (const key of [KEY, KEY, NEW_KEY, KEY]) {
    expect(await runWith(key)).toMatchObject({ status: 'succeeded' });
  }
  expect(
    server.received.map(({ headers, body }) => [headers['x-api-key'], body.includes('dates')]),
  ).toEqual([
    [KEY, true],
    [KEY, false],
    [KEY, false],
    [NEW_KEY, true],
    [KEY, false],
  ]);
});

test('a part that was refused is sent again after the key of its provider was replaced', async () => {
  const server = await vendor();
  const runner = createRunner();
  const call = { method: 'POST', path: '/search', body: { query: 'owls', dates: true } } as const;
  const planned = requestTo(targetAt(server.url), { call, optionalParts: [DATES] });
  await runner.run(planned);
  runner.replaceKeys('acme', [NEW_KEY]);
  // planned with the old key, sent with the new one
  expect(await runner.run(planned)).toMatchObject({ status: 'succeeded' });
  expect(server.received.at(-1)?.headers['x-api-key']).toBe(NEW_KEY);
  expect(server.received.at(-1)?.body).toContain('dates');
});
