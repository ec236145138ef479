import type { DryRun } from '@trawl/contract';
import { describeMainlyOn } from '@trawl/test-support/databases';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { dailyPrice } from '../../src/watches/price.ts';
import {
  addWatch,
  HOURLY,
  holdingExa,
  newsOf,
  readWatch,
  runsOf,
  SEARCH,
  SEARCH_USD,
  startExa,
} from './support.ts';

/** No run begins by itself. */
const NEVER = { lookMs: 3_600_000 };

describeMainlyOn('SQLite', 'POST /v1/watches/{watch_id}/run', (database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ database, watchTimes: NEVER });
  });
  afterAll(() => server.stop());

  const run = (id: string, request: Parameters<typeof server.call>[2] = {}, query = '') =>
    server.call('POST', `/v1/watches/${id}/run${query}`, request);
  const calls = async () => {
    const { json } = await server.call('GET', '/v1/usage?group_by=provider');
    return json.rows[0]?.calls ?? 0;
  };

  it('answers a repeat with the same run, and pays it once', async () => {
    const { id } = await addWatch(server);
    const before = await calls();
    const headers = { 'idempotency-key': 'once' };
    const first = await run(id, { headers });
    const ran = await readWatch(server, id);
    const again = await run(id, { headers });
    expect([again.status, again.json]).toEqual([202, first.json]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect((await calls()) - before).toBe(1);
    expect(await readWatch(server, id)).toEqual(ran);
    const other = await addWatch(server);
    expect((await run(other.id, { headers })).json.interaction_id).not.toBe(
      first.json.interaction_id,
    );
    expect((await run(id, { headers: { 'idempotency-key': 'with space' } })).status).toBe(422);
  });

  it('runs a paused watch, and refuses one whose key ended', async () => {
    const own = await server.makeKey('main');
    const { id } = await addWatch(server, HOURLY, own.key);
    await server.call('PATCH', `/v1/watches/${id}`, { body: { state: 'paused' } });
    expect((await run(id)).status).toBe(202);
    expect((await readWatch(server, id)).state).toBe('paused');
    await server.server.store.keys.disableKey(own.id, new Date().toISOString());
    for (const query of ['', '?dry_run=true']) {
      const { status, json } = await run(id, {}, query);
      expect([status, json.detail]).toEqual([409, 'This watch is stopped: its key is disabled']);
    }
  });

  it('shows its price, and calls nothing', async () => {
    const { id } = await addWatch(server);
    const before = await calls();
    const { status, json } = await run(id, {}, '?dry_run=true');
    expect(status).toBe(202);
    expect(json).toMatchObject({ dry_run: true, calls: [{ provider: 'exa' }] });
    expect(json.total_usd).toBeGreaterThan(0);
    expect(await calls()).toBe(before);
    expect((await readWatch(server, id)).last_run_at).toBeNull();
  });

  it('needs a key that may ask for the same', async () => {
    const { id } = await addWatch(server);
    const { key } = await server.makeKey('main', ['manage', 'fetch']);
    expect((await run(id, { key })).status).toBe(403);
    const other = await server.makeKey('another project');
    expect((await run(id, { key: other.key })).status).toBe(404);
  });

  it('answers the refusal of the run, which the watch has too', async () => {
    const own = await server.makeKey('main');
    const { id } = await addWatch(server, HOURLY, own.key);
    await server.server.store.keys.changeKey(own.id, { monthlyBudgetMicros: 0 });
    const { status, json } = await run(id);
    expect([status, json.detail]).toEqual([402, expect.stringContaining('monthly budget')]);
    expect(await readWatch(server, id)).toMatchObject({ last_status: 'refused', failures: 1 });
  });
});

