import { once } from 'node:events';
import net from 'node:net';
import { openDatabase } from '@trawl/database';
import { describeMainlyOn } from '@trawl/test-support/databases';
import { startTestServer, type TestServer } from '@trawl/test-support/harness';
import {
  newSite,
  type RunningServer,
  request,
  type Site,
  startServe,
} from '@trawl/test-support/program';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Mount } from '../../src/sites/mount.ts';

const BOOTSTRAP_API_KEY = 'bootstrap-key-of-the-stop-test';
const STOPPING = 'stopping: no new requests, waiting for those in progress';

describeMainlyOn('SQLite', 'a server that gets a signal to stop', (database) => {
  let site: Site;
  let server: RunningServer;
  beforeAll(async () => {
    site = await newSite(database);
    server = await start();
  });
  afterAll(async () => {
    await site.clear(server);
  });

  const start = () => {
    const settings = { ...site.settings, BOOTSTRAP_API_KEY };
    return startServe({ settings, folder: site.folder });
  };

  /** A search that the providers delay this long. It has reached them and is in progress. */
  async function slowSearch(latencyMs: number) {
    site.sandbox.clearCalls();
    const body = { user_input: { query: `slow [[*:latency=${latencyMs}]]` } };
    const answering = request(`${server.url}/v1/search`, BOOTSTRAP_API_KEY, 'POST', body);
    answering.catch(() => {});
    await vi.waitFor(() => expect(site.sandbox.calls).toHaveLength(2), { timeout: 20_000 });
    return { answering };
  }

  const fetchOnce = (key: string, body: object, signal?: AbortSignal) =>
    fetch(`${server.url}/v1/fetch`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${BOOTSTRAP_API_KEY}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify(body),
      ...(signal ? { signal } : {}),
    });

  it('finishes and records requests in progress, refuses new connections and exits with 0', async () => {
    const { hostname, port } = new URL(server.url);
    const idle = net.connect(Number(port), hostname);
    await once(idle, 'connect');
    const { answering } = await slowSearch(800);

    const closed = once(idle, 'close');
    server.child.kill('SIGTERM');
    await server.logged(STOPPING);
    await closed;
    await expect(request(`${server.url}/healthz`, undefined)).rejects.toMatchObject({
      cause: { code: 'ECONNREFUSED' },
    });

    const { status, text } = await answering;
    expect(status).toBe(200);
    expect(JSON.parse(text).status).toBe('succeeded');
    const { code, stderr } = await server.ended;
    expect([code, stderr]).toEqual([0, '']);
    expect(server.stdout()).toMatch(/"msg":"stopped"}\n$/);

    server = await start();
    const { session_id, interaction_id } = JSON.parse(text);
    const path = `/v1/interactions?session_id=${session_id}&interaction_id=${interaction_id}`;
    const read = await request(`${server.url}${path}`, BOOTSTRAP_API_KEY);
    expect(read.text.startsWith(text.slice(0, -1))).toBe(true);
  });

  const LEFT = [
    // a collection that waits for its next look
    { url: 'https://www.linkedin.com/company/slow-record-1', provider: 'brightdata' },
    // a page that is still to be checked
    {
      url: 'https://news.example.com/stopped?q=%5B%5Bjina:latency=5000%5D%5D',
      provider: 'jina',
    },
  ].map(({ url, provider }) => ({
    provider,
    key: `left-${provider}`,
    body: { urls: [url], options: { providers: [provider] } },
  }));

  it('finishes, records and books requests whose clients have left', async () => {
    site.sandbox.clearCalls();
    const leaving = new AbortController();
    const fetching = LEFT.map(({ key, body }) => fetchOnce(key, body, leaving.signal));
    for (const one of fetching) one.catch(() => {});
    const called = () => new Set(site.sandbox.calls.map(({ vendor }) => vendor));
    await vi.waitFor(() => expect(called().size).toBe(LEFT.length), { timeout: 20_000 });
    leaving.abort();
    for (const one of fetching) await expect(one).rejects.toThrow(/abort/);

    server.child.kill('SIGTERM');
    expect((await server.ended).code).toBe(0);
    expect(server.stdout()).not.toMatch(/"level":(40|50|60)/);
    expect(server.stdout()).toMatch(/"msg":"stopped"}\n$/);

    site.sandbox.clearCalls();
    server = await start();
    const { db } = openDatabase(site.data.location, { connections: 1 });
    for (const { provider, key, body } of LEFT) {
      const repeated = await fetchOnce(key, body);
      const { interaction_id, status } = JSON.parse(await repeated.text());
      expect([repeated.status, status]).toEqual([200, 'succeeded']);
      expect(repeated.headers.get('idempotency-replayed')).toBe('true');
      const ledger = await db
        .selectFrom('ledger')
        .select(['provider', 'outcome'])
        .where('interaction_id', '=', interaction_id)
        .execute();
      expect(ledger).toEqual([{ provider, outcome: 'succeeded' }]);
    }
    await db.destroy();
    expect(site.sandbox.calls).toHaveLength(0);
  });

  it('stops at SIGINT too, and exits at once with 1 at the second signal', async () => {
    const { answering } = await slowSearch(20_000);
    server.child.kill('SIGINT');
    await server.logged(STOPPING);
    server.child.kill('SIGTERM');
    expect((await server.ended).code).toBe(1);
    await expect(answering).rejects.toThrow();
  });
});

