import { randomUUID } from 'node:crypto';
import { takenFor } from '@trawl/base/testing';
import { type ConsoleSessionsQuery, SESSION_ROWS } from '@trawl/contract/console';
import type { InteractionRecord } from '@trawl/router';
import { describeOnDatabases, type TestStore } from '@trawl/test-support/databases';
import {
  apiKey,
  at,
  interactionRecord,
  ledgerRecord,
  newProject,
} from '@trawl/test-support/records';
import { afterAll, beforeAll, expect, it } from 'vitest';

interface Given extends Partial<Omit<InteractionRecord, 'ledger'>> {
  readonly query?: string;
  readonly member?: Record<string, unknown>;
  readonly ledger?: readonly Parameters<typeof ledgerRecord>[1][];
}

describeOnDatabases('sessions of the console', (database) => {
  let opened: TestStore;

  beforeAll(async () => {
    opened = await database.open();
  });
  afterAll(() => opened.cleanup());

  const freshProject = () => newProject(opened.store);

  async function record(projectId: string, given: Given = {}): Promise<InteractionRecord> {
    const { query, member, ledger = [{}], ...rest } = given;
    const head = { id: randomUUID(), projectId, sessionId: given.sessionId ?? randomUUID() };
    const createdAt = given.createdAt ?? at(0);
    const interaction = interactionRecord({
      ...head,
      createdAt,
      ...(query === undefined ? {} : { userInput: takenFor(JSON.stringify({ query })) }),
      ...(member === undefined ? {} : { metadata: takenFor(JSON.stringify(member)) }),
      ...rest,
      ledger: ledger.map((row) => ledgerRecord(head, { createdAt, ...row })),
    });
    await opened.store.recorder.record(interaction);
    return interaction;
  }

  const list = (projectId: string, query: Partial<ConsoleSessionsQuery> = {}) =>
    opened.store.consoleSessions.list(projectId, query);
  const found = async (projectId: string, query: Partial<ConsoleSessionsQuery>) =>
    (await list(projectId, query)).sessions.map(({ id }) => id);

  it('returns all that a row draws', async () => {
    const projectId = await freshProject();
    const key = apiKey(projectId, { name: 'agent' });
    await opened.store.keys.createKey(key, randomUUID());
    const { sessionId } = await record(projectId, {
      createdAt: at(10),
      completedAt: at(11),
      keyId: key.id,
      query: 'first of all',
      member: { customer: 'acme', n: 1 },
      ledger: [
        { provider: 'exa', costMicros: 7_000 },
        { provider: 'brave', outcome: 'failed', costMicros: null },
      ],
    });
    await record(projectId, {
      sessionId,
      createdAt: at(20),
      completedAt: at(24),
      keyId: 'gone',
      userId: 'ada',
      status: 'failed',
      ledger: [{ provider: 'exa', outcome: 'failed', costMicros: 1_000, calls: 2 }],
    });
    const { sessions, next, total, examined } = await list(projectId);
    expect(sessions).toStrictEqual([
      {
        id: sessionId,
        created_at: at(10),
        latest_interaction_at: at(20),
        duration_ms: 14_000,
        outcomes: { succeeded: 1, partial: 0, failed: 1 },
        interaction_count: 2,
        providers: [
          { name: 'brave', runs: 1, failed: 1 },
          { name: 'exa', runs: 2, failed: 1 },
        ],
        cost_usd: 0.008,
        calls: 4,
        unpriced_calls: 1,
        keys: expect.arrayContaining([
          { id: key.id, name: 'agent' },
          { id: 'gone', name: null },
        ]),
        user_ids: ['ada', 'user-1'],
        user_count: 2,
        input: 'first of all',
        kind: 'search',
        metadata_keys: ['customer', 'n'],
      },
    ]);
    expect({ next, total, examined }).toStrictEqual({ next: null, total: 1, examined: 1 });
    expect(await opened.store.consoleSessions.session(projectId, sessionId)).toStrictEqual(
      sessions[0],
    );
  });

  it('finds by each filter what one interaction of a session meets', async () => {
    const projectId = await freshProject();
    const plain = await record(projectId, {
      createdAt: at(100),
      completedAt: at(101),
      userId: null,
    });
    const odd = await record(projectId, {
      createdAt: at(200),
      completedAt: at(260),
      userId: 'ada',
      keyId: 'key-9',
      status: 'partially_succeeded',
      query: 'Crane "Bergen" 100% c:\\x',
      member: { 'custom"er': 'acme', retries: 3, deep: { tier: 'gold' } },
      ledger: [{ provider: 'linkup', costMicros: 90_000 }],
    });
    const page = await record(projectId, {
      createdAt: at(300),
      completedAt: at(301),
      normalizedSchemaVersion: null,
      userInput: takenFor('{"urls":["https://example.com/a","https://example.com/harbour"]}'),
    });
    const cases: readonly (readonly [
      Partial<ConsoleSessionsQuery>,
      readonly InteractionRecord[],
    ])[] = [
      [{ outcome: 'partial' }, [odd]],
      [{ user_id: 'ada' }, [odd]],
      [{ key_id: 'key-9' }, [odd]],
      [{ provider: 'linkup' }, [odd]],
      [{ provider: 'nothing' }, []],
      [{ provider: 'linkup', user_id: 'ada', min_cost_usd: 0.09 }, [odd]],
      [{ provider: 'linkup', user_id: 'bob' }, []],
      [{ min_cost_usd: 0.0901 }, []],
      [{ min_duration_ms: 60_000 }, [odd]],
      [{ text: 'crane "bergen"' }, [odd]],
      [{ text: '100% C:\\X' }, [odd]],
      [{ text: '100_' }, []],
      [{ text: 'harbour' }, [page, plain]],
      // the names of members are not part of a query
      [{ text: 'urls' }, []],
      [{ text: 'query' }, []],
      [{ text: odd.sessionId }, [odd]],
      [{ text: page.id.toUpperCase() }, [page]],
      [{ text: page.id, user_id: 'ada' }, []],
      [{ text: `…${page.id.slice(-8)}` }, [page]],
      [{ text: odd.sessionId.slice(-8).toUpperCase() }, [odd]],
      [{ text: odd.sessionId.slice(-8), user_id: 'bob' }, []],
      [{ text: randomUUID() }, []],
      [{ metadata: 'custom"er=acme' }, [odd]],
      [{ metadata: 'custom"er=acm' }, []],
      [{ metadata: 'retries=3' }, [odd]],
      [{ metadata: 'retries=' }, []],
      [{ metadata: 'tier=gold' }, [odd]],
      [{ from: at(200) }, [page, odd]],
      [{ to: at(200) }, [plain]],
      [{ from: at(150), to: at(250) }, [odd]],
    ];
    for (const [query, expected] of cases) {
      const ids = expected.map(({ sessionId }) => sessionId);
      expect(await found(projectId, query), JSON.stringify(query)).toStrictEqual(ids);
    }
  });

  it('asks one and the same interaction for all of its conditions', async () => {
    const projectId = await freshProject();
    const { sessionId } = await record(projectId, { status: 'failed', userId: 'ada' });
    await record(projectId, { sessionId, status: 'succeeded', userId: 'bob' });
    expect(await found(projectId, { outcome: 'failed', user_id: 'bob' })).toStrictEqual([]);
    expect(await found(projectId, { outcome: 'failed', user_id: 'ada' })).toStrictEqual([
      sessionId,
    ]);
  });

  it('pages through equal times without a gap, with and without a filter', async () => {
    const projectId = await freshProject();
    const all = await Promise.all(
      Array.from({ length: SESSION_ROWS * 2 + 3 }, (_, index) =>
        record(projectId, { createdAt: at(index >> 3), userId: index % 2 === 0 ? 'ada' : 'bob' }),
      ),
    );
    for (const query of [{}, { user_id: 'ada' }]) {
      const seen: string[] = [];
      let after: string | undefined;
      do {
        const page = await list(projectId, { ...query, after });
        expect(page.sessions.length).toBeLessThanOrEqual(SESSION_ROWS);
        expect(page.total).toBe(all.length);
        seen.push(...page.sessions.map(({ id }) => id));
        after = page.next ?? undefined;
      } while (after !== undefined);
      const expected = all
        .filter(({ userId }) => !('user_id' in query) || userId === query.user_id)
        .sort((a, b) =>
          a.createdAt === b.createdAt
            ? a.sessionId.localeCompare(b.sessionId)
            : b.createdAt.localeCompare(a.createdAt),
        );
      expect(seen).toStrictEqual(expected.map(({ sessionId }) => sessionId));
    }
  });

  it('reports as new what was recorded since, late ones included, and only what the filter lets through', async () => {
    const [projectId, foreign] = [await freshProject(), await freshProject()];
    const known = await record(projectId, { createdAt: at(500), userId: 'ada' });
    const { newest } = await list(projectId);
    expect(await found(projectId, { newer_than: newest })).toStrictEqual([]);

    // it began before the known one and ended after it
    const late = await record(projectId, { createdAt: at(400), userId: 'ada' });
    await record(projectId, { userId: 'bob' });
    await record(foreign, { userId: 'ada' });
    const live = await list(projectId, { newer_than: newest, user_id: 'ada' });
    expect(live.sessions.map(({ id }) => id)).toStrictEqual([late.sessionId]);
    expect(live.newest).toBeGreaterThan(newest);
    expect(await found(projectId, { newer_than: live.newest, user_id: 'ada' })).toStrictEqual([]);

    await record(projectId, { sessionId: known.sessionId, createdAt: at(600), userId: 'ada' });
    const again = await list(projectId, { newer_than: live.newest, user_id: 'ada' });
    expect(again.sessions).toMatchObject([{ id: known.sessionId, interaction_count: 2 }]);
  });

  it('reports a hundred new interactions at a time, and the rest from where it came to', async () => {
    const projectId = await freshProject();
    const { newest } = await list(projectId);
    const sessions: string[] = [];
    for (let count = 0; count < 103; count += 1) {
      // a hundred of the first session, so that one answer has room for all of them
      const sessionId = count < 100 ? sessions[0] : undefined;
      const { sessionId: own } = await record(projectId, sessionId ? { sessionId } : {});
      sessions.push(own);
    }
    const first = await list(projectId, { newer_than: newest });
    expect(first.sessions).toMatchObject([{ id: sessions[0], interaction_count: 100 }]);
    const rest = await list(projectId, { newer_than: first.newest });
    expect(rest.sessions.map(({ id }) => id).sort()).toStrictEqual(sessions.slice(100).sort());
    expect(rest.newest).toBe(first.newest + 3);
    expect(await found(projectId, { newer_than: rest.newest })).toStrictEqual([]);
  });

  it('shows the first input that there is, as the list of the API does', async () => {
    const projectId = await freshProject();
    const { sessionId } = await record(projectId, { createdAt: at(10), userInput: null });
    await record(projectId, { sessionId, createdAt: at(20), query: 'tides', member: { n: 1 } });
    const [row] = (await list(projectId)).sessions;
    expect(row).toMatchObject({ input: 'tides', metadata_keys: ['n'], interaction_count: 2 });
    const summaries = await opened.store.sessionSummaries(projectId, [sessionId]);
    expect(summaries.get(sessionId)?.firstInput).toBe('{"query":"tides"}');
  });

  it('shows nothing of another project', async () => {
    const [projectId, foreign] = [await freshProject(), await freshProject()];
    const { id, sessionId } = await record(foreign);
    const { consoleSessions } = opened.store;
    expect(await found(projectId, {})).toStrictEqual([]);
    expect(await found(projectId, { text: sessionId })).toStrictEqual([]);
    expect(await consoleSessions.session(projectId, sessionId)).toBeUndefined();
    expect(await consoleSessions.turns(projectId, sessionId, undefined)).toBeUndefined();
    expect(await consoleSessions.facts(projectId, id)).toBeUndefined();
    expect((await consoleSessions.choices(projectId, '2020-01-01')).providers).toStrictEqual([]);
  });

  it('reads turns in order with their runs, and the neighbours of an interaction', async () => {
    const projectId = await freshProject();
    const sessionId = randomUUID();
    const long = `https://example.com/${'x'.repeat(1_900)}"`;
    const second = await record(projectId, {
      sessionId,
      createdAt: at(20),
      normalizedSchemaVersion: null,
      userInput: takenFor(JSON.stringify({ urls: [long, ...Array(5).fill(long)] })),
      trajectoryGoal: 'read it',
      ledger: [
        {
          provider: 'exa',
          outcome: 'failed',
          errorCode: 'timeout',
          latencyMs: 900,
          costMicros: null,
        },
        { provider: 'jina', latencyMs: null, costMicros: 20 },
      ],
    });
    const first = await record(projectId, { sessionId, createdAt: at(10), query: 'one' });
    const third = await record(projectId, {
      sessionId,
      createdAt: at(20),
      userInput: takenFor('{"queries":[{"query":"a"},{"query":"b"}]}'),
      metadata: takenFor(JSON.stringify({ replay_of: first.id })),
      ledger: [],
    });
    const { consoleSessions } = opened.store;
    const { turns, next_after } =
      (await consoleSessions.turns(projectId, sessionId, undefined)) ?? {};
    expect(next_after).toBeNull();
    expect(turns?.map(({ id }) => id)).toStrictEqual([first.id, second.id, third.id]);
    expect(turns?.[0]?.replay_of).toBeNull();
    expect(turns?.[1]).toMatchObject({
      kind: 'fetch',
      // the request is too long to be read for a list
      input: long.slice(0, 300),
      input_count: null,
      goal: 'read it',
      cost_usd: 0.00002,
      calls: 2,
      unpriced_calls: 1,
    });
    expect(turns?.[1]?.runs).toHaveLength(2);
    expect(turns?.[1]?.runs).toContainEqual({
      provider: 'exa',
      outcome: 'failed',
      error_code: 'timeout',
      latency_ms: 900,
    });
    expect(turns?.[2]).toMatchObject({
      kind: 'search',
      input: 'a',
      input_count: 2,
      replay_of: first.id,
      runs: [],
      cost_usd: null,
    });
    const rest = await consoleSessions.turns(projectId, sessionId, first.id);
    expect(rest?.turns.map(({ id }) => id)).toStrictEqual([second.id, third.id]);
    expect(await consoleSessions.turns(projectId, sessionId, randomUUID())).toBeUndefined();

    const facts = await consoleSessions.facts(projectId, second.id);
    expect(facts).toMatchObject({ previous_id: first.id, next_id: third.id, user_id: 'user-1' });
    expect(facts?.calls.map(({ provider }) => provider).sort()).toStrictEqual(['exa', 'jina']);
    expect(await consoleSessions.facts(projectId, third.id)).toMatchObject({
      next_id: null,
      calls: [],
    });
  });

  it('offers the providers, keys and users that were used', async () => {
    const projectId = await freshProject();
    await record(projectId, {
      ledger: [
        { provider: 'exa', userId: 'ada' },
        { provider: 'brave', userId: null },
      ],
    });
    expect(await opened.store.consoleSessions.choices(projectId, '2025-12-31')).toStrictEqual({
      providers: ['brave', 'exa'],
      keys: [{ id: 'key-1', name: null }],
      user_ids: ['ada'],
      users_are_cut: false,
    });
    expect(
      (await opened.store.consoleSessions.choices(projectId, '2026-01-02')).keys,
    ).toStrictEqual([]);
  });
});
