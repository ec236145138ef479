import { createHmac } from 'node:crypto';
import { type Clock, HOUR_MS, systemClock } from '@trawl/base';
import { openDatabase } from '@trawl/database';
import { collectingLog } from '@trawl/test-support/collecting-log';
import { describeOnDatabases } from '@trawl/test-support/databases';
import {
  freePort,
  type ReceivedRequest,
  sendJson,
  serveHttp,
  serveTcp,
} from '@trawl/test-support/loopback';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Alert, type AlertsOptions, createAlerts } from '../../src/alerts/alerts.ts';
import { sendTestAlert } from '../../src/alerts/test-alert.ts';
import { readConfig } from '../../src/config/config.ts';

const SECRET = 'a-secret-of-the-webhook';
const TIMING = { tryMs: 5_000, pausesMs: [1, 1] };

const alertOn = (subject: string): Alert => ({
  type: 'circuit_open',
  subject,
  message: `The circuit of ${subject} is open.`,
  data: { provider: subject },
});

const newsOf = (run: string): Alert => ({ ...alertOn(run), type: 'watch' });

function open(options: Partial<AlertsOptions> & { readonly url: string }) {
  const { log, lines } = collectingLog();
  const alerts = createAlerts({
    webhook: { url: options.url, secret: SECRET },
    alertLog: { claim: async () => true, end: async () => {} },
    clock: systemClock,
    log,
    publicUrl: 'https://trawl.example.com',
    timing: TIMING,
    ...options,
  });
  onTestFinished(() => alerts.stop());
  return { alerts, lines };
}

const alertRow = (id: string) => ({
  id,
  type: 'test',
  subject: id,
  message: 'a test',
  state: 'delivered' as const,
  tries: 1,
  problem: null,
});

function checkSignature({ headers, body }: ReceivedRequest): void {
  const [time, digest] = String(headers['x-trawl-signature']).split(',');
  const seconds = Number(time?.replace('t=', ''));
  expect(Math.abs(Date.now() / 1000 - seconds)).toBeLessThan(60);
  const expected = createHmac('sha256', SECRET).update(`${seconds}.${body}`).digest('hex');
  expect(digest).toBe(`v1=${expected}`);
}

