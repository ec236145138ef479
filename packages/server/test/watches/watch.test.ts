import { randomUUID } from 'node:crypto';
import { openDatabase } from '@trawl/database';
import { describeMainlyOn } from '@trawl/test-support/databases';
import { startTestServer, type TestServerOptions } from '@trawl/test-support/harness';
import { expect, it, onTestFinished } from 'vitest';
import {
  addWatch,
  HOURLY,
  holdingExa,
  movableClock,
  newsOf,
  nextRun,
  OFTEN,
  readWatch,
  runsOf,
  SEARCH_USD,
  SLOW_MACHINE_MS,
  startExa,
} from './support.ts';

describeMainlyOn('SQLite', 'a watch of a search', (database) => {
  async function start(options: TestServerOptions = {}) {
    const exa = await startExa();
    const time = movableClock();
    const server = await startTestServer({
      database,
      clock: time.clock,
      watchTimes: OFTEN,
      ...options,
      env: { EXA_BASE_URL: exa.url, ...options.env },
    });
    onTestFinished(() => server.stop());
    return { exa, server, ...time };
  }

  it(
    'runs at once and then at each interval, and has each new URL once',
    async () => {
      const { exa, server, passMinutes } = await start();
      const made = await addWatch(server, { ...HOURLY, name: 'tides' });
      expect(made).toMatchObject({
        name: 'tides',
        state: 'active',
        stop_reason: null,
        key_id: server.keyId,
        interval_minutes: 60,
        search: HOURLY.search,
        fetch: null,
        failures: 0,
        news_count: 0,
      });
      const first = await nextRun(server, made.id);
      expect(first).toMatchObject({ last_status: 'succeeded', last_error: null });
      expect(Date.parse(first.next_run_at) - Date.parse(made.created_at)).toBe(3_600_000);
      // what the first run had is not news
      expect(await newsOf(server, made.id)).toEqual({ watch_id: made.id, news: [] });

      exa.rows = ['c', 'a?utm_source=x', 'b'];
      passMinutes(60);
      const second = await nextRun(server, made.id, first.last_run_at);
      const { news } = await newsOf(server, made.id);
      expect(news).toEqual([
        {
          sequence: 1,
          kind: 'result',
          url: 'https://www.example.com/c',
          title: 'Page c',
          provider: 'exa',
          batch_index: 0,
          content_sha256: null,
          interaction_id: second.last_interaction_id,
          first_seen_at: expect.any(String),
        },
      ]);

      exa.rows = ['d', 'c', 'e'];
      passMinutes(60);
      const third = await nextRun(server, made.id, second.last_run_at);
      expect(third).toMatchObject({ news_count: 3, last_status: 'succeeded' });
      const sequences = async (query: string) =>
        (await newsOf(server, made.id, query)).news.map(({ url }: { url: string }) => url.at(-1));
      expect(await sequences('')).toEqual(['c', 'd', 'e']);
      expect(await sequences('?after=1')).toEqual(['d', 'e']);
      expect(await sequences(`?after=${news[0].first_seen_at}`)).toEqual(['d', 'e']);
      expect((await newsOf(server, made.id, '?after=99999999999999')).detail).toBe(
        'after: this watch has 3 news',
      );
      expect(await newsOf(server, made.id, '?limit=2')).toMatchObject({ next_after: '2' });
      expect(await newsOf(server, made.id, '?limit=2&after=2')).not.toHaveProperty('next_after');

      const runs = await runsOf(server, made.session_id);
      expect(runs).toHaveLength(3);
      for (const { metadata } of runs) expect(metadata).toEqual({ watch_id: made.id });
      const usage = (await server.call('GET', '/v1/usage?group_by=provider')).json;
      expect(usage.rows).toMatchObject([{ calls: 3, cost_usd: 3 * SEARCH_USD }]);
      expect(exa.received).toHaveLength(3);
    },
    SLOW_MACHINE_MS,
  );

  it(
    'has the first URLs of a provider that answered without any before',
    async () => {
      const { exa, server, passMinutes } = await start();
      exa.rows = [];
      const made = await addWatch(server);
      const first = await nextRun(server, made.id);
      expect(first).toMatchObject({ last_status: 'succeeded', news_count: 0 });
      exa.rows = ['a'];
      passMinutes(60);
      const second = await nextRun(server, made.id, first.last_run_at);
      expect(second.news_count).toBe(1);
      expect((await newsOf(server, made.id)).news).toMatchObject([
        { sequence: 1, url: 'https://www.example.com/a' },
      ]);
    },
    SLOW_MACHINE_MS,
  );

  it(
    'takes the first answer of a provider that failed before as what is known',
    async () => {
      const { exa, server, passMinutes } = await start();
      exa.status = 400;
      const made = await addWatch(server);
      const first = await nextRun(server, made.id);
      expect(first).toMatchObject({ last_status: 'failed' });
      exa.status = 200;
      passMinutes(60);
      const second = await nextRun(server, made.id, first.last_run_at);
      expect(second).toMatchObject({ last_status: 'succeeded', news_count: 0 });
    },
    SLOW_MACHINE_MS,
  );

  it(
    'does not make up for missed intervals, nor run while it is paused',
    async () => {
      const { exa, server, passMinutes } = await start();
      const made = await addWatch(server);
      const first = await nextRun(server, made.id);
      const change = async (body: object) =>
        (await server.call('PATCH', `/v1/watches/${made.id}`, { body })).json;
      expect(await change({ state: 'paused' })).toMatchObject({
        state: 'paused',
        next_run_at: null,
      });
      passMinutes(300);
      // another watch runs meanwhile: looks go on
      await nextRun(server, (await addWatch(server)).id);
      expect(exa.received).toHaveLength(2);
      await change({ state: 'active' });
      const second = await nextRun(server, made.id, first.last_run_at);
      expect(
        Date.parse(second.next_run_at) - Date.parse(second.last_run_at),
      ).toBeGreaterThanOrEqual(3_600_000);
      expect(await runsOf(server, made.session_id)).toHaveLength(2);
      // a new interval counts from the last run
      const daily = await change({ interval_minutes: 1_440, name: 'daily' });
      expect(daily).toMatchObject({ name: 'daily', interval_minutes: 1_440, state: 'active' });
      expect(Date.parse(daily.next_run_at) - Date.parse(daily.last_run_at)).toBe(86_400_000);
    },
    SLOW_MACHINE_MS,
  );

  it(
    'keeps what went wrong, and tries again at the next interval',
    async () => {
      const { exa, server, passMinutes } = await start();
      const project = `limited on ${database.name}`;
      const { key, id: keyId, projectId } = await server.makeKey(project);
      const own = { call: (method: string, path: string) => server.call(method, path, { key }) };
      const made = await addWatch(server, HOURLY, key);
      const first = await nextRun(own, made.id);
      await server.server.store.keys.changeKey(keyId, { monthlyBudgetMicros: 7_001 });
      passMinutes(60);
      const refused = await nextRun(own, made.id, first.last_run_at);
      expect(refused).toMatchObject({
        last_status: 'refused',
        last_error: { status: 402, message: expect.stringContaining('The monthly budget') },
        last_interaction_id: null,
        failures: 1,
        state: 'active',
      });
      await server.server.store.keys.changeKey(keyId, { monthlyBudgetMicros: null });
      exa.status = 400;
      passMinutes(60);
      const failed = await nextRun(own, made.id, refused.last_run_at);
      expect(failed).toMatchObject({
        last_status: 'failed',
        last_error: { status: 200, message: expect.stringContaining('exa') },
        last_interaction_id: expect.any(String),
        failures: 2,
      });
      exa.status = 200;
      exa.rows = ['a', 'b', 'c'];
      passMinutes(60);
      const whole = await nextRun(own, made.id, failed.last_run_at);
      expect(whole).toMatchObject({ last_status: 'succeeded', last_error: null, failures: 0 });
      expect(whole.news_count).toBe(1);
      const { rows } = (await own.call('GET', '/v1/usage?group_by=provider')).json;
      expect(rows).toMatchObject([{ cost_usd: 2 * SEARCH_USD }]);
      expect(projectId).not.toBe(server.projectId);
    },
    SLOW_MACHINE_MS,
  );

  it(
    'stops with its key, says why, and can be resumed when the key is valid again',
    async () => {
      const { exa, server, passMinutes } = await start();
      const other = await server.makeKey('main');
      const { keys } = server.server.store;
      const made = await addWatch(server, HOURLY, other.key);
      await nextRun(server, made.id);
      await keys.disableKey(other.id, new Date().toISOString());
      expect(await readWatch(server, made.id)).toMatchObject({
        state: 'stopped',
        stop_reason: 'disabled',
        next_run_at: null,
      });
      const resume = () =>
        server.call('PATCH', `/v1/watches/${made.id}`, { body: { state: 'active' } });
      const refused = await resume();
      expect([refused.status, refused.json.detail]).toEqual([
        400,
        'This watch is stopped: its key is disabled. Make the watch again with another key',
      ]);
      passMinutes(600);
      await nextRun(server, (await addWatch(server)).id);
      expect(exa.received).toHaveLength(2);
      await keys.disableKey(other.id, null);
      expect((await resume()).json).toMatchObject({ state: 'active', stop_reason: null });
      await expect.poll(() => exa.received.length).toBe(3);
      expect(server.logged()).toContain('a watch was stopped: its key ended');
    },
    SLOW_MACHINE_MS,
  );

  it.each([
    ['expired', { expiresAt: '2020-01-01T00:00:00.000Z' }],
    ['revoked', 'revokeKey'],
    ['deleted', 'deleteKey'],
  ] as const)(
    'stops when its key is %s',
    async (reason, end) => {
      const { server } = await start();
      const { keys } = server.server.store;
      const other = await server.makeKey('main');
      const made = await addWatch(server, HOURLY, other.key);
      if (typeof end === 'string') await keys[end](other.id, new Date().toISOString());
      else await keys.changeKey(other.id, end);
      const { json } = await server.call('GET', '/v1/watches');
      expect(json.watches).toMatchObject([{ id: made.id, state: 'stopped', stop_reason: reason }]);
    },
    SLOW_MACHINE_MS,
  );

  it(
    'goes on with the key that replaces its own',
    async () => {
      const { exa, server, passMinutes } = await start();
      const other = await server.makeKey('main');
      const made = await addWatch(server, HOURLY, other.key);
      const first = await nextRun(server, made.id);
      const { keys } = server.server.store;
      const [old] = (await keys.listKeys(server.projectId)).filter(({ id }) => id === other.id);
      if (!old) throw new Error('the key is gone');
      const successor = { ...old, id: randomUUID(), rotatedFrom: old.id };
      const endsAt = new Date().toISOString();
      await keys.replaceKey({ keyId: old.id, endsAt, successor, digest: randomUUID() });
      expect(await readWatch(server, made.id)).toMatchObject({
        state: 'active',
        key_id: successor.id,
      });
      passMinutes(60);
      await nextRun(server, made.id, first.last_run_at);
      expect(exa.received).toHaveLength(2);
    },
    SLOW_MACHINE_MS,
  );

  it(
    'ends its run when the server stops, as other requests do',
    async () => {
      const held = await holdingExa();
      const { server } = await start({ env: { EXA_BASE_URL: held.url } });
      const made = await addWatch(server);
      await held.asked;
      const stopped = server.server.stop();
      held.answer();
      await stopped;
      const { db } = openDatabase(server.database.location, { connections: 1 });
      onTestFinished(() => db.destroy());
      const row = await db
        .selectFrom('watches')
        .selectAll()
        .where('id', '=', made.id)
        .executeTakeFirstOrThrow();
      expect(row).toMatchObject({ last_status: 'succeeded', claim_id: null });
      const calls = await db.selectFrom('ledger').select('calls').execute();
      expect(calls).toEqual([{ calls: 1 }]);
    },
    SLOW_MACHINE_MS,
  );

  it(
    'is counted by how its runs end',
    async () => {
      const { server } = await start();
      await nextRun(server, (await addWatch(server)).id);
      const { text } = await server.call('GET', '/metrics');
      expect(text).toContain('trawl_watch_runs_total{status="succeeded"} 1');
    },
    SLOW_MACHINE_MS,
  );
});