describeMainlyOn('SQLite', 'a watch that runs', (database) => {
  it('makes one run, whose news are those of any run, and leaves the schedule', async () => {
    const exa = await startExa();
    const env = { EXA_BASE_URL: exa.url };
    const server = await startTestServer({ database, env, watchTimes: NEVER });
    onTestFinished(server.stop);
    const run = (id: string) => server.call('POST', `/v1/watches/${id}/run`);
    const { id, session_id, next_run_at } = await addWatch(server);
    const first = await run(id);
    expect([first.status, first.json]).toEqual([
      202,
      { watch_id: id, interaction_id: expect.any(String) },
    ]);
    exa.rows = ['a', 'b', 'c'];
    const second = await run(id);
    expect((await newsOf(server, id)).news).toMatchObject([
      { url: 'https://www.example.com/c', interaction_id: second.json.interaction_id },
    ]);
    expect(await readWatch(server, id)).toMatchObject({
      next_run_at,
      last_status: 'succeeded',
      last_interaction_id: second.json.interaction_id,
      news_count: 1,
    });
    const runs = await runsOf(server, session_id);
    expect(runs.map((one: { id: string }) => one.id)).toEqual([
      first.json.interaction_id,
      second.json.interaction_id,
    ]);
  });

  it('is a 409 until its run has ended', async () => {
    const exa = await holdingExa();
    const env = { EXA_BASE_URL: exa.url };
    const server = await startTestServer({ database, env, watchTimes: NEVER });
    onTestFinished(server.stop);
    const { id } = await addWatch(server);
    const path = `/v1/watches/${id}/run`;
    const running = server.call('POST', path);
    await exa.asked;
    const { status, json } = await server.call('POST', path);
    expect([status, json.detail]).toEqual([409, expect.stringContaining('in progress')]);
    exa.answer();
    expect((await running).status).toBe(202);
    expect((await server.call('POST', path)).status).toBe(202);
  });
});

describeMainlyOn('SQLite', 'POST /v1/watches?dry_run=true', (database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ database, watchTimes: NEVER });
  });
  afterAll(() => server.stop());

  const dryRun = (body: object, name = 'dry_run') =>
    server.call('POST', `/v1/watches?${name}=true`, { body });

  it('makes nothing, and answers what a run and a day of runs cost', async () => {
    const { status, json } = await dryRun({ interval_minutes: 45, search: SEARCH });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      dry_run: true,
      calls: [{ provider: 'exa', cost_usd: SEARCH_USD }],
      total_usd: SEARCH_USD,
      runs_per_day: 32,
      usd_per_day: 0.224,
    });
    const pages = await dryRun({
      interval_minutes: 1_440,
      fetch: { urls: ['https://www.example.com/a'], options: { providers: ['exa'] } },
    });
    expect(pages.json).toMatchObject({ runs_per_day: 1, usd_per_day: pages.json.total_usd });
    expect((await server.call('GET', '/v1/watches')).json).toEqual({ watches: [] });
    expect(server.sandbox.calls).toEqual([]);
  });

  it.each(['dryrun', 'dry-run', 'dry_runs', 'Dry_Run'])('refuses %s', async (name) => {
    const { status, json } = await dryRun(HOURLY, name);
    expect(status).toBe(422);
    expect(json.detail).toEqual([
      {
        type: 'extra_forbidden',
        loc: ['query', name],
        msg: 'Extra inputs are not permitted',
        input: 'true',
        hint: 'did you mean dry_run?',
      },
    ]);
  });

  it('refuses dry_run where there is none', async () => {
    const { id } = await addWatch(server);
    const body = { state: 'paused' };
    const { status, json } = await server.call('PATCH', `/v1/watches/${id}?dry_run=true`, { body });
    expect([status, json.detail[0].loc, json.detail[0].hint]).toEqual([
      422,
      ['query', 'dry_run'],
      'this route has no dry run: leave it out',
    ]);
    expect((await readWatch(server, id)).state).toBe('active');
  });

  it('lists page by page', async () => {
    const ids = new Set<string>();
    for (let count = 0; count < 4; count += 1) ids.add((await addWatch(server)).id);
    const seen: string[] = [];
    for (let after = ''; ; ) {
      const path = `/v1/watches?limit=2${after && `&after=${after}`}`;
      const { watches, next_after } = (await server.call('GET', path)).json;
      expect(watches.length).toBeLessThanOrEqual(2);
      seen.push(...watches.map((one: { id: string }) => one.id));
      if (next_after === undefined) break;
      after = next_after;
    }
    expect(seen).toEqual(expect.arrayContaining([...ids]));
    expect(new Set(seen).size).toBe(seen.length);
  });
});

it.each([
  [7, 205.714286, 0.205714],
  [45, 32, 0.032],
  [1_000, 1.44, 0.00144],
  [10_080, 0.142857, 0.000143],
])('a day of runs each %i minutes costs its share of the runs', (minutes, runs, usd) => {
  const price: DryRun = { dry_run: true, calls: [], total_usd: 0.001 };
  expect(dailyPrice(price, minutes)).toMatchObject({ runs_per_day: runs, usd_per_day: usd });
  expect(dailyPrice({ ...price, total_usd: null }, minutes)).toMatchObject({ usd_per_day: null });
});
