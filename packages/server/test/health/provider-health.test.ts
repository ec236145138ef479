import { systemClock } from '@trawl/base';
import { describeMainlyOn } from '@trawl/test-support/databases';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, expect, it } from 'vitest';

// clocks-apart.test.ts has what PostgreSQL keeps of it
describeMainlyOn('SQLite', 'the health of search providers', (database) => {
  let server: TestServer;
  let offset = 0;
  beforeAll(async () => {
    const clock = { now: () => Date.now() + offset, newId: systemClock.newId };
    server = await startTestServer({
      database,
      clock,
      healthPauseMs: 100,
      env: { HEALTH_ACTION: 'last', DEFAULT_SEARCH_PROVIDERS: 'exa,brave' },
    });
  });
  afterAll(() => server.stop());

  let asked = 0;
  const ask = async (count: number, key = server.key) => {
    for (let at = 0; at < count; at += 8) {
      const many = Array.from({ length: Math.min(8, count - at) }, () => {
        asked += 1;
        return server.search({ user_input: { query: `tides ${asked}` } }, { key });
      });
      for (const { status, text } of await Promise.all(many)) expect(status, text).toBe(200);
      offset += 60_000;
    }
  };
  const healthOf = async (slug: string) => {
    const { json } = await server.call('GET', '/v1/preprocessors', { key: null });
    return json.preprocessors.find((one: { slug: string }) => one.slug === slug).health.state;
  };
  const becomes = (slug: string, state: string) =>
    expect.poll(() => healthOf(slug), { timeout: 10_000 }).toBe(state);
  const report = (key = server.key) => server.call('GET', '/v1/providers/exa/health', { key });

  it('is seen, explained, acted on and ended', async () => {
    expect(await healthOf('exa')).toBe('unknown');
    await ask(130);
    await becomes('exa', 'well');
    await becomes('brave', 'well');

    server.sandbox.inject('exa', 'empty');
    await ask(70);
    await becomes('exa', 'ill');
    expect(await healthOf('brave')).toBe('well');
    const { status, json } = await report();
    expect([status, json.state, json.reasons[0].measure, json.reasons[0].is_bad]).toEqual([
      200,
      'ill',
      'empty',
      true,
    ]);
    expect(json.reasons[0].message).toMatch(/^of its last 60 answers \d+ % had no rows/);
    expect(json.example_interaction_ids).toHaveLength(5);
    const other = await server.makeKey('strangers');
    expect((await report(other.key)).json.example_interaction_ids).toEqual([]);
    const reader = await server.makeKey('readers', ['search', 'read']);
    expect((await report(reader.key)).status).toBe(403);
    expect((await server.call('GET', '/v1/providers/nope/health')).status).toBe(404);
    const metrics = await server.call('GET', '/metrics');
    expect(metrics.text).toContain('trawl_provider_health{provider="exa"} 2');
    expect(metrics.text).toContain('trawl_provider_health{provider="brave"} 0');

    // last of the default set, with a warning; in its usual place in every twentieth search
    const orders = new Map<string, number>();
    for (let at = 0; at < 20; at += 1) {
      const answer = await server.search({ user_input: { query: `waves ${at}` } });
      const runs = answer.json.preprocessor_runs;
      const order = runs.map((run: { preprocessor_name: string }) => run.preprocessor_name).join();
      orders.set(order, (orders.get(order) ?? 0) + 1);
      const isWarned = answer.text.includes('provider_last');
      expect(isWarned).toBe(order === 'brave,exa');
    }
    expect(Object.fromEntries(orders)).toEqual({ 'brave,exa': 19, 'exa,brave': 1 });
    const named = await server.search({
      user_input: { query: 'named' },
      search: { providers: { include: ['exa', 'brave'] } },
    });
    expect(named.json.preprocessor_runs[0].preprocessor_name).toBe('exa');

    // deleting what was recorded changes nothing
    const { json: listed } = await server.call('GET', '/v1/sessions?limit=200');
    for (const { id } of listed.sessions.slice(0, 50)) {
      await server.call('DELETE', `/v1/sessions/${id}`);
    }
    await becomes('exa', 'ill');
    // examples are those that can still be read
    const { example_interaction_ids: examples } = (await report()).json;
    expect(examples).toHaveLength(5);
    for (const id of examples) {
      const path = `/v1/interactions/${id}/replay?dry_run=true`;
      expect((await server.call('POST', path)).status).toBe(200);
    }

    server.sandbox.clearFaults();
    await ask(24);
    await becomes('exa', 'well');
  });

  it('counts neither answers of the record, nor replays, nor probes', async () => {
    const { db } = server.server.store.accounts.database;
    const count = async () =>
      (await db.selectFrom('provider_answers').select('id').where('provider', '=', 'exa').execute())
        .length;
    const before = await count();
    const body = {
      user_input: { query: 'counted once' },
      search: { providers: { include: ['exa'] }, max_age_seconds: 600 },
    };
    const first = await server.search(body);
    await server.search(body);
    await server.call('POST', `/v1/interactions/${first.json.interaction_id}/replay`);
    await server.call('POST', '/v1/providers/exa/probe', { body: { operation: 'search' } });
    expect(await count()).toBe(before + 1);
    // a caller's own words in the metadata hide nothing
    await server.search({
      user_input: { query: 'counted too' },
      search: { providers: { include: ['exa'] } },
      metadata: { replay_of: first.json.interaction_id },
    });
    expect(await count()).toBe(before + 2);
  });

  it('is reset by a key that may manage', async () => {
    server.sandbox.inject('brave', 'empty');
    await ask(80);
    await becomes('brave', 'ill');
    server.sandbox.clearFaults();
    const path = '/v1/providers/brave/health/reset';
    const reader = await server.makeKey('other readers', ['search']);
    expect((await server.call('POST', path, { key: reader.key })).status).toBe(403);
    const { status, json } = await server.call('POST', path);
    expect([status, json.state]).not.toEqual([200, 'ill']);
    await expect.poll(() => healthOf('brave')).not.toBe('ill');
    const { db } = server.server.store.accounts.database;
    const entries = await db
      .selectFrom('audit_log')
      .select(['target_kind', 'target_name', 'outcome'])
      .where('action', '=', 'provider.health_reset')
      .execute();
    expect(entries).toEqual([
      { target_kind: 'provider', target_name: 'brave', outcome: 'succeeded' },
    ]);
  });
});
