import { describeOnDatabases } from '@trawl/test-support/databases';
import { byForm } from '@trawl/test-support/form';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

const WEEK_S = 604_800;

interface Run {
  readonly id: string;
  readonly preprocessor_name: string;
  readonly status: string;
  readonly latency_ms: number | null;
  readonly output_payload: {
    readonly results: readonly unknown[];
    readonly usage?: unknown;
    readonly latency_ms: number;
    readonly warnings: readonly { readonly code: string; readonly message: string }[];
  };
  readonly cache?: {
    readonly state: string;
    readonly age_seconds: number | null;
    readonly interaction_id: string | null;
  };
}

interface Answered {
  readonly interaction_id: string;
  readonly session_id: string;
  readonly preprocessor_runs: readonly Run[];
  readonly merged?: unknown;
}

describeOnDatabases('a search from the record', (database) => {
  let server: TestServer;
  let offset = 0;
  beforeAll(async () => {
    const clock = {
      now: () => Date.now() + offset,
      newId: (await import('@trawl/base')).systemClock.newId,
    };
    server = await startTestServer({ database, clock });
  });
  afterEach(({ task }) => {
    // those that run at once count their own calls
    if (task.concurrent) return;
    server.sandbox.clearFaults();
    server.sandbox.clearCalls();
  });
  afterAll(() => server.stop());

  let count = 0;
  const newQuery = () => {
    count += 1;
    return `tides of harbour${count}x`;
  };
  const body = (query: string, search: object = {}) => ({
    user_input: { query },
    search: { providers: { include: ['exa'] }, max_age_seconds: 60, ...search },
  });
  const ask = async (query: string, search: object = {}, key = server.key) => {
    const answer = await server.search(body(query, search), { key });
    expect(answer.status, answer.text).toBe(200);
    return answer.json as Answered;
  };
  const runOf = async (...asked: Parameters<typeof ask>) => {
    const [run] = (await ask(...asked)).preprocessor_runs;
    return run as Run;
  };
  const state = async (...asked: Parameters<typeof ask>) => (await runOf(...asked)).cache?.state;
  const calls = () => server.sandbox.calls.length;
  const callsOf = (query: string) => {
    const [word = ''] = /harbour\d+x/.exec(query) ?? [];
    return server.sandbox.calls.filter((call) => JSON.stringify(call).includes(word)).length;
  };

  it('is asked once, and answers an equal one as it was', async () => {
    const query = newQuery();
    const first = await ask(query, { tier: 'max' });
    const [asked] = first.preprocessor_runs as [Run];
    expect(asked.cache).toEqual({ state: 'miss', age_seconds: null, interaction_id: null });
    offset += 5_000;
    const again = await ask(query, { tier: 'max' });
    const [served] = again.preprocessor_runs as [Run];
    expect(calls()).toBe(1);
    const { state: how, age_seconds, interaction_id } = served.cache ?? {};
    expect({ how, interaction_id }).toEqual({ how: 'hit', interaction_id: first.interaction_id });
    expect(age_seconds).toBeGreaterThanOrEqual(5);
    expect(served.output_payload).toEqual(asked.output_payload);
    expect(served.id).not.toBe(asked.id);
    expect(served.latency_ms).toBeNull();
    const history = `/v1/sessions/${again.session_id}/history?type=full`;
    const read = await server.call('GET', history);
    expect(read.json.interactions[0].preprocessor_runs[0].cache).toEqual(served.cache);
  });

  it('costs nothing, and says what it saved', async () => {
    const { key } = await server.makeKey(`usage ${database.name}`);
    const query = newQuery();
    for (let turn = 0; turn < 3; turn += 1) await ask(query, {}, key);
    const { json } = await server.call('GET', '/v1/usage?group_by=provider', { key });
    expect(json.rows).toEqual([
      {
        provider: 'exa',
        calls: 1,
        unpriced_calls: 0,
        cost_usd: 0.007,
        cached_calls: 2,
        saved_usd: 0.014,
      },
    ]);
  });

  it.each([
    ['another query', 'other', {}],
    ['another count', '', { num_results: 3 }],
    ['another tier', '', { tier: 'extended' }],
    ['raw answers', '', { include_raw: true }],
    ['merged lists', '', { merge: true }],
    ['a filter', '', { filters: { country: 'DE' } }],
    ['an override', '', { provider_overrides: { exa: { type: 'deep' } } }],
    ['economy', '', { economy: true }],
  ])('is not served to one with %s', async (_, more, options) => {
    const query = newQuery();
    await ask(query);
    expect(await state(`${query}${more}`, options)).toBe('miss');
    expect(calls()).toBe(2);
  });

  it('is served to one with another query that sends the same', async () => {
    const provider_overrides = { exa: { query: newQuery() } };
    await ask(newQuery(), { provider_overrides });
    expect(await state(newQuery(), { provider_overrides })).toBe('hit');
    expect(calls()).toBe(1);
  });

  it('is served only while it is young enough; one of the future has age 0', async () => {
    const query = newQuery();
    await ask(query);
    offset += 30_000;
    expect(await state(query, { max_age_seconds: 30 })).toBe('miss');
    expect(await state(query, { max_age_seconds: 30 })).toBe('hit');
    offset -= 40_000;
    expect((await runOf(query, { max_age_seconds: 1 })).cache).toMatchObject({
      state: 'hit',
      age_seconds: 0,
    });
    offset += 40_000;
  });

  it('is counted from the answer of the provider, not from a hit', async () => {
    const query = newQuery();
    const { interaction_id: source } = await ask(query);
    offset += 20_000;
    expect((await runOf(query)).cache?.interaction_id).toBe(source);
    offset += 20_000;
    expect((await runOf(query)).cache?.interaction_id).toBe(source);
    offset += 25_000;
    expect(await state(query)).toBe('miss');
  });

  it('is neither read nor shown where caching is off, whose run may answer others', async () => {
    const query = newQuery();
    expect(await runOf(query, { max_age_seconds: undefined })).not.toHaveProperty('cache');
    expect(await runOf(query, { max_age_seconds: 0 })).not.toHaveProperty('cache');
    const off = { max_age_seconds: undefined, no_cache: true };
    expect(await runOf(query, off)).not.toHaveProperty('cache');
    expect(calls()).toBe(3);
    expect(await state(query)).toBe('hit');
  });

  it('ends with its source', async () => {
    const query = newQuery();
    const { session_id: sessionId } = await ask(query);
    expect((await server.call('DELETE', `/v1/sessions/${sessionId}`)).status).toBe(204);
    expect(await state(query)).toBe('miss');
  });

  it('is not of another project, and names no source to a key that may not read', async () => {
    const query = newQuery();
    await ask(query);
    const other = await server.makeKey(`other ${database.name}`);
    expect(await state(query, {}, other.key)).toBe('miss');
    const blind = await server.makeKey('main', ['search']);
    expect((await runOf(query, {}, blind.key)).cache).toMatchObject({
      state: 'hit',
      interaction_id: null,
    });
  });

  it('has no failed or empty run as its source', async () => {
    const query = newQuery();
    server.sandbox.inject('exa', 'status=400', { times: 1 });
    await ask(query);
    expect(await state(query)).toBe('miss');
    const empty = newQuery();
    server.sandbox.inject('exa', 'empty', { times: 1 });
    await ask(empty);
    expect(await state(empty)).toBe('miss');
  });

  it('is merged and postprocessed as the answer of the provider is', async () => {
    const query = newQuery();
    const options = { merge: true, tier: 'minimalist', providers: { include: ['exa', 'brave'] } };
    const rows = ({ merged }: { merged?: unknown }) =>
      JSON.stringify(merged).replaceAll(/"run_id":"[^"]+"/g, '');
    const first = await ask(query, options);
    const again = await ask(query, options);
    expect(again.preprocessor_runs.map(({ cache }) => cache?.state)).toEqual(['hit', 'hit']);
    expect(rows(again)).toBe(rows(first));
    expect(rows(first)).toContain('"summary":"');
  });

  it('has the warnings about its answer, and those of the request that it is served to', async () => {
    const query = newQuery();
    const gap = await runOf(query, { tier: 'max' });
    server.sandbox.inject('brave', 'status=500');
    const fallback = { providers: { include: ['brave'] }, fallback: ['exa'], tier: 'max' };
    const { preprocessor_runs: runs } = await ask(query, fallback);
    const served = runs[1] as Run;
    expect(served.cache?.state).toBe('hit');
    expect(served.output_payload.warnings.slice(1)).toEqual(gap.output_payload.warnings);
    expect(served.output_payload.warnings[0]?.code).toBe('fallback_used');
    expect(await runOf(query, { tier: 'max' })).toMatchObject({
      output_payload: { warnings: gap.output_payload.warnings },
    });
  });

  it('is shown by a dry run', async () => {
    const query = newQuery();
    const search = { providers: { include: ['exa', 'brave'] } };
    await ask(query);
    const { json } = await server.call('POST', '/v1/search?dry_run=true', {
      body: body(query, search),
    });
    expect(
      json.calls.map(({ provider, cached, cost_usd }: Record<string, unknown>) => [
        provider,
        cached,
        cost_usd,
      ]),
    ).toEqual([
      ['exa', true, 0],
      ['brave', undefined, 0.005],
    ]);
    expect(json.total_usd).toBe(0.005);
    const followed = await server.call('POST', '/v1/search?dry_run=true', {
      body: body(query, { providers: { include: ['brave'] }, fallback: ['exa', 'seltz'] }),
    });
    const { calls: listed, total_usd, max_total_usd } = followed.json;
    expect(
      listed.map((call: Record<string, unknown>) => [call.provider, call.conditional, call.cached]),
    ).toEqual([
      ['brave', undefined, undefined],
      ['exa', true, true],
      ['seltz', true, undefined],
    ]);
    expect([total_usd, max_total_usd]).toEqual([0.005, 0.01]);
  });

  it('is served where the budget is used up, and is not a call that money is kept for', async () => {
    const made = await server.makeKey(`budget ${database.name}`);
    const query = newQuery();
    await ask(query, {}, made.key);
    const budget = { monthlyBudgetMicros: 7_000 };
    await server.server.store.changing(({ keys }) => keys.changeKey(made.id, budget));
    const priceOf = (asked: string) =>
      server.call('POST', '/v1/search?dry_run=true', { body: body(asked), key: made.key });
    await expect.poll(async () => (await priceOf(newQuery())).status).toBe(402);
    expect(await state(query, {}, made.key)).toBe('hit');
    const dry = await priceOf(query);
    expect([dry.status, dry.json.total_usd]).toEqual([200, 0]);
    const refused = await server.search(body(newQuery()), { key: made.key });
    expect(refused.status).toBe(402);
    expect(calls()).toBe(1);
  });

  it('of a batch asks for equal queries once', async () => {
    const query = newQuery();
    const { json } = await server.search({
      user_input: [{ query }, { query }],
      search: { providers: { include: ['exa'] }, max_age_seconds: 60 },
    });
    expect(json.preprocessor_runs.map(({ cache }: Run) => cache?.state)).toEqual([
      'miss',
      'joined',
    ]);
    expect(json.preprocessor_runs[1].cache.interaction_id).toBe(json.interaction_id);
    expect(calls()).toBe(1);
  });

  it('is not read by a replay', async () => {
    const query = newQuery();
    const { interaction_id: id } = await ask(query);
    const { json } = await server.call('POST', `/v1/interactions/${id}/replay`, {});
    expect(json.preprocessor_runs[0]).not.toHaveProperty('cache');
    expect(calls()).toBe(2);
  });

  it.each([
    [{ max_age_seconds: -1 }, 'max_age_seconds'],
    [{ max_age_seconds: WEEK_S + 1 }, 'max_age_seconds'],
    [{ max_age_seconds: 60, no_cache: true }, 'no_cache'],
    [{ max_cost_usd: -0.1 }, 'max_cost_usd'],
  ])('refuses %j', async (search, name) => {
    const { status, json } = await server.search(body('tides', search));
    expect([status, json.detail[0].loc]).toEqual([422, ['body', 'search', name]]);
    expect(calls()).toBe(0);
  });

  // which requests wait for each other is known to one process, whatever its database is
  const describeSlow = byForm({ small: database.name === 'SQLite', full: true })
    ? describe.concurrent
    : () => {};
  describeSlow('while its provider is asked', () => {
    it('is asked once by many at the same time', async () => {
      const query = `${newQuery()} [[exa:latency=3000]]`;
      const all = await Promise.all(Array.from({ length: 20 }, () => runOf(query)));
      expect(callsOf(query)).toBe(1);
      const states = all.map(({ cache }) => cache?.state);
      expect(states.filter((one) => one === 'miss')).toHaveLength(1);
      expect(states.filter((one) => one === 'joined').length).toBeGreaterThan(5);
      const [source] = [...new Set(all.flatMap(({ cache }) => cache?.interaction_id ?? []))];
      expect(all.filter(({ cache }) => cache?.interaction_id === source)).toHaveLength(19);
      expect(
        new Set(all.map(({ output_payload: { results } }) => JSON.stringify(results))).size,
      ).toBe(1);
    });

    it('goes on for those that wait when the one that asks goes away, and costs one call', async ({
      expect,
    }) => {
      const made = await server.makeKey(`leaver ${database.name}`);
      // long enough for the second one to come while a busy machine asks
      const query = `${newQuery()} [[exa:latency=4000]]`;
      const leaving = new AbortController();
      const first = server
        .search(body(query), { key: made.key, signal: leaving.signal })
        .catch(() => 'left');
      await expect.poll(() => callsOf(query)).toBe(1);
      const second = runOf(query, {}, made.key);
      await new Promise((resolve) => setTimeout(resolve, 2000));
      leaving.abort();
      expect(await first).toBe('left');
      expect(await second).toMatchObject({ status: 'succeeded', cache: { state: 'miss' } });
      expect(callsOf(query)).toBe(1);
      await expect
        .poll(async () => {
          const usage = await server.call('GET', '/v1/usage?group_by=provider', { key: made.key });
          return usage.json.rows;
        })
        .toMatchObject([{ calls: 1, cost_usd: 0.007 }]);
    });

    it('hands its failure to no one: one of those that wait asks, after a second failure each', async () => {
      const query = newQuery();
      // no test at the same time asks this provider
      server.sandbox.inject('brave', 'latency=2000,status=400', { times: 2 });
      const search = { providers: { include: ['brave'] } };
      const all = await Promise.all(Array.from({ length: 5 }, () => runOf(query, search)));
      expect(all.map(({ status }) => status).toSorted()).toEqual([
        'failed',
        'failed',
        'succeeded',
        'succeeded',
        'succeeded',
      ]);
      expect(callsOf(query)).toBe(5);
    });
  });
});
