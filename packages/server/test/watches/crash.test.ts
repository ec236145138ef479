import { openDatabase } from '@trawl/database';
import { describeOnDatabases, type TestDatabase } from '@trawl/test-support/databases';
import { startTestServer } from '@trawl/test-support/harness';
import { serveHttp } from '@trawl/test-support/loopback';
import { newSite, request, startServe } from '@trawl/test-support/program';
import { describe, it } from 'vitest';
import {
  addWatch,
  HOURLY,
  movableClock,
  newsOf,
  nextRun,
  OFTEN,
  readWatch,
  runsOf,
  SEARCH_USD,
  startExa,
} from './support.ts';

const BOOTSTRAP_API_KEY = 'bootstrap-key-of-the-watch-test';

// each has a server of its own, and waits for its looks most of the time
describe.concurrent('after an end or a failure', () => {
  describeOnDatabases('the run of a watch', isPaidOnce);
});

function isPaidOnce(database: TestDatabase): void {
  it('that kill -9 ended is made again by another process, and is paid once', async (context) => {
    const { expect, onTestFinished } = context;
    const hanging = await serveHttp(() => {}, context);
    const site = await newSite(database);
    const settings = { ...site.settings, BOOTSTRAP_API_KEY, EXA_BASE_URL: hanging.url };
    const dying = await startServe({ settings, folder: site.folder });
    onTestFinished(() => site.clear(dying));
    const made = await request(`${dying.url}/v1/watches`, BOOTSTRAP_API_KEY, 'POST', HOURLY);
    expect(made.status, made.text).toBe(200);
    const { id, session_id } = JSON.parse(made.text);
    // the provider has the call, and nothing is recorded yet
    await expect.poll(() => hanging.received.length, { timeout: 30_000 }).toBe(1);
    dying.child.kill('SIGKILL');
    await dying.ended;

    const exa = await startExa(context);
    const { clock, passMinutes } = movableClock();
    passMinutes(5);
    const server = await startTestServer({
      database: { ...database, create: async () => ({ ...site.data, drop: async () => {} }) },
      clock,
      watchTimes: OFTEN,
      leases: { waitMs: 50 },
      env: { EXA_BASE_URL: exa.url, BOOTSTRAP_API_KEY },
    });
    onTestFinished(() => server.stop());
    const own = {
      call: (method: string, path: string) => server.call(method, path, { key: BOOTSTRAP_API_KEY }),
    };
    const isShared = database.name === 'PostgreSQL';
    if (isShared) {
      const waits = () => server.logged().split('waits for another server').length - 1;
      await expect.poll(waits, { timeout: 20_000 }).toBe(1);
      expect(await readWatch(own, id)).toMatchObject({ last_status: null, failures: 0 });
      // looks go on, and the next try is a while later
      await nextRun(server, (await addWatch(server)).id);
      expect(waits()).toBe(1);
      await endLeases(site.data.location);
      passMinutes(1);
    }
    const watch = await nextRun(own, id);
    expect(watch).toMatchObject({ last_status: 'succeeded', failures: 0 });
    expect(await runsOf(own, session_id)).toHaveLength(1);
    expect(exa.received).toHaveLength(isShared ? 2 : 1);
    const { rows } = (await own.call('GET', '/v1/usage?group_by=provider')).json;
    expect(rows).toMatchObject([{ calls: 1, cost_usd: SEARCH_USD }]);
  }, 120_000);

  it('that was recorded and not written to the watch is taken over without another call', async (context) => {
    const { expect, onTestFinished } = context;
    const exa = await startExa(context);
    const { clock, passMinutes } = movableClock();
    const server = await startTestServer({
      database,
      clock,
      watchTimes: OFTEN,
      env: { EXA_BASE_URL: exa.url },
    });
    onTestFinished(() => server.stop());
    const made = await addWatch(server);
    const first = await nextRun(server, made.id);
    exa.rows = ['a', 'b', 'c'];
    const { db } = openDatabase(server.database.location, { connections: 1 });
    onTestFinished(() => db.destroy());
    await db.schema.alterTable('watch_seen').renameTo('elsewhere').execute();
    passMinutes(60);
    await expect
      .poll(() => server.logged(), { timeout: 20_000 })
      .toContain('the run of a watch could not be written');
    await db.schema.alterTable('elsewhere').renameTo('watch_seen').execute();
    expect(await runsOf(server, made.session_id)).toHaveLength(2);
    expect(exa.received).toHaveLength(2);
    passMinutes(5);
    const watch = await nextRun(server, made.id, first.last_run_at);
    const runs = await runsOf(server, made.session_id);
    expect(watch.last_interaction_id).toBe(runs[1].id);
    expect(exa.received).toHaveLength(2);
    expect((await newsOf(server, made.id)).news).toMatchObject([
      { url: 'https://www.example.com/c', interaction_id: runs[1].id },
    ]);
    const { rows } = (await server.call('GET', '/v1/usage?group_by=provider')).json;
    expect(rows).toMatchObject([{ calls: 2, cost_usd: 2 * SEARCH_USD }]);
  }, 60_000);
}

/** The database's clock cannot be set: the times of leases are. */
async function endLeases(location: Parameters<typeof openDatabase>[0]): Promise<void> {
  const { db } = openDatabase(location, { connections: 1 });
  await db
    .updateTable('repeat_leases')
    .set({ expires_at: new Date(0) })
    .execute();
  await db.destroy();
}
