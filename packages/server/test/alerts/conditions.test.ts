import { openDatabase } from '@trawl/database';
import { describeOnDatabases } from '@trawl/test-support/databases';
import { startTestServer } from '@trawl/test-support/harness';
import { sendJson, serveHttp, serveTcp } from '@trawl/test-support/loopback';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Alert } from '../../src/alerts/alerts.ts';
import { createCircuitAlerts, createStoreAlerts, raiseIll } from '../../src/alerts/conditions.ts';

const SECRET = 'a-secret-of-the-webhook';

function collected() {
  const raised: Alert[] = [];
  const raise = (alert: Alert) => void raised.push(alert);
  return { raised, alerts: { raise } };
}

it('a key that a provider refuses is reported, without the query and the key', async () => {
  const hook = await serveHttp((response) => sendJson(response, {}));
  const server = await startTestServer({
    env: { ALERT_WEBHOOK_URL: hook.url, ALERT_WEBHOOK_SECRET: SECRET },
  });
  onTestFinished(() => server.stop());
  server.sandbox.inject('exa', 'status=401', { times: 2 });
  const answer = await server.search({
    user_input: { query: 'a query that no one else may read' },
    search: { providers: { include: ['exa'] } },
  });
  expect(answer.status).toBe(200);
  await expect.poll(() => hook.received.length).toBe(1);
  const [{ body } = { body: '' }] = hook.received;
  expect(JSON.parse(body)).toMatchObject({
    type: 'provider_key_refused',
    subject: 'key …q=&x of exa',
    message: 'exa refused its key …q=&x: replace it, or look at the account there.',
    data: { provider: 'exa', key_tail: 'q=&x' },
  });
  expect(body).not.toMatch(/no one else|planted/);
  expect(server.logged()).not.toContain(SECRET);
});

it('a provider whose answers went bad is reported with its reasons, and no other', () => {
  const { raised, alerts } = collected();
  const since = Date.parse('2026-11-01T00:00:00Z');
  const kept = { since, countsFrom: 0, ill: null };
  const empty = { kind: 'empty', field: null, before: 0.96, answers: 60 } as const;
  const measures = [
    { ...empty, worse: 0.9, capped: 0.9, recent: 0.06 },
    { kind: 'rows', field: null, worse: 0.1, capped: 0.1, recent: 0.9, before: 1, answers: 60 },
  ] as const;
  raiseIll(
    alerts,
    new Map([
      ['exa', { ...kept, state: 'ill', measures }],
      ['brave', { ...kept, state: 'doubtful', measures }],
    ]),
  );
  const reason =
    'of its last 60 answers 94 % had no rows, and 4 % of those before; where all others found nothing either, an answer does not count';
  expect(raised).toEqual([
    {
      type: 'provider_health',
      subject: 'health of exa',
      message: `The answers of exa went bad: ${reason}.`,
      data: { provider: 'exa', since: '2026-11-01T00:00:00.000Z', reasons: [reason] },
    },
  ]);
});

it('requests are answered while the webhook hangs', async () => {
  const hook = await serveTcp(() => {});
  const server = await startTestServer({
    env: { ALERT_WEBHOOK_URL: hook.url, ALERT_WEBHOOK_SECRET: SECRET },
  });
  server.sandbox.inject('exa', 'status=401', { times: 1 });
  const body = { user_input: { query: 'tides' }, search: { providers: { include: ['exa'] } } };
  await server.search(body);
  await expect.poll(() => hook.sockets.size).toBe(1);
  expect((await server.search(body)).json.status).toBe('succeeded');
  // the stop does not wait for the webhook either
  await server.stop();
});

describeOnDatabases('a server', (database) => {
  it('reports a budget that is spent, and a store that cannot record', async () => {
    // what is looked at every 15 s is looked at when this clock says so
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const hook = await serveHttp((response) => sendJson(response, {}));
    const server = await startTestServer({
      database,
      env: { ALERT_WEBHOOK_URL: hook.url, ALERT_WEBHOOK_SECRET: SECRET },
    });
    onTestFinished(() => server.stop());
    const search = (key: string) =>
      server.search(
        { user_input: { query: 'tides' }, search: { providers: { include: ['exa'] } } },
        { key },
      );
    const { id, key } = await server.makeKey('team');
    await server.server.store.keys.changeKey(id, { monthlyBudgetMicros: 8_000 });
    expect((await search(key)).status).toBe(200);
    await vi.advanceTimersByTimeAsync(15_000);
    await expect.poll(() => hook.received.length).toBe(1);
    expect(JSON.parse(hook.received[0]?.body ?? '')).toMatchObject({
      type: 'budget',
      message: expect.stringContaining('87 % of the monthly budget of key team is spent'),
      data: { id, level: 80 },
    });
    const { db } = openDatabase(server.database.location, { connections: 1 });
    onTestFinished(() => db.destroy());
    await db.schema.alterTable('runs').renameTo('elsewhere').execute();
    expect((await search(server.key)).status).toBe(503);
    await expect.poll(() => hook.received.length).toBe(2);
    expect(JSON.parse(hook.received[1]?.body ?? '')).toMatchObject({
      type: 'store_closed',
      subject: 'store',
    });
  });
});

it('a circuit is reported when it is open after five minutes, not when it only waits for a call', () => {
  const { alerts, raised } = collected();
  let elapsed = 0;
  const look = createCircuitAlerts(alerts, () => elapsed);
  const lane = (breaker: 'open' | 'half_open' | 'closed') => [
    { provider: 'exa', operation: 'search', breaker, cause: 'timeout' },
  ];
  look(lane('open'));
  elapsed = 200_000;
  look(lane('half_open'));
  elapsed = 299_000;
  look(lane('open'));
  elapsed = 400_000;
  look(lane('half_open'));
  expect(raised).toEqual([]);
  elapsed = 420_000;
  look(lane('open'));
  expect(raised).toEqual([
    {
      type: 'circuit_open',
      subject: 'circuit of exa search',
      message: 'The circuit of exa (search) has been open for 7 minutes: timeout.',
      data: { provider: 'exa', operation: 'search', cause: 'timeout', open_seconds: 420 },
    },
  ]);
  look(lane('closed'));
  look(lane('open'));
  elapsed = 600_000;
  look(lane('open'));
  expect(raised).toHaveLength(1);
});

it('a store that closes is reported at once, and again until it records', () => {
  const { alerts, raised } = collected();
  const { changed, look } = createStoreAlerts(alerts);
  look();
  changed('its disk is full or cannot be written');
  look();
  changed(null);
  look();
  expect(raised.map(({ subject }) => subject)).toEqual(['store', 'store']);
  expect(raised[0]?.message).toContain('(its disk is full or cannot be written)');
});