describeOnDatabases('an alert', (database) => {
  it('is posted as signed JSON, once for a subject in an hour over all servers, and is in the log', async () => {
    const hook = await serveHttp((response) => sendJson(response, {}));
    const opened = await database.open();
    onTestFinished(() => opened.cleanup());
    const other = await opened.another();
    let at = Date.now();
    let elapsed = 0;
    const clock: Clock = { ...systemClock, now: () => at };
    const servers = [opened.store, other].map(({ alerts: alertLog }) =>
      open({ url: hook.url, alertLog, clock, elapsed: () => elapsed }),
    );
    const raise = () => {
      for (const { alerts } of servers) alerts.raise(alertOn('exa search'));
      for (const { alerts } of servers) alerts.raise(alertOn('exa search'));
    };
    raise();
    servers[0]?.alerts.raise(alertOn('jina fetch'));
    await expect.poll(() => opened.store.alerts.latest(10)).toHaveLength(2);
    await expect
      .poll(async () => (await opened.store.alerts.latest(10)).map(({ state }) => state))
      .toEqual(['delivered', 'delivered']);
    expect(hook.received.map(({ body }) => JSON.parse(body).subject).sort()).toEqual([
      'exa search',
      'jina fetch',
    ]);
    const [first] = hook.received;
    if (!first) throw new Error('nothing came');
    checkSignature(first);
    expect([first.method, first.headers['content-type']]).toEqual(['POST', 'application/json']);
    const body = JSON.parse(first.body);
    expect(body).toEqual({
      id: expect.any(String),
      type: 'circuit_open',
      subject: 'exa search',
      created_at: new Date(at).toISOString(),
      server: 'https://trawl.example.com',
      message: 'The circuit of exa search is open.',
      data: { provider: 'exa search' },
    });
    const logged = (await opened.store.alerts.latest(10)).find(({ id }) => id === body.id);
    expect(logged).toMatchObject({ state: 'delivered', tries: 1, problem: null });
    // an hour later it is sent again, once
    at += HOUR_MS;
    elapsed += HOUR_MS;
    raise();
    await expect.poll(() => hook.received.length).toBe(3);
    await Promise.all(servers.map(({ alerts }) => alerts.stop()));
    expect(hook.received).toHaveLength(3);
  });

  it('about one subject from servers that ask at once is claimed by one of them', async () => {
    const opened = await database.open();
    onTestFinished(() => opened.cleanup());
    const others = await Promise.all([opened.another(), opened.another()]);
    const claims = await Promise.all(
      [opened.store, ...others, ...others].map(({ alerts }, index) =>
        alerts.claim({ ...alertOn('store'), id: `alert ${index}` }, Date.now()),
      ),
    );
    expect(claims.filter((isMine) => isMine)).toHaveLength(1);
  });

  it('that waits for the writer of an embedded database lets others read', async () => {
    const opened = await database.open();
    onTestFinished(() => opened.cleanup());
    const other = openDatabase(opened.location, { connections: 1 });
    onTestFinished(() => other.db.destroy());
    if (!other.isEmbedded) return;
    const { alerts, keys } = opened.store;
    let isClaimed = false;
    let claiming = Promise.resolve(false);
    await other.db.transaction().execute(async () => {
      claiming = alerts.claim({ ...alertOn('store'), id: 'alert' }, Date.now()).finally(() => {
        isClaimed = true;
      });
      await keys.listProjects();
      expect(isClaimed).toBe(false);
    });
    expect(await claiming).toBe(true);
  });

  it('of long ago is deleted: the thousand newest stay', async () => {
    const opened = await database.open();
    onTestFinished(() => opened.cleanup());
    const { alerts } = opened.store;
    const rows = Array.from({ length: 1_004 }, (_, index) => ({
      ...alertRow(`${index}`),
      created_at: new Date(1e12 + index).toISOString(),
    }));
    await opened.store.accounts.database.db.insertInto('alerts').values(rows).execute();
    await alerts.claim({ ...alertOn('the last'), id: '1004' }, 1e12 + 1_004);
    const left = await alerts.latest(2_000);
    expect([left.length, left[0]?.id, left.at(-1)?.id]).toEqual([1_000, '1004', '5']);
  });

  it('stays in the log, and is sent once, however many alerts of watches follow', async () => {
    const opened = await database.open();
    onTestFinished(() => opened.cleanup());
    const { alerts } = opened.store;
    const at = 1e12;
    const claim = (alert: Alert, id: string) => alerts.claim({ ...alert, id }, at + 2_000);
    const rows = Array.from({ length: 1_004 }, (_, index) => ({
      ...alertRow(`run ${index}`),
      type: 'watch',
      created_at: new Date(at + index).toISOString(),
    }));
    await alerts.claim({ ...alertOn('exa search'), id: 'circuit' }, at - 1);
    await opened.store.accounts.database.db.insertInto('alerts').values(rows).execute();
    await claim(newsOf('the last run'), 'last');
    const left = await alerts.latest(2_000);
    expect([left.length, left[0]?.id, left.at(-2)?.id]).toEqual([1_001, 'last', 'run 5']);
    expect(left.at(-1)?.id).toBe('circuit');
    expect(await claim(alertOn('exa search'), 'again')).toBe(false);
  });
});

