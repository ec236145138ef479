import { randomUUID } from 'node:crypto';
import { UsageReport } from '@trawl/contract';
import { describeOnDatabases } from '@trawl/test-support/databases';
import { type Answer, startTestServer, type TestServer } from '@trawl/test-support/harness';
import { interactionRecord, ledgerRecord } from '@trawl/test-support/records';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const MONDAY = '2026-03-02T23:59:59.999Z';
const TUESDAY = '2026-03-03T00:00:00.000Z';
const SPAN = 'from=2026-03-02&to=2026-03-03';

/** Of rows without a run that was answered from the record. */
const UNCACHED = { cached_calls: 0, saved_usd: 0 };

describeOnDatabases('GET /v1/usage', (database) => {
  let server: TestServer;
  let own: { id: string; key: string };
  let colleague: { id: string; key: string };
  beforeAll(async () => {
    server = await startTestServer({ database });
    own = await server.makeKey('main', ['read']);
    colleague = await server.makeKey('main', ['read']);
    const stranger = await server.makeKey('another project');
    await book(own.id, MONDAY, 'exa', 2, 7_000, 'ada');
    await book(own.id, MONDAY, 'exa', 1, null, 'ada');
    await book(own.id, TUESDAY, 'exa', 1, 7_000, null);
    await book(own.id, TUESDAY, 'brave', 3, null, null);
    await book(colleague.id, TUESDAY, 'brave', 1, 5_000, 'bob');
    await book(colleague.id, TUESDAY, 'brave', 0, 0, 'bob');
    await book(stranger.id, TUESDAY, 'brave', 1, 5_000, 'eve', randomUUID());
  });
  afterAll(() => server.stop());

  async function book(
    keyId: string,
    createdAt: string,
    provider: string,
    calls: number,
    costMicros: number | null,
    userId: string | null,
    projectId = server.projectId,
  ): Promise<void> {
    await server.server.store.recorder.recordLedger([
      {
        ...ledgerRecord({ projectId, sessionId: randomUUID(), id: randomUUID() }),
        ...{ keyId, userId, provider, createdAt, calls, costMicros },
      },
    ]);
  }

  const usage = (query: string, key = server.key): Promise<Answer> =>
    server.call('GET', `/v1/usage?${query}`, { key });
  const rows = async (query: string, key?: string) => {
    const answer = await usage(query, key);
    expect(answer.status, answer.text).toBe(200);
    return UsageReport.strict().parse(answer.json).rows;
  };

  it('sums the calls and known costs of each day and provider; unknown costs are counted, never treated as zero', async () => {
    expect(await rows(SPAN)).toEqual([
      {
        day: '2026-03-02',
        provider: 'exa',
        calls: 3,
        unpriced_calls: 1,
        cost_usd: 0.007,
        ...UNCACHED,
      },
      {
        day: '2026-03-03',
        provider: 'brave',
        calls: 4,
        unpriced_calls: 3,
        cost_usd: 0.005,
        ...UNCACHED,
      },
      {
        day: '2026-03-03',
        provider: 'exa',
        calls: 1,
        unpriced_calls: 0,
        cost_usd: 0.007,
        ...UNCACHED,
      },
    ]);
    expect(await rows(`${SPAN}&group_by=provider`, own.key)).toEqual([
      { provider: 'brave', calls: 3, unpriced_calls: 3, cost_usd: null, ...UNCACHED },
      { provider: 'exa', calls: 4, unpriced_calls: 1, cost_usd: 0.014, ...UNCACHED },
    ]);
  });

  it('groups by the names given, in any order, and leaves out the rest', async () => {
    const byUser = await rows(`${SPAN}&group_by=user_id,key_id`);
    const keys = [own.id, colleague.id].sort();
    expect(byUser.map((row) => [row.key_id, row.user_id, row.calls])).toEqual(
      keys.flatMap((id) =>
        id === own.id
          ? [
              [id, null, 4],
              [id, 'ada', 3],
            ]
          : [[id, 'bob', 1]],
      ),
    );
    expect(byUser.every((row) => !('day' in row) && !('provider' in row))).toBe(true);
    const all = await rows(`${SPAN}&group_by=user_id, key_id ,provider,day`);
    expect(all.reduce((sum, { calls }) => sum + calls, 0)).toBe(8);
    expect(all.map(({ day }) => day)).toEqual(all.map(({ day }) => day).sort());
  });

  it('shows a key its own calls, and a key with manage those of the project', async () => {
    const counts = async (key: string) =>
      (await rows(`${SPAN}&group_by=key_id`, key)).map((row) => [row.key_id, row.calls]);
    expect(await counts(own.key)).toEqual([[own.id, 7]]);
    expect(await counts(colleague.key)).toEqual([[colleague.id, 1]]);
    expect((await counts(server.key)).map(([id]) => id)).toEqual([own.id, colleague.id].sort());
    const searcher = await server.makeKey('main', ['search', 'fetch']);
    expect((await usage(SPAN, searcher.key)).status).toBe(403);
    const manager = await server.makeKey('main', ['manage']);
    expect((await counts(manager.key)).map(([id]) => id)).toEqual([own.id, colleague.id].sort());
  });

  it('reads a date as its whole day and a date-time as a moment, and returns the span', async () => {
    const day = (await usage('from=2026-03-03&to=2026-03-03')).json;
    expect([day.from, day.to]).toEqual(['2026-03-03T00:00:00.000Z', '2026-03-04T00:00:00.000Z']);
    expect(day.rows).toHaveLength(2);
    const calls = async (span: string) =>
      (await rows(`${span}&group_by=provider`)).map((row) => row.calls);
    expect(await calls('from=2026-03-02T23:59:59.999Z&to=2026-03-03T00:00:00Z')).toEqual([3]);
    expect(await calls('from=2026-03-03T01:00:00%2B01:00&to=2026-03-04')).toEqual([4, 1]);
    expect(await calls('from=2026-03-02T23:59:59.998Z&to=2026-03-02T23:59:59.999Z')).toEqual([]);
  });

  it('covers the last 30 days by default', async () => {
    const before = Date.now();
    await server.search({
      user_input: { query: 'tides' },
      search: { providers: { include: ['exa'] } },
    });
    const { from, to, rows: recent } = (await usage('')).json;
    expect(Date.parse(to)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(to) - Date.parse(from)).toBe(30 * 86_400_000);
    expect(recent).toEqual([
      {
        day: new Date(before).toISOString().slice(0, 10),
        ...{ provider: 'exa', calls: 1, unpriced_calls: 0, cost_usd: 0.007, ...UNCACHED },
      },
    ]);
  });

  it.each([
    ['from=yesterday', 'from', 'datetime_from_date_parsing'],
    ['from=2026-02-30', 'from', 'datetime_from_date_parsing'],
    ['to=2026-03-01T10:00:00', 'to', 'datetime_from_date_parsing'],
    ['group_by=month', 'group_by', 'value_error'],
    ['group_by=', 'group_by', 'value_error'],
    ['from=2026-03-04&to=2026-03-03', 'from', 'value_error'],
    ['from=2020-01-01&to=2026-03-03', 'from', 'value_error'],
  ])('refuses %s', async (query, name, type) => {
    const answer = await usage(query);
    expect(answer.status).toBe(422);
    expect(answer.json.detail).toMatchObject([{ type, loc: ['query', name] }]);
  });

  it('stays after the session is deleted', async () => {
    const before = await rows('group_by=provider');
    const { json } = await server.search({ user_input: { query: 'ebb' } });
    const after = await rows('group_by=provider');
    expect(after).not.toEqual(before);
    await server.call('DELETE', `/v1/sessions/${json.session_id}`);
    expect(await rows('group_by=provider')).toEqual(after);
  });

  it('answers format=csv as a table, in which no cell is a formula', async () => {
    const { id, key } = await server.makeKey('main', ['read']);
    for (const user of ['=HYPERLINK("http://x")', '@a, b', 'ada']) {
      await book(id, TUESDAY, 'exa', 1, 7_000, user);
    }
    await book(id, TUESDAY, 'exa', 2, null, null);
    const answer = await usage(`${SPAN}&group_by=provider,user_id&format=csv`, key);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/csv; charset=utf-8',
    ]);
    expect(answer.text).toBe(
      [
        'provider,user_id,calls,unpriced_calls,cost_usd',
        'exa,,2,2,',
        `exa,"'=HYPERLINK(""http://x"")",1,0,0.007`,
        `exa,"'@a, b",1,0,0.007`,
        'exa,ada,1,0,0.007',
        '',
      ].join('\r\n'),
    );
    const none = await usage('from=2020-01-01&to=2020-01-02&format=csv', key);
    expect(none.text).toBe('day,provider,calls,unpriced_calls,cost_usd\r\n');
    expect((await usage(`${SPAN}&format=json`, key)).json.rows).toHaveLength(1);
    const wrong = await usage('format=xml', key);
    expect([wrong.status, wrong.json.detail[0].loc]).toEqual([422, ['query', 'format']]);
  });

  it('is refused, not cut, when there are too many rows', async () => {
    const projectId = (await server.server.store.keys.listProjects()).find(
      ({ name }) => name === 'crowd',
    )?.id;
    expect(projectId).toBeUndefined();
    const { key } = await server.makeKey('crowd');
    const made = (await server.server.store.keys.listProjects()).find(
      ({ name }) => name === 'crowd',
    );
    const record = interactionRecord({ projectId: made?.id ?? '' });
    const base = ledgerRecord({ projectId: made?.id ?? '', sessionId: record.sessionId, id: '' });
    const crowd = Array.from({ length: 10_001 }, (_, index) => ({
      ...base,
      ...{ id: randomUUID(), userId: `user ${index}`, createdAt: TUESDAY, calls: 1 },
    }));
    await server.server.store.recorder.recordLedger(crowd.slice(1));
    expect(await rows(`${SPAN}&group_by=user_id`, key)).toHaveLength(10_000);
    await server.server.store.recorder.recordLedger(crowd.slice(0, 1));
    const answer = await usage(`${SPAN}&group_by=user_id`, key);
    expect([answer.status, answer.json.detail[0].loc]).toEqual([422, ['query', 'group_by']]);
  });
});

describe('a key without the permission read', () => {
  it('is refused with that reason', async () => {
    const server = await startTestServer();
    const { key } = await server.makeKey('main', ['search']);
    const answer = await server.call('GET', '/v1/usage', { key });
    expect(answer.status).toBe(403);
    await server.stop();
  });
});
