import { randomUUID } from 'node:crypto';
import { openDatabase } from '@trawl/database';
import type { Limits } from '@trawl/router';
import { describeOnDatabases } from '@trawl/test-support/databases';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { ledgerRecord } from '@trawl/test-support/records';
import { afterAll, beforeAll, expect, it } from 'vitest';

/** Ten of them cost seven cents. */
const SEARCH = { user_input: { query: 'tides' }, search: { providers: { include: ['exa'] } } };
const PAGE = 'https://www.example.com/guides/solar-kilns';

describeOnDatabases('a monthly budget', (database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ database });
  });
  afterAll(() => server.stop());

  /** A key in its own project, with its limit set before it is used. */
  async function limitedKey(own: Partial<Limits>, ofProject: Partial<Limits> = {}) {
    const project = `project ${randomUUID()}`;
    const made = await server.makeKey(project);
    const { keys } = server.server.store;
    await keys.changeKey(made.id, own);
    await keys.limitProject(project, ofProject);
    return { ...made, project };
  }
  const search = (key: string, body: unknown = SEARCH) => server.search(body, { key });
  const spent = async (key: string) =>
    (await server.call('GET', '/v1/usage?group_by=provider', { key })).json.rows;
  const nextMonth = () => {
    const now = new Date();
    return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1))
      .toISOString()
      .slice(0, 10);
  };

  it('says what is kept for a fallback, and how the search runs without one', async () => {
    const { key } = await limitedKey({ monthlyBudgetMicros: 10_000 });
    const options = { ...SEARCH.search, fallback: ['brave'] };
    const refused = await search(key, { ...SEARCH, search: options });
    expect([refused.status, refused.json]).toEqual([
      402,
      {
        detail: expect.stringContaining(
          'this request would cost about $0.012, of which $0.005 is kept for a fallback. The budget',
        ),
        hint: 'with search.fallback "off" nothing is kept for a fallback',
      },
    ]);
    const without = { ...SEARCH, search: { ...options, fallback: 'off' } };
    expect((await search(key, without)).status).toBe(200);
  });

  it('allows requests that it can pay, then refuses with its size, the amount spent and the day of its restart', async () => {
    const { key } = await limitedKey({ monthlyBudgetMicros: 15_000 });
    expect([(await search(key)).status, (await search(key)).status]).toEqual([200, 200]);
    server.sandbox.clearCalls();
    const refused = await search(key);
    expect([refused.status, refused.json]).toEqual([
      402,
      {
        detail: `The monthly budget of this API key is $0.015: $0.014 spent, and this request would cost about $0.007. The budget starts again on ${nextMonth()} (UTC)`,
      },
    ]);
    const fetched = await server.fetch(
      { urls: [PAGE, `${PAGE}?2`], options: { providers: ['exa'] } },
      { key },
    );
    expect([fetched.status, fetched.json.error.code]).toEqual([402, 'budget_exceeded']);
    expect(server.sandbox.calls).toEqual([]);
    expect(await spent(key)).toMatchObject([{ provider: 'exa', calls: 2, cost_usd: 0.014 }]);
    // a request that it can still pay is allowed
    const small = await server.fetch({ urls: [PAGE], options: { providers: ['exa'] } }, { key });
    expect(small.status).toBe(200);
  });

  it('is not exceeded by many requests at once', async () => {
    const { key } = await limitedKey({ monthlyBudgetMicros: 35_000 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => search(key)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(15);
    expect(await spent(key)).toMatchObject([{ calls: 5, cost_usd: 0.035 }]);
  });

  it('of a project is shared by its keys', async () => {
    const { key, project } = await limitedKey({}, { monthlyBudgetMicros: 14_000 });
    const { key: other } = await server.makeKey(project);
    expect([(await search(key)).status, (await search(other)).status]).toEqual([200, 200]);
    const refused = await search(key);
    expect(refused.status).toBe(402);
    expect(refused.json.detail).toContain('The monthly budget of this project is $0.014');
    expect((await search(server.key)).status).toBe(200);
  });

  it('of zero refuses everything, even free calls', async () => {
    const { key } = await limitedKey({ monthlyBudgetMicros: 0 });
    const free = { ...SEARCH, search: { providers: { include: ['tinyfish'] } } };
    expect((await search(key, free)).status).toBe(402);
    expect((await server.call('GET', '/v1/sessions', { key })).status).toBe(200);
  });

  it('gets back the rest of the reserve after a cheaper call, and pays nothing for a failed call of unknown cost', async () => {
    const { key } = await limitedKey({ monthlyBudgetMicros: 10_000 });
    server.sandbox.inject('exa', 'status=500', { times: 2 });
    expect((await search(key)).json.status).toBe('failed');
    server.sandbox.clearFaults();
    expect((await search(key)).status).toBe(200);
    expect((await search(key)).status).toBe(402);
  });

  it('counts only this month, including costs from before the server started', async () => {
    const { id, key } = await limitedKey({ monthlyBudgetMicros: 20_000 });
    const now = new Date();
    const lastMonth = new Date(
      Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 0, 23, 59, 59, 999),
    );
    const row = ledgerRecord({ id: randomUUID(), projectId: 'any', sessionId: randomUUID() });
    const thisMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()));
    await server.server.store.recorder.recordLedger([
      {
        ...row,
        id: randomUUID(),
        keyId: id,
        costMicros: 90_000,
        createdAt: lastMonth.toISOString(),
      },
      {
        ...row,
        id: randomUUID(),
        keyId: id,
        costMicros: 12_000,
        createdAt: thisMonth.toISOString(),
      },
    ]);
    expect([(await search(key)).status, (await search(key)).status]).toEqual([200, 402]);
  });

  it('refuses a dry run that it could not pay, and reserves nothing for one that it could', async () => {
    const { key } = await limitedKey({ monthlyBudgetMicros: 7_000 });
    const dry = () => server.call('POST', '/v1/search?dry_run=true', { key, body: SEARCH });
    expect([(await dry()).status, (await dry()).status]).toEqual([200, 200]);
    expect((await search(key)).status).toBe(200);
    expect((await dry()).status).toBe(402);
  });

  it('refuses a stream with a plain answer, and still allows the repetition of an earlier answer', async () => {
    const { key } = await limitedKey({ monthlyBudgetMicros: 7_000 });
    const repeatable = { key, headers: { 'idempotency-key': randomUUID() } };
    const first = await server.search(SEARCH, repeatable);
    expect(first.status).toBe(200);
    const stream = await server.search(SEARCH, { key, headers: { accept: 'text/event-stream' } });
    expect([stream.status, stream.headers.get('content-type')]).toEqual([402, 'application/json']);
    const again = await server.search(SEARCH, repeatable);
    expect([again.status, again.text]).toEqual([200, first.text]);
  });

  it('is checked after the session', async () => {
    const { json } = await server.search(SEARCH);
    const { key } = await limitedKey({ monthlyBudgetMicros: 0 });
    expect((await search(key, { ...SEARCH, session_id: json.session_id })).status).toBe(404);
  });

  it('refuses everything while its sums cannot be read', async () => {
    const { key } = await limitedKey({ monthlyBudgetMicros: 7_000 });
    const { db } = openDatabase(server.database.location, { connections: 1 });
    await db.schema.alterTable('usage_days').renameTo('elsewhere').execute();
    server.sandbox.clearCalls();
    try {
      expect([(await search(key)).status, server.sandbox.calls]).toEqual([503, []]);
    } finally {
      await db.schema.alterTable('elsewhere').renameTo('usage_days').execute();
      await db.destroy();
    }
    expect((await search(key)).status).toBe(200);
  });

  it('is whole after searches that were refused because the store could not record', async () => {
    const { key } = await limitedKey({ monthlyBudgetMicros: 15_000 });
    const { db } = openDatabase(server.database.location, { connections: 1 });
    const rename = (from: string, to: string) =>
      db.transaction().execute((one) => one.schema.alterTable(from).renameTo(to).execute());
    await rename('runs', 'elsewhere');
    try {
      // closes the store for all that follow
      expect((await search(server.key)).status).toBe(503);
      server.sandbox.clearCalls();
      expect([(await search(key)).status, (await search(key)).status]).toEqual([503, 503]);
      expect(server.sandbox.calls).toEqual([]);
    } finally {
      await rename('elsewhere', 'runs');
      await db.destroy();
    }
    const ready = async () => (await server.call('GET', '/readyz')).status;
    await expect.poll(ready, { timeout: 20_000 }).toBe(200);
    expect([(await search(key)).status, (await search(key)).status]).toEqual([200, 200]);
    expect((await search(key)).status).toBe(402);
  });

  it('that is raised while the server runs allows requests within a second', async () => {
    const { id, key } = await limitedKey({ monthlyBudgetMicros: 0 });
    expect((await search(key)).status).toBe(402);
    await server.server.store.keys.changeKey(id, { monthlyBudgetMicros: null });
    await expect.poll(async () => (await search(key)).status, { timeout: 20_000 }).toBe(200);
  });
});