describe('a webhook', () => {
  it('that answers 500 is asked three times, then the log says so', async () => {
    const hook = await serveHttp((response) => sendJson(response, { text: 'secret' }, 500));
    const ends: unknown[] = [];
    const alertLog = {
      claim: async () => true,
      end: async (_id: string, end: unknown) => void ends.push(end),
    };
    const { alerts, lines } = open({ url: `${hook.url}/path-with-token`, alertLog });
    alerts.raise(alertOn('exa search'));
    await expect.poll(() => ends).toEqual([{ tries: 3, problem: 'HTTP 500' }]);
    expect(hook.received).toHaveLength(3);
    expect(lines).toMatchObject([
      {
        alert: 'circuit_open',
        subject: 'exa search',
        tries: 3,
        problem: 'HTTP 500',
        msg: 'an alert could not be sent to the webhook',
      },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/path-with-token|secret/);
  });

  it('that redirects is not followed', async () => {
    const inside = await serveHttp((response) => sendJson(response, {}));
    const hook = await serveHttp((response) =>
      response.writeHead(307, { location: `${inside.url}/private` }).end(),
    );
    const { alerts, lines } = open({ url: hook.url });
    alerts.raise(alertOn('exa search'));
    await expect
      .poll(() => lines)
      .toMatchObject([{ problem: 'HTTP 307, a redirect, which is not followed' }]);
    expect([hook.received.length, inside.received.length]).toEqual([3, 0]);
  });

  it('that hangs delays no one; what waits for it is bounded', async () => {
    const hook = await serveTcp(() => {});
    let now = 0;
    const elapsed = () => now;
    const { alerts, lines } = open({
      url: hook.url,
      elapsed,
      timing: { tryMs: 600_000, pausesMs: [] },
    });
    for (let index = 0; index < 5_000; index += 1) alerts.raise(alertOn(`subject ${index}`));
    expect(alerts.isQuiet('subject 4999')).toBe(true);
    now = 61_000;
    // it was dropped, so nobody was told: it may come again before an hour is over
    expect(alerts.isQuiet('subject 4999')).toBe(false);
    await expect.poll(() => hook.sockets.size).toBe(1);
    const dropped = lines.filter(({ msg }) => String(msg).startsWith('an alert was dropped'));
    // the first is being sent, a hundred wait
    expect(dropped).toHaveLength(4_899);
    await alerts.stop();
    expect(hook.sockets.size).toBe(1);
  });

  it('that is slow gets alerts of watches last; they are dropped first where too many wait', async () => {
    let answer = () => {};
    const isFree = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const hook = await serveHttp(async (response) => {
      await isFree;
      sendJson(response, {});
    });
    const { alerts, lines } = open({ url: hook.url });
    for (let run = 0; run < 110; run += 1) alerts.raise(newsOf(`run ${run}`));
    for (const subject of ['exa search', 'jina fetch']) alerts.raise(alertOn(subject));
    const dropped = lines.filter(({ msg }) => String(msg).startsWith('an alert was dropped'));
    // one is being sent, a hundred wait
    expect(dropped.map(({ alert }) => alert)).toEqual(Array(11).fill('watch'));
    answer();
    await expect.poll(() => hook.received.length).toBe(101);
    const subjects = hook.received.map(({ body }) => JSON.parse(body).subject);
    expect(subjects.slice(0, 4)).toEqual(['run 0', 'exa search', 'jina fetch', 'run 1']);
    expect(subjects.at(-1)).toBe('run 98');
  });

  it('that answers too late or not at all is a problem of its own', async () => {
    const hook = await serveTcp(() => {});
    const slow = open({ url: hook.url, timing: { tryMs: 50, pausesMs: [1] } });
    slow.alerts.raise(alertOn('exa search'));
    await expect.poll(() => slow.lines).toMatchObject([{ problem: 'no answer in 0.05 s' }]);
    const gone = open({ url: `http://127.0.0.1:${await freePort()}` });
    gone.alerts.raise(alertOn('exa search'));
    await expect
      .poll(() => gone.lines)
      .toMatchObject([{ problem: 'no connection (ECONNREFUSED)' }]);
  });

  it('whose answer has no end is left after its head', async () => {
    const hook = await serveTcp((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      const timer = setInterval(() => socket.write('3e8\r\n'.concat('x'.repeat(1_000), '\r\n')), 1);
      socket.on('close', () => clearInterval(timer));
    });
    const { alerts, lines } = open({ url: hook.url });
    alerts.raise(alertOn('exa search'));
    await expect.poll(() => lines).toMatchObject([{ msg: 'an alert was sent' }]);
    await expect.poll(() => hook.sockets.size).toBe(0);
  });

  it('gets a test alert while the database cannot be used', async () => {
    const hook = await serveHttp((response) => sendJson(response, {}));
    const fails = async () => {
      throw new Error('disk full');
    };
    const config = readConfig({ ALERT_WEBHOOK_URL: hook.url, ALERT_WEBHOOK_SECRET: SECRET });
    const end = await sendTestAlert(config, systemClock, { claim: fails, end: fails });
    expect([end, hook.received.length]).toEqual([{ tries: 1, problem: null }, 1]);
  });

  it('gets an alert once from each process while the database cannot be used', async () => {
    const hook = await serveHttp((response) => sendJson(response, {}));
    const fails = async () => {
      throw new Error('disk full');
    };
    const { alerts, lines } = open({ url: hook.url, alertLog: { claim: fails, end: fails } });
    alerts.raise(alertOn('store'));
    alerts.raise(alertOn('store'));
    await expect.poll(() => lines).toMatchObject([{ msg: 'an alert was sent' }]);
    alerts.raise(alertOn('store'));
    await alerts.stop();
    expect(hook.received).toHaveLength(1);
  });
});
