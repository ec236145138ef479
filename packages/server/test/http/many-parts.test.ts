import { arrayParts, jsonText } from '@trawl/base';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventReply } from '../../src/http/answer/events.ts';
import { type HttpListener, startHttpServer } from '../../src/http/socket/serve.ts';
import { AUTHORIZED, testApp } from './app.ts';

/**
 * More than a call of a function can have arguments. A session of 16,000 interactions has as many.
 */
const NUMBERS = Array.from({ length: 200_000 }, (_, at) => at);
const WHOLE = JSON.stringify(NUMBERS);
const text = arrayParts<number>(NUMBERS.map((number) => jsonText<number>(number)));

let server: HttpListener;
beforeAll(async () => {
  const { app } = testApp({
    handlers: {
      listSessions: async () => ({ text }),
      search: async () =>
        eventReply(async () => text as never, {
          style: 'detail',
          requestId: 'many-parts',
          onError: (error) => {
            throw error;
          },
        }),
    },
  });
  server = await startHttpServer(app, { host: '127.0.0.1', port: 0 });
});
afterAll(() => server.stop(0));

test('an answer of 400,000 parts is answered whole', async () => {
  const answer = await fetch(`${server.url}/v1/sessions`, { headers: AUTHORIZED });
  expect(answer.status).toBe(200);
  expect((await answer.text()) === WHOLE).toBe(true);
});

test('an event of 400,000 parts is answered whole', async () => {
  const answer = await fetch(`${server.url}/v1/search`, {
    method: 'POST',
    headers: { ...AUTHORIZED, 'content-type': 'application/json' },
    body: '{"user_input":{"query":"q"}}',
  });
  expect((await answer.text()) === `event: done\ndata: ${WHOLE}\n\n`).toBe(true);
});
