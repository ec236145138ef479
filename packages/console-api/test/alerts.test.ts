import { startConsoleServer } from '@trawl/test-support/console-server';
import { sendJson, serveHttp } from '@trawl/test-support/loopback';
import { expect, it, onTestFinished } from 'vitest';

const LIST = '/console/api/alerts';
const TEST = `${LIST}/test`;

it('operators post a test alert and see what was sent; others may not', async () => {
  const hook = await serveHttp((response) => sendJson(response, {}));
  const server = await startConsoleServer({
    env: {
      ALERT_WEBHOOK_URL: `${hook.url}/token`,
      ALERT_WEBHOOK_SECRET: 'a-secret-of-the-webhook',
    },
  });
  onTestFinished(() => server.stop());
  const operator = await server.operator();
  expect((await operator.call('GET', LIST)).json).toEqual({ is_set: true, alerts: [] });
  const tested = await operator.call('POST', TEST);
  expect([tested.status, tested.json]).toEqual([200, { ok: true, tries: 1, problem: null }]);
  expect(hook.received.map(({ url, body }) => [url, JSON.parse(body).type])).toEqual([
    ['/token', 'test'],
  ]);
  const listed = await operator.call('GET', LIST);
  expect(listed.json.alerts).toMatchObject([
    { type: 'test', state: 'delivered', tries: 1, problem: null },
  ]);
  expect(listed.text).not.toMatch(/token|a-secret/);
  const owner = await server.person('owner');
  expect((await owner.call('GET', LIST)).status).toBe(403);
  expect((await owner.call('POST', TEST)).status).toBe(403);
  expect((await server.browser().call('GET', LIST)).status).toBe(401);
  expect(hook.received).toHaveLength(1);
});

it('without a webhook a test says which settings are missing', async () => {
  const server = await startConsoleServer();
  onTestFinished(() => server.stop());
  const operator = await server.operator();
  expect((await operator.call('GET', LIST)).json).toEqual({ is_set: false, alerts: [] });
  const tested = await operator.call('POST', TEST);
  expect([tested.status, tested.json.detail]).toEqual([
    404,
    'No webhook is set: set ALERT_WEBHOOK_URL and ALERT_WEBHOOK_SECRET, then start the server again',
  ]);
});