it('a part that does not close is reported, and the store is still closed', async () => {
  const mount: Mount = {
    path: '/stuck',
    permissions: ['search'],
    open: () => ({
      fetch: async () => new Response('here'),
      close: () => Promise.reject(new Error('stuck for good')),
    }),
  };
  const server = await startTestServer({ mounts: [mount] });
  expect((await server.call('GET', '/stuck')).text).toBe('here');
  await server.stop();
  expect(server.logged()).toMatch(/"level":50.*stuck for good.*a part of the server did not close/);
  await expect(server.server.store.ping()).rejects.toThrow();
});

describeMainlyOn('SQLite', 'a client that leaves', (database) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ database });
  });
  afterAll(() => server.stop());

  async function leaveDuring(user_input: readonly object[], calls: number) {
    const session_id = crypto.randomUUID();
    const leaving = new AbortController();
    server.sandbox.clearCalls();
    const searching = server.search({ session_id, user_input }, { signal: leaving.signal });
    searching.catch(() => {});
    await vi.waitFor(() => expect(server.sandbox.calls).toHaveLength(calls), 20_000);
    leaving.abort();
    await expect(searching).rejects.toThrow(/abort/);
    const path = `/v1/sessions/${session_id}/history?type=full`;
    const history = await vi.waitFor(async () => {
      const answer = await server.call('GET', path);
      expect(answer.status).toBe(200);
      return answer.json;
    }, 20_000);
    expect(history.interactions).toHaveLength(1);
    return history.interactions[0];
  }

  it('has its runs cancelled, recorded and booked', async () => {
    const hanging = [{ query: 'a [[*:hang]]' }, { query: 'b [[*:latency=60000]]' }];
    const interaction = await leaveDuring(hanging, 4);
    expect(interaction.status).toBe('failed');
    for (const run of interaction.preprocessor_runs) {
      expect(run).toMatchObject({
        status: 'failed',
        output_payload: null,
        error: { code: 'cancelled', retryable: true, http_status: null },
        latency_ms: expect.any(Number),
      });
    }
    const { db } = openDatabase(server.database.location, { connections: 1 });
    const ledger = await db
      .selectFrom('ledger')
      .select(['calls', 'outcome', 'cost_micros'])
      .where('interaction_id', '=', interaction.id)
      .execute();
    await db.destroy();
    // sent, so it may have been paid: the cost is unknown
    expect(ledger).toEqual(Array(4).fill({ calls: 1, outcome: 'failed', cost_micros: null }));
  });

  it('keeps the finished runs', async () => {
    const interaction = await leaveDuring([{ query: 'x [[brave:hang]]' }], 2);
    const [exa, brave] = interaction.preprocessor_runs;
    expect(brave.error.code).toBe('cancelled');
    expect(interaction.status).toBe(exa.status === 'succeeded' ? 'partially_succeeded' : 'failed');
  });

  it('is not logged as an error, and does not affect other clients', async () => {
    const other = server.search({ user_input: { query: 'other [[*:latency=300]]' } });
    await vi.waitFor(() => expect(JSON.stringify(server.sandbox.calls)).toContain('other'), 20_000);
    await leaveDuring([{ query: 'x [[*:hang]]' }], 2);
    const { status, json } = await other;
    expect([status, json.status]).toEqual([200, 'succeeded']);
    expect(server.logged()).not.toMatch(/"level":(50|60)/);
  });
});
