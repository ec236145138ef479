import { systemClock } from '@trawl/base';
import { describeOnDatabases } from '@trawl/test-support/databases';
import { byForm } from '@trawl/test-support/form';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { issueKey } from '../../src/admin/key-admin.ts';

/** Each of five kinds of request in each session. */
const ASKED = byForm({ small: 20, full: 100 });
const SESSIONS = 4;
const TOPICS = ['tidal power', 'rope walks', 'heat pumps', 'cranes of Bergen', 'old bridges'];

interface Asked {
  readonly path: '/v1/search' | '/v1/interactions' | '/v1/fetch';
  readonly body: Readonly<Record<string, unknown>>;
}

/** Requests of many kinds; no two are the same. */
function request(number: number): Asked {
  const query = `${TOPICS[number % TOPICS.length]} ${number}`;
  const providers = { include: ['exa', 'brave'] };
  const user_id = `user-${number % 3}`;
  const kinds: readonly Asked[] = [
    { path: '/v1/search', body: { user_input: { query }, search: { providers } } },
    {
      path: '/v1/search',
      body: {
        user_input: [{ query }, { query: `${query} in winter`, reason: 'a second one' }],
        search: { providers, num_results: 3, tier: 'extended' },
      },
    },
    {
      path: '/v1/interactions',
      body: {
        user_id,
        user_input: { query },
        search: {
          providers,
          filters: { include_domains: ['example.com'], language: 'en' },
          provider_overrides: { exa: { seed: number } },
        },
        postprocessor_names: ['rank_fusion'],
      },
    },
    {
      path: '/v1/search',
      body: { user_input: { query }, search: { fields: ['url', 'title'], include_raw: true } },
    },
    {
      path: '/v1/fetch',
      body: {
        user_id,
        urls: [`https://www.example.com/guides/rope-walks?page=${number}`, 'https://x.invalid/'],
        options: { tier: 'extended' },
      },
    },
  ];
  return kinds[number % kinds.length] as Asked;
}

describeOnDatabases(`${ASKED} recorded interactions`, (database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ database });
  });
  afterAll(() => server.stop());

  const spent = async () => {
    const { rows } = (await server.call('GET', '/v1/usage')).json;
    return JSON.stringify(rows);
  };
  const recorded = async () => {
    const { sessions } = (await server.call('GET', '/v1/sessions')).json;
    return JSON.stringify(sessions);
  };
  const payloads = (answer: {
    readonly preprocessor_runs: readonly { output_payload: object }[];
  }) =>
    answer.preprocessor_runs.map(({ output_payload: output }) =>
      JSON.stringify(output, (key, value) => (key === 'latency_ms' ? undefined : value)),
    );

  it('are answered again offline, equal but for the time, without a call and without cost', async () => {
    const keys: string[] = [];
    const asked: { number: number; session: number; answer: Parameters<typeof payloads>[0] }[] = [];
    const ids: string[] = [];
    for (let number = 0; number < ASKED; number += 1) {
      const session = number % SESSIONS;
      const { path, body } = request(number);
      const known = ids[session];
      const sent = { ...body, ...(known === undefined ? {} : { session_id: known }) };
      const answer = await server.call('POST', path, { body: sent });
      expect([answer.status, answer.json.detail, answer.json.error]).toEqual([
        200,
        undefined,
        undefined,
      ]);
      ids[session] = answer.json.session_id;
      asked.push({ number, session, answer: answer.json });
    }
    for (const replaySession of ids) {
      const { key } = await issueKey(server.server.store.keys, systemClock, {
        projectId: server.projectId,
        name: `offline-${replaySession}`,
        permissions: ['search', 'fetch', 'read'],
        expiresAt: null,
        replaySession,
      });
      keys.push(key);
    }
    const before = [await spent(), await recorded()];
    server.sandbox.clearCalls();
    let runs = 0;
    for (const { number, session, answer } of asked) {
      const { path, body } = request(number);
      const again = await server.call('POST', path, { body, key: keys[session] ?? null });
      expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
      expect(payloads(again.json)).toEqual(payloads(answer));
      runs += payloads(answer).length;
      // the key of another session knows nothing of it
      const other = keys[(session + 1) % SESSIONS] ?? null;
      expect((await server.call('POST', path, { body, key: other })).status).toBe(409);
    }
    expect(runs).toBeGreaterThan(2 * ASKED);
    expect(server.sandbox.calls).toEqual([]);
    expect([await spent(), await recorded()]).toEqual(before);
  }, 240_000);
});
